// The bandwidth of a kernel: data and predicted curve above, leave-one-out error below. It only
// shows rows of tables that the chapter's program computed; nothing is computed here.
"use strict";

(function () {
    const figure = document.getElementById("widget_02_nadaraya_watson_bandwidth");
    const data = bookPlot.data("02_nadaraya_watson_bandwidth");
    if (!figure || !data) return;

    const { add, scale, series, show, ticks, logTicks, path } = bookPlot;
    const { x: dataX, y: dataY, grid, kernels } = data;
    const of = (what, kernel) => data[`${what}_${kernel}`]; // "predictions_gaussian"
    const isNumber = v => v !== null && Number.isFinite(v);
    const range = list => [Math.min(...list), Math.max(...list)];
    const widened = ([low, high]) => [low - 0.05 * (high - low), high + 0.05 * (high - low)];

    const upper = figure.querySelector(".curve");
    const lower = figure.querySelector(".error");
    const slider = figure.querySelector("input");
    const output = figure.querySelector("output");
    const select = figure.querySelector("select");
    const button = figure.querySelector("button");
    const status = figure.querySelector(".status");

    // The steps of the slider: the same for all kernels but for one, the kernel's best bandwidth.
    const steps = () => of("widths", select.value);

    function nearestStep(width) {
        const widths = steps();
        const ratio = i => Math.abs(Math.log(widths[i] / width));
        return widths.reduce((best, _, i) => ratio(i) < ratio(best) ? i : best, 0);
    }

    // What depends on the figure's width and on the kernel: axes, data, the error's curve.
    let moving = {};

    function drawFrame() {
        const kernel = select.value, colour = series(1 + kernels.indexOf(kernel));
        const widths = steps();
        const width = Math.max(260, Math.round(upper.getBoundingClientRect().width));
        const height = width < 420 ? 250 : 320;
        upper.setAttribute("viewBox", `0 0 ${width} ${height}`);
        lower.setAttribute("viewBox", `0 0 ${width} 186`);
        upper.replaceChildren();
        lower.replaceChildren();

        const xRange = range([...dataX, ...grid]), yRange = widened(range(dataY));
        const box = { left: 40, top: 26, right: width - 8, bottom: height - 44 };
        const x = scale(xRange, [box.left, box.right]);
        const y = scale(yRange, [box.bottom, box.top]);
        const xTicks = ticks(...xRange, width < 420 ? 4 : 6);
        bookPlot.axes(upper, box, x, y, xTicks, ticks(...yRange, 5),
            data.x_name || "key", data.y_name || "value");
        const r = dataX.length > 150 ? 2.4 : 3.4;
        dataX.forEach((value, i) => add(upper, "circle", {
            cx: x(value).toFixed(1), cy: y(dataY[i]).toFixed(1), r,
            fill: "var(--figure-muted)", "fill-opacity": 0.6 }));
        const curve = add(upper, "path", { fill: "none", stroke: colour, "stroke-width": 2.6,
            "stroke-linejoin": "round", "stroke-linecap": "round" });

        // Widths far from the best are so much worse that they would flatten the valley: cut.
        const errors = of("loo_error", kernel);
        const least = Math.min(...errors.filter(isNumber));
        const most = Math.min(Math.max(...errors.filter(isNumber)), 2.2 * least);
        const errorRange = [least - 0.08 * (most - least), most];
        const errorBox = { left: 40, top: 26, right: width - 8, bottom: 142 };
        const h = scale(range(widths), [errorBox.left, errorBox.right], true);
        const error = scale(errorRange, [errorBox.bottom, errorBox.top]);
        const hTicks = logTicks(...range(widths));
        bookPlot.axes(lower, errorBox, h, error,
            width < 420 ? hTicks.filter(t => /^0?\.?0*1/.test(String(t))) : hTicks,
            ticks(...errorRange, 3), "bandwidth", "leave-one-out error");
        const shown = errors.map(e => isNumber(e) && e <= most ? e : null);
        add(lower, "path", { d: path(widths, shown, h, error), fill: "none", stroke: colour,
            "stroke-width": 2.2 });
        const best = of("best_width", kernel);
        add(lower, "circle", { cx: h(best), cy: error(errors[nearestStep(best)]), r: 7.5,
            fill: "none", stroke: "var(--figure-ink)", "stroke-width": 1.6 });
        const dot = add(lower, "circle", { r: 4.5, fill: colour });
        moving = { x, y, h, error, errorBox, curve, dot };
        drawStep();
    }

    // What the slider moves.
    function drawStep() {
        const { x, y, h, error, errorBox, curve, dot } = moving;
        const kernel = select.value, step = Number(slider.value), widths = steps();
        const prediction = of("predictions", kernel)[step], e = of("loo_error", kernel)[step];
        curve.setAttribute("d", path(grid, prediction, x, y));
        const inside = isNumber(e) && error(e) >= errorBox.top - 1;
        dot.setAttribute("cx", h(widths[step]));
        dot.setAttribute("cy", inside ? error(e) : errorBox.top);
        dot.setAttribute("opacity", inside ? 1 : 0.4);

        const empty = prediction.filter(v => !isNumber(v)).length;
        const best = show(of("best_width", kernel));
        let words = `Leave-one-out error ${show(e)}; the best bandwidth is ${best}.`;
        if (empty > 0) words += ` No key lies in the window at ${empty} of ${grid.length} points.`;
        output.textContent = show(widths[step]);
        status.textContent = words;
        slider.setAttribute("aria-valuetext", `bandwidth ${show(widths[step])}. ${words}`);
    }

    for (const kernel of kernels) select.add(new Option(kernel, kernel));
    slider.max = steps().length - 1;
    slider.value = nearestStep(of("best_width", kernels[0]));
    slider.addEventListener("input", drawStep);
    select.addEventListener("change", drawFrame);
    button.addEventListener("click", () => {
        slider.value = nearestStep(of("best_width", select.value));
        drawStep();
    });
    drawFrame();

    let drawnWidth = upper.getBoundingClientRect().width;
    window.addEventListener("resize", () => {
        const width = upper.getBoundingClientRect().width;
        if (width !== drawnWidth) { drawnWidth = width; drawFrame(); }
    });
})();
