// The weights of attention alone at each lag, for one of 32 rows of the switched series. It only
// shows rows of tables that the chapter's program computed; nothing is computed here.
"use strict";

(function () {
    const figure = document.getElementById("widget_06_recurrent_attention_lags");
    const data = bookPlot.data("trained_06_recurrent_attention_lags");
    if (!figure || !data) return;

    const { add, scale, series, show, axes } = bookPlot;
    const slider = figure.querySelector("input");
    const output = figure.querySelector("output");
    const status = figure.querySelector(".status");
    const svg = figure.querySelector(".weights");

    const nLags = data.weights[0].length;
    const box = { left: 40, right: 334, top: 26, bottom: 184 };
    const x = scale([0.5, nLags + 0.5], [box.left, box.right]);
    const y = scale([0, 1], [box.bottom, box.top]);
    axes(svg, box, x, y, [1, 3, 6, 9, 12, 16], [0, 0.5, 1], "lag", "weight");

    // A bar for each lag, and over the whole height a pane that can be pointed at.
    const barWidth = 0.7 * (x(2) - x(1));
    const bars = Array.from({ length: nLags }, (_, j) => add(svg, "rect",
        { x: x(j + 1) - barWidth / 2, width: barWidth, fill: series(1) }));
    const panes = bars.map((_, j) => add(svg, "rect", { x: x(j + 0.5), y: box.top,
        width: x(2) - x(1), height: box.bottom - box.top, fill: "transparent",
        tabindex: 0, "data-hover": "", role: "img" }));

    const chosen = () => Number(slider.value);
    const weights = () => data.weights[chosen()];
    const wordsOf = j => `Lag ${j + 1}: weight ${weights()[j].toFixed(3)}; there x1 was ` +
        `${show(data.x1[chosen()][j])} and z was ${data.switches[chosen()][j]}.`;

    function summary() {
        const largest = weights().indexOf(Math.max(...weights()));
        return `z is ${data.z[chosen()]}; the largest weight, ${weights()[largest].toFixed(3)}, ` +
            `is at lag ${largest + 1}. Forecast ${show(data.forecast[chosen()])}, ` +
            `what came ${show(data.truth[chosen()])}.`;
    }

    function draw() {
        weights().forEach((weight, j) => {
            bars[j].setAttribute("y", y(weight).toFixed(2));
            bars[j].setAttribute("height", (box.bottom - y(weight)).toFixed(2));
            panes[j].setAttribute("aria-label", wordsOf(j));
        });
        output.textContent = String(chosen() + 1);
        status.textContent = summary();
        slider.setAttribute("aria-valuetext", `row ${chosen() + 1}; ${summary()}`);
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

    slider.max = data.weights.length - 1;
    slider.addEventListener("input", draw);
    draw();
})();
