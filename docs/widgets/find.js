// Search for words in the text of all pages, over the table that docs/search_index.awk makes.
// A section is found if it holds every word that was typed, in any order, whatever its case and
// accents.
"use strict";

(function () {
    const box = document.querySelector(".book-find");
    const sections = bookPlot.data("find");
    if (!box || !sections) return;

    const field = box.querySelector("input");
    const status = box.querySelector(".status");
    const list = box.querySelector(".results");
    const most = 12, around = 70;

    // One character in, one out, so that places in the plain text are places in the text.
    const plain = text => Array.from(text, c => c.normalize("NFD")[0].toLowerCase()).join("");
    const indexed = sections.map(([page, anchor, title, heading, text]) => ({
        page, anchor, title, heading, text,
        titles: plain(title + " " + heading), body: plain(text) }));

    function rank(section, words) {
        let points = 0;
        for (const word of words) {
            const inTitle = section.titles.includes(word);
            const inBody = section.body.split(word).length - 1;
            if (!inTitle && inBody === 0) return 0;
            points += (inTitle ? 20 : 0) + Math.min(inBody, 5);
        }
        return points;
    }

    // The surroundings of the first word found, with every word marked.
    function excerpt(section, words) {
        const places = words.map(w => section.body.indexOf(w)).filter(p => p >= 0);
        const start = Math.max(0, (places.length ? Math.min(...places) : 0) - around);
        const piece = section.text.slice(start, start + 3 * around);
        const found = plain(piece);
        const paragraph = document.createElement("p");
        if (start > 0) paragraph.append("… ");
        for (let i = 0; i < piece.length;) {
            const word = words.find(w => found.startsWith(w, i));
            if (word) {
                const mark = document.createElement("mark");
                mark.textContent = piece.slice(i, i + word.length);
                paragraph.append(mark);
                i += word.length;
            } else {
                const starts = words.map(w => found.indexOf(w, i)).filter(p => p >= 0);
                const next = Math.min(...starts, piece.length);
                paragraph.append(piece.slice(i, next));
                i = next;
            }
        }
        if (start + piece.length < section.text.length) paragraph.append(" …");
        return paragraph;
    }

    function show() {
        const words = plain(field.value).split(/\s+/).filter(word => word.length > 1);
        list.replaceChildren();
        status.textContent = "";
        if (words.length === 0) return;
        const found = indexed.map(section => ({ section, points: rank(section, words) }))
            .filter(f => f.points > 0).sort((a, b) => b.points - a.points);
        status.textContent = found.length === 0 ? "Nothing found."
            : found.length > most ? `The best ${most} of ${found.length} sections:`
            : found.length === 1 ? "One section:" : `${found.length} sections:`;
        for (const { section } of found.slice(0, most)) {
            const item = document.createElement("li"), link = document.createElement("a");
            link.href = section.page + (section.anchor ? "#" + section.anchor : "");
            link.textContent = section.title + (section.heading ? ` › ${section.heading}` : "");
            item.append(link, excerpt(section, words));
            list.append(item);
        }
    }

    field.addEventListener("input", show);
    show();
})();
