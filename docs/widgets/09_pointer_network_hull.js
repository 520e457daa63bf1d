// The hull that the trained pointer network points at, for points that the reader sets. The network is
// computed here, with the weights that the chapter's program wrote; beside them it wrote twenty lists with
// its answers, and a difference from those is counted in the figure's data-disagreements.
"use strict";

(function () {
    const figure = document.getElementById("widget_09_pointer_network_hull");
    const data = bookPlot.data("trained_09_pointer_network_hull");
    if (!figure || !data) return;

    // ------------------------------------------------------------------ the network
    const sigmoid = x => 1 / (1 + Math.exp(-x));
    const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

    // x W + b, with W as rows of its inputs.
    function linear(x, weight, bias) {
        const y = bias ? bias.slice() : new Array(weight[0].length).fill(0);
        x.forEach((entry, i) => weight[i].forEach((w, j) => { y[j] += entry * w; }));
        return y;
    }

    function lstm(x, { h, c }) {
        const a = linear(x, data["decoder.weight_ih_l0"], data["decoder.bias_ih_l0"][0]);
        linear(h, data["decoder.weight_hh_l0"], data["decoder.bias_hh_l0"][0])
            .forEach((entry, j) => { a[j] += entry; });
        const size = h.length;
        const gate = (k, f) => a.slice(k * size, (k + 1) * size).map(f);
        const [i, f, g, o] = [gate(0, sigmoid), gate(1, sigmoid), gate(2, Math.tanh), gate(3, sigmoid)];
        const cell = c.map((entry, j) => f[j] * entry + i[j] * g[j]);
        return { h: cell.map((entry, j) => o[j] * Math.tanh(entry)), c: cell };
    }

    function encode(element) {
        const inner = linear(element, data["encoder.0.weight"], data["encoder.0.bias"][0]).map(Math.tanh);
        return linear(inner, data["encoder.2.weight"], data["encoder.2.bias"][0]);
    }

    // The positions that are pointed at, and the weights of each step.
    function pointAt(points) {
        const elements = [[-1, -1], ...points]; // the stop symbol is element 0
        const vectors = elements.map(encode);
        const keys = vectors.map(e => linear(e, data["score.W_k"]));
        const w = data["score.w"].map(row => row[0]);
        const mean = vectors[0].map((_, j) => vectors.reduce((sum, e) => sum + e[j], 0) / vectors.length);
        let state = { h: mean, c: mean.map(() => 0) };
        let read = data.first[0];
        const chosen = [], steps = [];
        for (let step = 0; step < elements.length; ++step) {
            state = lstm(read, state);
            const query = linear(state.h, data["score.W_q"]);
            const scores = keys.map((key, j) => chosen.includes(j) ? -Infinity
                : dot(w, key.map((entry, i) => Math.tanh(query[i] + entry))));
            const largest = Math.max(...scores);
            const powers = scores.map(score => Math.exp(score - largest));
            const sum = powers.reduce((a, b) => a + b, 0);
            const best = scores.indexOf(largest);
            if (best === 0) break;
            chosen.push(best);
            steps.push(powers.map(power => power / sum));
            read = elements[best];
        }
        return { order: chosen.map(j => j - 1), steps };
    }

    figure.dataset.disagreements = String(data.tested_points.filter((row, k) => {
        const points = Array.from({ length: row.length / 2 }, (_, j) => row.slice(2 * j, 2 * j + 2));
        return pointAt(points).order.join(" ") !== data.tested_answers[k];
    }).length);

    // ------------------------------------------------------------------ the hull, to compare with
    function hull(points) {
        const order = points.map((_, i) => i)
            .sort((a, b) => points[a][0] - points[b][0] || points[a][1] - points[b][1]);
        const half = list => {
            const found = [];
            for (const next of list) {
                const turn = () => {
                    const [a, b, c] = [found.at(-2), found.at(-1), next].map(i => points[i]);
                    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
                };
                while (found.length > 1 && turn() <= 0) found.pop();
                found.push(next);
            }
            return found.slice(0, -1);
        };
        return [...half(order), ...half(order.slice().reverse())];
    }

    // ------------------------------------------------------------------ the figure
    const { add, scale, series } = bookPlot;
    const svg = figure.querySelector(".points");
    const status = figure.querySelector(".status");
    const box = { left: 12, right: 328, top: 12, bottom: 328 };
    const x = scale([0, 1], [box.left, box.right]);
    const y = scale([0, 1], [box.bottom, box.top]);
    const least = 3, most = 20;

    let seed = 9;
    const random = () => { // a small generator, so that everybody sees the same points
        seed = (1103515245 * seed + 12345) % 2147483648;
        return seed / 2147483648;
    };
    const draw = n => Array.from({ length: n }, () => [random(), random()]);
    let points = draw(8);

    const polygon = (order, attributes) => add(svg, "polygon", { fill: "none", ...attributes,
        points: order.map(i => `${x(points[i][0]).toFixed(1)},${y(points[i][1]).toFixed(1)}`).join(" ") });

    function show() {
        const { order, steps } = pointAt(points);
        const right = hull(points);
        svg.replaceChildren();
        add(svg, "rect", { x: box.left, y: box.top, width: box.right - box.left,
            height: box.bottom - box.top, fill: "transparent", stroke: "var(--figure-ink)" });
        polygon(right, { stroke: series(1), "stroke-width": 7, opacity: 0.45 });
        polygon(order, { stroke: series(2), "stroke-width": 2, "stroke-dasharray": "6 4" });
        const same = order.join() === right.join();
        const summary = `${points.length} points, ${right.length} corners; the answer has ` +
            `${order.length} and is ${same ? "the hull" : "not the hull"}.`;
        points.forEach((point, i) => {
            const step = order.indexOf(i);
            const words = step < 0 ? `Point ${i + 1} is not pointed at.`
                : `Step ${step + 1} points here, with weight ${steps[step][i + 1].toFixed(3)}.`;
            const dotted = add(svg, "circle", { cx: x(point[0]).toFixed(1), cy: y(point[1]).toFixed(1),
                r: 7, fill: series(step < 0 ? 1 : 2), "data-hover": "", tabindex: 0, role: "img",
                "aria-label": words });
            for (const on of ["pointerenter", "focus"]) {
                dotted.addEventListener(on, () => { status.textContent = words; });
            }
            for (const off of ["pointerleave", "blur"]) {
                dotted.addEventListener(off, () => { status.textContent = summary; });
            }
            dotted.addEventListener("click", event => {
                event.stopPropagation();
                if (points.length > least) change(points.filter((_, k) => k !== i));
            });
        });
        status.textContent = summary;
    }

    function change(to) {
        points = to.slice(0, most);
        show();
    }

    svg.addEventListener("click", event => {
        const place = new DOMPoint(event.clientX, event.clientY)
            .matrixTransform(svg.getScreenCTM().inverse());
        const at = [(place.x - box.left) / (box.right - box.left),
            (box.bottom - place.y) / (box.bottom - box.top)];
        if (at.every(entry => entry >= 0 && entry <= 1)) change([...points, at]);
    });
    figure.querySelector(".draw").addEventListener("click", () => change(draw(points.length)));
    figure.querySelector(".more").addEventListener("click", () => change([...points, ...draw(1)]));
    figure.querySelector(".fewer").addEventListener("click",
        () => { if (points.length > least) change(points.slice(0, -1)); });
    show();
})();
