// Steps through stories that the trained network has read: gates at each sentence, read weights and answer
// if the question came then. All numbers are the program's.
"use strict";

(function () {
    const figure = document.getElementById("widget_10_entity_network_story");
    const data = bookPlot.data("trained_10_entity_network_story");
    if (!figure || !data) return;

    const { add, series } = bookPlot;
    const svg = figure.querySelector(".story");
    const status = figure.querySelector(".status");
    const n = data.n_sentences, slots = data.slots;
    const left = 246, width = 56, height = 28, top = 26;
    let story = 0, told = 1;

    function text(x, y, content, anchor) {
        add(svg, "text", { x, y, "text-anchor": anchor, fill: "currentColor", "font-size": 15 })
            .textContent = content;
    }

    // A row: what is said, and a cell for each slot, the darker the larger.
    function row(at, label, weights, words) {
        const y = top + at * height;
        text(6, y + 19, label, "start");
        weights.forEach((weight, j) => {
            const name = `${label} ${slots[j]}: ${words} ${weight.toFixed(2)}.`;
            const x = left + j * width;
            add(svg, "rect", { x, y: y + 2, width: width - 4, height: height - 4, fill: series(2),
                "fill-opacity": (0.85 * weight).toFixed(3), stroke: "var(--figure-ink)", "stroke-width": 0.6,
                role: "img", "aria-label": name });
            text(x + width / 2 - 2, y + 19, weight.toFixed(2), "middle");
        });
    }

    function show() {
        svg.replaceChildren();
        slots.forEach((name, j) => text(left + j * width + width / 2 - 2, 18, name, "middle"));
        for (let t = 0; t < told; ++t) {
            row(t, data.sentences[story * n + t], data.numbers[story * n + t].slice(0, slots.length), "gate");
        }
        const now = story * n + told - 1;
        row(n + 1, data.questions[story], data.numbers[now].slice(slots.length, 2 * slots.length), "weight");
        const probability = data.numbers[now][2 * slots.length];
        status.textContent = `After ${told} of ${n} sentences: in the ${data.answers[now]}, with probability ` +
            `${probability.toFixed(2)}.`;
    }

    const go = (toStory, toTold) => {
        story = toStory % data.questions.length;
        told = Math.min(Math.max(toTold, 1), n);
        show();
    };
    figure.querySelector(".next").addEventListener("click", () => go(story, told + 1));
    figure.querySelector(".back").addEventListener("click", () => go(story, told - 1));
    figure.querySelector(".other").addEventListener("click", () => go(story + 1, 1));
    show();
})();
