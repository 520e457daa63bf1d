// The temperature of a softmax: bars for the weights, a triangle for the values. It only shows
// rows of tables that the chapter's program computed; nothing is computed here.
"use strict";

(function () {
    const figure = document.getElementById("widget_01_lookup_temperature");
    const data = bookPlot.data("01_lookup_temperature");
    if (!figure || !data) return;

    const { add, scale, series, show } = bookPlot;
    const { temperatures, weights, contexts, values, keys } = data;
    const labels = data.key_labels;
    const point = p => `(${p.map(show).join(", ")})`;

    // Bars, one row a key.
    const bars = figure.querySelector(".weights");
    const left = 92, right = 248, rowHeight = 48, top = 34;
    const width = scale([0, 1], [0, right - left]);
    add(bars, "text", { x: left, y: 14 }, `weights for the query ${point(data.query)}`)
        .setAttribute("text-anchor", "start");
    const rows = labels.map((label, j) => {
        const y = top + j * rowHeight;
        add(bars, "text", { x: left - 8, y: y + 14, "text-anchor": "end" }, label);
        add(bars, "text", { x: left - 8, y: y + 29, "text-anchor": "end", opacity: 0.8 },
            point(keys[j]));
        add(bars, "rect", { x: left, y, width: right - left, height: 30, rx: 2,
            fill: "var(--figure-grid)", opacity: 0.35 });
        return {
            bar: add(bars, "rect", { x: left, y, height: 30, rx: 2, fill: series(j + 1) }),
            number: add(bars, "text", { x: right + 8, y: y + 20 })
        };
    });

    // The values' polygon; x and y have the same unit.
    const plane = figure.querySelector(".values");
    const xs = values.map(v => v[0]), ys = values.map(v => v[1]);
    const middle = list => (Math.min(...list) + Math.max(...list)) / 2;
    const extent = list => Math.max(...list) - Math.min(...list);
    const span = Math.max(extent(xs), extent(ys)) || 1;
    const x = v => 150 + (v - middle(xs)) * 185 / span;
    const y = v => 122 - (v - middle(ys)) * 185 / span;
    const place = p => `${x(p[0]).toFixed(2)},${y(p[1]).toFixed(2)}`;
    add(plane, "polygon", { points: values.map(place).join(" "), fill: "var(--figure-grid)",
        "fill-opacity": 0.25, stroke: "var(--figure-grid)", "stroke-width": 1 });
    const spokes = values.map((_, j) =>
        add(plane, "line",
            { stroke: series(j + 1), "stroke-linecap": "round", opacity: 0.75 }));
    add(plane, "polyline", { points: contexts.map(place).join(" "), fill: "none",
        stroke: "var(--figure-muted)", "stroke-width": 1.5, "stroke-dasharray": "3 3" });
    values.forEach((value, j) => {
        const below = value[1] < middle(ys);
        add(plane, "circle", { cx: x(value[0]), cy: y(value[1]), r: 6, fill: series(j + 1) });
        add(plane, "text", { x: x(value[0]), y: y(value[1]) + (below ? 25 : -13),
            "text-anchor": "middle" }, `value ${j + 1}`);
    });
    const context = add(plane, "circle", { r: 7, fill: "var(--figure-ink)",
        stroke: "var(--page-background-color)", "stroke-width": 2 });

    const slider = figure.querySelector("input");
    const output = figure.querySelector("output");
    const status = figure.querySelector(".status");

    function draw() {
        const step = Number(slider.value);
        const c = contexts[step];
        rows.forEach((row, j) => {
            row.bar.setAttribute("width", width(weights[step][j]).toFixed(2));
            row.number.textContent = weights[step][j].toFixed(3);
            const line = spokes[j];
            line.setAttribute("x1", x(c[0])); line.setAttribute("y1", y(c[1]));
            line.setAttribute("x2", x(values[j][0])); line.setAttribute("y2", y(values[j][1]));
            line.setAttribute("stroke-width", (7 * weights[step][j]).toFixed(2));
        });
        context.setAttribute("cx", x(c[0]));
        context.setAttribute("cy", y(c[1]));
        output.textContent = show(temperatures[step]);
        const words = labels.map((label, j) => `${label} ${weights[step][j].toFixed(3)}`)
            .join(", ");
        const answer = `(${c.map(v => v.toFixed(2)).join(", ")})`;
        status.textContent = `The context is ${answer}.`;
        slider.setAttribute("aria-valuetext",
            `temperature ${show(temperatures[step])}; weights: ${words}; context ${answer}`);
    }

    slider.max = temperatures.length - 1;
    let start = temperatures.findIndex(t => t >= 0.5);
    if (start < 0) start = Math.floor(temperatures.length / 2);
    slider.value = start;
    slider.addEventListener("input", draw);
    draw();
})();
