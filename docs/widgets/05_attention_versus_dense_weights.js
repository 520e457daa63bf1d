// The weights over time of a chosen sequence as bars, for the layer with and without a tanh. It
// only shows rows of tables that the chapter's program computed; nothing is computed here.
"use strict";

(function () {
    const figure = document.getElementById("widget_05_attention_versus_dense_weights");
    const data = bookPlot.data("trained_05_weights");
    if (!figure || !data) return;

    const { add, scale, series, show, axes } = bookPlot;
    const { models, places, targets } = data;
    const slider = figure.querySelector("input");
    const output = figure.querySelector("output");
    const select = figure.querySelector("select");
    const status = figure.querySelector(".status");
    const svg = figure.querySelector(".weights");

    const nSteps = data.weights_0[0].length;
    const box = { left: 40, right: 334, top: 26, bottom: 184 };
    const x = scale([0.5, nSteps + 0.5], [box.left, box.right]);
    const y = scale([0, 1], [box.bottom, box.top]);
    axes(svg, box, x, y, [1, 5, 10, 15, 20], [0, 0.5, 1], "step", "weight");

    // A bar for each step, and over the whole height a pane that can be pointed at.
    const barWidth = 0.7 * (x(2) - x(1));
    const bars = Array.from({ length: nSteps }, (_, t) => add(svg, "rect",
        { x: x(t + 1) - barWidth / 2, width: barWidth, fill: series(1) }));
    const panes = bars.map((_, t) => add(svg, "rect", { x: x(t + 0.5), y: box.top,
        width: x(2) - x(1), height: box.bottom - box.top, fill: "transparent",
        tabindex: 0, "data-hover": "", role: "img" }));

    const sample = () => Number(slider.value);
    const weights = () => data[`weights_${select.value}`][sample()];
    const isMarked = t => t + 1 === places[sample()];
    const wordsOf = t => `Step ${t + 1}${isMarked(t) ? ", the marked one" : ""}: weight ` +
        `${weights()[t].toFixed(3)}.`;

    function summary() {
        const place = places[sample()];
        const answer = data[`answers_${select.value}`][sample()][0];
        return `Step ${place} is marked, its weight is ${weights()[place - 1].toFixed(3)}. ` +
            `Asked for ${show(targets[sample()][0])}, answered ${show(answer)}.`;
    }

    const colour = t => series(isMarked(t) ? 2 : 1);

    function draw() {
        weights().forEach((weight, t) => {
            bars[t].setAttribute("y", y(weight).toFixed(2));
            bars[t].setAttribute("height", (box.bottom - y(weight)).toFixed(2));
            bars[t].setAttribute("fill", colour(t));
            panes[t].setAttribute("aria-label", wordsOf(t));
        });
        output.textContent = String(sample() + 1);
        status.textContent = summary();
        slider.setAttribute("aria-valuetext", `sequence ${sample() + 1}; ${summary()}`);
    }

    panes.forEach((pane, t) => {
        const tell = () => {
            bars[t].setAttribute("fill", series(3));
            status.textContent = wordsOf(t);
        };
        const untell = () => {
            bars[t].setAttribute("fill", colour(t));
            status.textContent = summary();
        };
        pane.addEventListener("pointerenter", tell);
        pane.addEventListener("pointerleave", untell);
        pane.addEventListener("focus", tell);
        pane.addEventListener("blur", untell);
    });

    models.forEach((name, i) => select.add(new Option(name, String(i))));
    slider.max = places.length - 1;
    slider.value = 0;
    slider.addEventListener("input", draw);
    select.addEventListener("input", draw);
    draw();
})();
