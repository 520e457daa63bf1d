// The root of d: the weights of one query over 16 keys as bars, for a size and a score. It only
// shows rows of tables that the chapter's program computed; nothing is computed here.
"use strict";

(function () {
    const figure = document.getElementById("widget_03_scoring_functions_root");
    const data = bookPlot.data("03_scoring_functions_root");
    if (!figure || !data) return;

    const { add, scale, series, show, axes } = bookPlot;
    const { sizes } = data;
    const slider = figure.querySelector("input");
    const output = figure.querySelector("output");
    const select = figure.querySelector("select");
    const status = figure.querySelector(".status");
    const svg = figure.querySelector(".weights");

    const nKeys = data.plain_weights[0].length;
    const box = { left: 40, right: 334, top: 26, bottom: 184 };
    const x = scale([0.5, nKeys + 0.5], [box.left, box.right]);
    const y = scale([0, 1], [box.bottom, box.top]);
    axes(svg, box, x, y, [1, 4, 8, 12, 16], [0, 0.5, 1], "key", "weight");

    // A bar for each key, and over the whole height a pane that can be pointed at.
    const barWidth = 0.7 * (x(2) - x(1));
    const bars = Array.from({ length: nKeys }, (_, j) => add(svg, "rect",
        { x: x(j + 1) - barWidth / 2, width: barWidth, fill: series(1) }));
    const panes = bars.map((_, j) => add(svg, "rect", { x: x(j + 0.5), y: box.top,
        width: x(2) - x(1), height: box.bottom - box.top, fill: "transparent",
        tabindex: 0, "data-hover": "", role: "img" }));

    const row = what => data[`${select.value}_${what}`][Number(slider.value)];
    const wordsOf = j =>
        `Key ${j + 1}: score ${show(row("scores")[j])}, weight ${row("weights")[j].toFixed(3)}.`;

    function summary() {
        const largest = row("weights").indexOf(Math.max(...row("weights")));
        return `The largest weight is ${row("weights")[largest].toFixed(3)}, of key ` +
            `${largest + 1}. The scores lie between ${show(Math.min(...row("scores")))} and ` +
            `${show(Math.max(...row("scores")))}.`;
    }

    function draw() {
        row("weights").forEach((weight, j) => {
            bars[j].setAttribute("y", y(weight).toFixed(2));
            bars[j].setAttribute("height", (box.bottom - y(weight)).toFixed(2));
            panes[j].setAttribute("aria-label", wordsOf(j));
        });
        const d = sizes[Number(slider.value)];
        output.textContent = show(d);
        status.textContent = summary();
        slider.setAttribute("aria-valuetext", `d = ${show(d)}; ${summary()}`);
    }

    panes.forEach((pane, j) => {
        const tell = () => {
            bars.forEach((bar, l) => bar.setAttribute("fill", series(l === j ? 2 : 1)));
            status.textContent = wordsOf(j);
        };
        const untell = () => {
            bars[j].setAttribute("fill", series(1));
            status.textContent = summary();
        };
        pane.addEventListener("pointerenter", tell);
        pane.addEventListener("pointerleave", untell);
        pane.addEventListener("focus", tell);
        pane.addEventListener("blur", untell);
    });

    slider.max = sizes.length - 1;
    slider.value = Math.max(0, sizes.indexOf(64));
    slider.addEventListener("input", draw);
    select.addEventListener("input", draw);
    draw();
})();
