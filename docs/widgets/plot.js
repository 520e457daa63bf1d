// What the interactive figures share: data, scales, SVG elements, axes. Plain JavaScript that
// works from file://; colours are the CSS variables of theme/book.css, so light and dark need
// no code.
"use strict";

const bookPlot = {
    /// What a program wrote into `<name>.data.js`, or null.
    data(name) {
        return (window.bookData || {})[name] || null;
    },

    /// A new SVG element inside `parent`. Attributes that are null are left out.
    add(parent, tag, attributes = {}, text = "") {
        const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [name, value] of Object.entries(attributes)) {
            if (value !== null) element.setAttribute(name, value);
        }
        if (text !== "") element.textContent = text;
        parent.appendChild(element);
        return element;
    },

    /// The CSS colour of the n-th series, n = 1..6, as in the book's other figures.
    series(n) { return `var(--figure-series-${1 + (n - 1) % 6})`; },

    /// Maps [d0, d1] to [r0, r1], evenly or, with `log`, by ratios.
    scale([d0, d1], [r0, r1], log = false) {
        const f = log ? Math.log : x => x;
        return x => r0 + (r1 - r0) * (f(x) - f(d0)) / (f(d1) - f(d0));
    },

    /// About `n` round numbers within [low, high].
    ticks(low, high, n) {
        const rough = (high - low) / n;
        const power = 10 ** Math.floor(Math.log10(rough));
        const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough);
        const result = [];
        for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step; ++i) {
            result.push(Number((i * step).toPrecision(12)));
        }
        return result;
    },

    /// The numbers 1, 2, 5 times a power of ten within [low, high].
    logTicks(low, high) {
        const result = [];
        for (let p = Math.floor(Math.log10(low)); p <= Math.log10(high); ++p) {
            for (const m of [1, 2, 5]) {
                const value = Number((m * 10 ** p).toPrecision(3));
                if (value >= low * 0.999 && value <= high * 1.001) result.push(value);
            }
        }
        return result;
    },

    /// Axes below and left of the rectangle {left, top, right, bottom} with their names.
    axes(svg, box, x, y, xTicks, yTicks, xName, yName) {
        const add = bookPlot.add;
        const ink = { stroke: "var(--figure-ink)", "stroke-width": 1, fill: "none" };
        for (const t of yTicks) {
            add(svg, "line", { x1: box.left, x2: box.right, y1: y(t), y2: y(t),
                stroke: "var(--figure-grid)", "stroke-width": 1 });
            add(svg, "text", { x: box.left - 7, y: y(t) + 4.5, "text-anchor": "end" },
                String(t));
        }
        for (const t of xTicks) {
            add(svg, "line",
                { x1: x(t), x2: x(t), y1: box.bottom, y2: box.bottom + 4, ...ink });
            add(svg, "text", { x: x(t), y: box.bottom + 18, "text-anchor": "middle" },
                String(t));
        }
        add(svg, "path", { d: `M${box.left},${box.top}V${box.bottom}H${box.right}`, ...ink });
        add(svg, "text", { x: (box.left + box.right) / 2, y: box.bottom + 38,
            "text-anchor": "middle" }, xName);
        add(svg, "text", { x: 0, y: box.top - 11, "text-anchor": "start" }, yName);
    },

    /// A path through the points whose ordinate is a number; it breaks where it is null.
    path(xs, ys, x, y) {
        let d = "", pen = "M";
        ys.forEach((value, i) => {
            if (value === null || !Number.isFinite(value)) { pen = "M"; return; }
            d += pen + x(xs[i]).toFixed(2) + "," + y(value).toFixed(2);
            if (pen === "M") d += "h0"; // so that a point between two gaps is a dot
            pen = "L";
        });
        return d || "M0,0";
    },

    /// Three significant digits, without an exponent where it can be avoided.
    show(value) {
        if (value === null || !Number.isFinite(value)) return "none";
        const rounded = Number(value.toPrecision(3));
        const plain = Math.abs(rounded) >= 1e-4 || rounded === 0;
        return plain ? String(rounded) : rounded.toExponential(1);
    }
};
