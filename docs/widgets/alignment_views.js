// Weights between the words of two sentences, to be pointed at: for any list of views, such as
// models, heads or layers. It only shows what a chapter's program computed: in each figure
// "widget_NAME" of the page that has an svg of the class "alignment", the data trained_NAME.
//
// The data holds `views` (their names), `n_sentences`, and for each sentence i the words
// `source_i` and `target_i`, the tables `weights_i_v`, a row a target word, for each view v, and if
// there are some `links_i` (rows of source, target, 1 if sure) and `drops_i_v` (what deleting a
// source word costs a target word). `sure` is what the status line calls sure links, if they are to
// have another name.
"use strict";

function bookAlignment(figure, data) {
    if (!figure || !data) return;

    const { add, series, show } = bookPlot;
    const slider = figure.querySelector("input");
    const output = figure.querySelector("output");
    const select = figure.querySelector("select");
    const status = figure.querySelector(".status");
    const svg = figure.querySelector("svg");
    const views = data.views.map(name =>
        name.replace("s_{t-1}", "s\u209c\u208b\u2081").replace("s_t", "s\u209c"));
    views.forEach((name, v) => select.add(new Option(name, v)));

    const rowHeight = 26, boxHeight = 21, boxWidth = 92, mostDrop = 10, barLength = 26;
    const columns = [ // source and target: where the box stands, where lines end, where bars go
        { x: barLength + 4, edge: barLength + 4 + boxWidth, bar: barLength, way: -1 },
        { x: 340 - barLength - 4 - boxWidth, edge: 340 - barLength - 4 - boxWidth,
          bar: 340 - barLength, way: 1 }
    ];
    let words = [], links = [], weights = [], drops = null;
    let boxes = [[], []], bars = [[], []], lines = null;

    const yOf = (side, i) => {
        const longest = Math.max(words[0].length, words[1].length);
        return 14 + rowHeight * (i + (longest - words[side].length) / 2 + 0.5);
    };
    const cell = (table, side, i, j) => side === 1 ? table[i][j] : table[j][i];
    const linkOf = (source, target) => links.find(l => l[0] === source && l[1] === target);

    // Asked by word i of a side: numbers for the words of the other side.
    const numbersOf = (table, side, i) => words[1 - side].map((_, j) => cell(table, side, i, j));

    function unmark() {
        lines.replaceChildren();
        for (const side of [0, 1]) {
            boxes[side].forEach(box => {
                box.setAttribute("fill", "transparent");
                box.setAttribute("stroke", "var(--figure-grid)");
                box.setAttribute("stroke-width", 1);
                box.removeAttribute("stroke-dasharray");
            });
            bars[side].forEach(bar => bar.setAttribute("width", 0));
        }
    }

    function connect(side, i, j, width, opacity) {
        const other = 1 - side;
        add(lines, "line", { x1: columns[side].edge, y1: yOf(side, i), x2: columns[other].edge,
            y2: yOf(other, j), stroke: series(1), "stroke-width": width.toFixed(2),
            "stroke-opacity": opacity.toFixed(2) });
    }

    // While no word is pointed at: all weights, thin.
    function rest() {
        unmark();
        weights.forEach((row, i) => row.forEach((weight, j) => {
            if (weight >= 0.05) connect(1, i, j, 0.5 + 2 * weight, 0.1 + 0.6 * weight);
        }));
        status.textContent = summary();
    }

    function mark(side, i) {
        unmark();
        const other = 1 - side;
        boxes[side][i].setAttribute("stroke", series(1));
        boxes[side][i].setAttribute("stroke-width", 2.5);
        numbersOf(weights, side, i).forEach((weight, j) => {
            if (weight >= 0.01) {
                connect(side, i, j, 1 + 9 * weight, 0.25 + 0.6 * weight);
            }
            const link = side === 1 ? linkOf(j, i) : linkOf(i, j);
            if (link) {
                boxes[other][j].setAttribute("stroke", series(2));
                boxes[other][j].setAttribute("stroke-width", 2.5);
                if (link[2] !== 1) boxes[other][j].setAttribute("stroke-dasharray", "5 4");
            }
        });
        if (drops) {
            numbersOf(drops, side, i).forEach((drop, j) => {
                const length = barLength * Math.min(Math.max(drop, 0), mostDrop) / mostDrop;
                const { bar, way } = columns[other];
                bars[other][j].setAttribute("x", way < 0 ? bar - length : bar);
                bars[other][j].setAttribute("width", length.toFixed(2));
            });
        }
    }

    function largest(numbers) { return numbers.indexOf(Math.max(...numbers)); }

    function told(side, i) {
        const other = words[1 - side];
        const top = numbersOf(weights, side, i);
        const most = largest(top);
        const looks = side === 1 ? `looks most at "${other[most]}", with weight`
                                 : `is looked at most by "${other[most]}", with weight`;
        const linked = sure => other.filter((_, j) => {
            const link = side === 1 ? linkOf(j, i) : linkOf(i, j);
            return link && (link[2] === 1) === sure;
        });
        const listed = (what, list) => list.length ? ` ${what}: ${list.join(", ")}.` : "";
        let harm = "";
        if (drops) {
            const lost = numbersOf(drops, side, i);
            const worst = largest(lost);
            harm = side === 1
                ? ` Deleting "${other[worst]}" costs it most, ${show(lost[worst])}.`
                : ` Deleting it costs "${other[worst]}" most, ${show(lost[worst])}.`;
        }
        return `"${words[side][i]}" ${looks} ${top[most].toFixed(3)}.` +
            listed(data.sure || "Sure", linked(true)) + listed("Possible", linked(false)) + harm;
    }

    function summary() {
        return `${words[0].join(" ")} → ${words[1].join(" ")} (${views[select.value]})`;
    }

    function drawWord(side, i) {
        const column = columns[side];
        const y = yOf(side, i);
        bars[side].push(add(svg, "rect", { x: column.bar, y: y - 5, width: 0, height: 10,
            fill: series(3) }));
        add(svg, "text", { x: column.x + boxWidth / 2, y: y + 4.5, "text-anchor": "middle" },
            words[side][i]);
        const box = add(svg, "rect", { x: column.x, y: y - boxHeight / 2, width: boxWidth,
            height: boxHeight, rx: 3, fill: "transparent", tabindex: 0, "data-hover": "",
            role: "img", "aria-label": told(side, i) });
        const tell = () => { mark(side, i); status.textContent = told(side, i); };
        box.addEventListener("pointerenter", tell);
        box.addEventListener("pointerleave", rest);
        box.addEventListener("focus", tell);
        box.addEventListener("blur", rest);
        boxes[side].push(box);
    }

    function draw() {
        const i = slider.value, v = select.value;
        words = [data[`source_${i}`], data[`target_${i}`]];
        links = data[`links_${i}`] || [];
        weights = data[`weights_${i}_${v}`];
        drops = data[`drops_${i}_${v}`] || null;
        svg.replaceChildren();
        boxes = [[], []];
        bars = [[], []];
        const longest = Math.max(words[0].length, words[1].length);
        svg.setAttribute("viewBox", `0 0 340 ${20 + rowHeight * longest}`);
        lines = add(svg, "g");
        for (const side of [0, 1]) words[side].forEach((_, j) => drawWord(side, j));
        rest();
        output.textContent = String(Number(i) + 1);
        slider.setAttribute("aria-valuetext", `sentence ${Number(i) + 1}; ${summary()}`);
    }

    slider.max = data.n_sentences - 1;
    slider.addEventListener("input", draw);
    select.addEventListener("change", draw);
    draw();
}

document.addEventListener("DOMContentLoaded", () => {
    for (const svg of document.querySelectorAll(".book-widget svg.alignment")) {
        const figure = svg.closest("figure");
        bookAlignment(figure, bookPlot.data(figure.id.replace("widget_", "trained_")));
    }
});
