// The attention explorer: every head of a model over one text, one head large, one query
// against one key. It shows what common/program/explorer.hpp wrote, which says how;
// scores, their softmax and products are computed here, and compared with the written weights.
// It needs no other script, and fills each figure of the class "explorer" that has a line of
// the class "status", with the data trained_NAME of the figure widget_NAME.
"use strict";

function bookExplorer(figure, data) {
    if (!figure || !data) return;

    // ------------------------------------------------------------------------ the numbers
    const valueOf = new Uint8Array(128);
    Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        .forEach((digit, value) => { valueOf[digit.charCodeAt(0)] = value; });
    function numbers(text, n, zero, unit) {
        const list = new Float32Array(n); // what is left out is 0
        for (let k = 0; 2 * k < text.length; ++k) {
            list[k] = unit * (64 * valueOf[text.charCodeAt(2 * k)] +
                              valueOf[text.charCodeAt(2 * k + 1)] - zero);
        }
        return list;
    }
    const shownWord = word => word.replace(/ /g, "\u2423").replace(/\n/g, "\u23ce") || "\u2205";
    function attention(name, a) {
        const queryWords = data[`query_words_${a}`].map(shownWord);
        const keyWords = data[`key_words_${a}`].map(shownWord);
        const nQueries = queryWords.length, nKeys = keyWords.length;
        const rows = data[`weights_${a}`].map(text => numbers(text, nKeys, 0, 1 / 4095));
        const vectors = (what, n, h) => {
            const texts = data[`${what}_${a}`];
            if (!texts) return null;
            const width = texts[h].length / 2 / n;
            const all = numbers(texts[h], n * width, 2048, data[`${what}_units_${a}`][h]);
            return Array.from({ length: n },
                (_, k) => all.subarray(k * width, (k + 1) * width));
        };
        const heads = Array.from({ length: rows.length / nQueries }, (_, h) => ({
            weights: rows.slice(h * nQueries, (h + 1) * nQueries),
            queries: vectors("queries", nQueries, h), keys: vectors("keys", nKeys, h)
        }));
        const words = [keyWords, queryWords];
        return { name, words, heads, causal: data[`causal_${a}`] === 1,
            drops: data[`drops_${a}`] || null };
    }
    const attentions = data.names.map(attention);

    const sum = (list, of) => list.reduce((total, value, k) => total + of(value, k), 0);
    const scoreOf = (q, k) => sum(q, (value, n) => value * k[n]) / Math.sqrt(q.length);
    const nAttended = (one, i) => one.causal ? i + 1 : one.words[0].length;
    const scoresOf = (one, head, i) =>
        head.keys.slice(0, nAttended(one, i)).map(key => scoreOf(head.queries[i], key));
    const largest = list => list.indexOf(Math.max(...list));
    function softmax(scores) {
        const most = Math.max(...scores), powers = scores.map(s => Math.exp(s - most));
        const total = sum(powers, p => p);
        return powers.map(p => p / total);
    }
    // The numbers are rounded, so the weights of the program come out nearly.
    let nWrong = 0;
    for (const one of attentions) for (const head of one.heads.filter(h => h.queries)) {
        head.weights.forEach((row, i) => {
            const computed = softmax(scoresOf(one, head, i));
            if (computed.some((weight, k) => Math.abs(weight - row[k]) > 0.03)) ++nWrong;
        });
    }
    figure.dataset.disagreements = nWrong;

    // ------------------------------------------------------------------------ the elements
    function add(parent, tag, attributes = {}, text = "") {
        const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [name, value] of Object.entries(attributes)) {
            element.setAttribute(name, value);
        }
        element.textContent = text;
        return parent.appendChild(element);
    }
    const colour = n => `var(--figure-series-${n})`;
    const status = figure.querySelector(".status");
    const grid = document.createElement("canvas"), panels = document.createElement("div");
    status.before(grid, panels);
    grid.className = "grid";
    grid.tabIndex = 0;
    grid.setAttribute("role", "img");
    grid.style.cssText = "display: block; width: 100%; margin-bottom: .6rem; cursor: pointer";
    panels.className = "panels";
    panels.style.alignItems = "flex-start";
    status.setAttribute("aria-live", "polite");
    status.style.cssText = "position: sticky; bottom: 0; padding: .3rem 0; min-height: 3em; " +
        "background: var(--page-background-color)";
    const words = add(panels, "svg", { class: "words", role: "group",
        "aria-label": "Keys left, queries right, and the weights between them" });
    const pair = add(panels, "svg", { class: "pair", role: "group",
        "aria-label": "One query and one key, the scores of all keys and their softmax" });

    // ------------------------------------------------------------------ what is being shown
    let a = 0, h = 0, i = 0, j = 0, dimension = -1;
    const one = () => attentions[a], head = () => one().heads[h];
    function describe(quoted = [one().words[1][i], one().words[0][j]]) {
        const [query, key] = quoted.map(word => `"${word}"`);
        const weight = head().weights[i][j];
        let text = `${one().name}, head ${h + 1}: ${query} attends to ${key} with weight ` +
            `${weight.toFixed(3)}.`;
        if (j >= nAttended(one(), i)) {
            text = `${one().name}, head ${h + 1}: ${key} comes after ${query} and is masked.`;
        } else if (head().queries) {
            text += ` Score ${scoreOf(head().queries[i], head().keys[j]).toFixed(2)}.`;
        }
        const drop = one().drops && one().drops[i][j];
        if (Number.isFinite(drop) && drop !== null) {
            text += ` Without ${key} the ln p of ${query} is ${Math.abs(drop).toFixed(2)} ` +
                `${drop < 0 ? "higher" : "lower"}.`;
        }
        if (dimension >= 0) {
            const q = head().queries[i][dimension], k = head().keys[j][dimension];
            text += ` Number ${dimension + 1}: ${q.toFixed(3)} \u00b7 ${k.toFixed(3)} = ` +
                `${(q * k).toFixed(3)}.`;
        }
        return text;
    }

    // ---------------------------------------------------------------------- all heads, small
    const nMost = Math.max(...attentions.map(each => each.heads.length)), band = 15;
    let cell = 40;
    function map(each, of) {
        if (of.map) return of.map;
        const nQueries = each.words[1].length, nKeys = each.words[0].length;
        const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
        [canvas.width, canvas.height] = [nKeys, nQueries];
        const image = context.createImageData(nKeys, nQueries);
        of.weights.forEach((row, y) => row.forEach((weight, x) => {
            image.data[4 * (y * nKeys + x) + 3] = 20 + 235 * weight;
        }));
        context.putImageData(image, 0, 0);
        return of.map = canvas;
    }
    function drawGrid() {
        const ratio = window.devicePixelRatio || 1, width = grid.clientWidth || 320;
        const style = getComputedStyle(figure);
        const variable = name => style.getPropertyValue(name).trim();
        cell = Math.min(96, Math.floor((width - 2) / nMost));
        const height = (cell + band) * attentions.length + 2;
        grid.width = width * ratio;
        grid.height = height * ratio;
        grid.style.height = height + "px";
        const context = grid.getContext("2d");
        context.scale(ratio, ratio);
        attentions.forEach((each, y) => each.heads.forEach((of, x) => {
            const image = map(each, of);
            context.imageSmoothingEnabled = image.width > cell * ratio;
            context.drawImage(image, x * cell + 2, y * (cell + band) + band,
                cell - 3, cell - 3);
        }));
        context.globalCompositeOperation = "source-in"; // maps are as opaque as weights
        context.fillStyle = variable("--figure-series-1");
        context.fillRect(0, 0, width, height);
        context.globalCompositeOperation = "source-over";
        context.fillStyle = context.strokeStyle = variable("--figure-ink");
        context.font = "11px sans-serif";
        attentions.forEach((each, y) => context.fillText(each.name, 2, y * (cell + band) + 11));
        context.lineWidth = 2;
        context.strokeRect(h * cell + 1, a * (cell + band) + band - 1, cell - 1, cell - 1);
    }
    function placeIn(event) {
        const box = grid.getBoundingClientRect(), pitch = cell + band;
        const x = event.clientX - box.left - 2, y = event.clientY - box.top;
        const [row, column] = [Math.floor(y / pitch), Math.floor(x / cell)];
        const each = attentions[row], part = (y - row * pitch - band) / (cell - 3);
        if (!each || column < 0 || column >= each.heads.length || part < 0) return null;
        const at = (share, n) => Math.max(0, Math.min(n - 1, Math.floor(share * n)));
        return { a: row, h: column, i: at(part, each.words[1].length),
            j: at((x - column * cell) / (cell - 3), each.words[0].length) };
    }
    grid.addEventListener("pointermove", event => {
        const place = placeIn(event), kept = [a, h, i, j];
        if (place) ({ a, h, i, j } = place);
        status.textContent = describe();
        [a, h, i, j] = kept;
    });
    grid.addEventListener("pointerleave", () => { status.textContent = describe(); });
    grid.addEventListener("click", event => {
        const place = placeIn(event);
        if (place) select(place.a, place.h, place.i, place.j);
    });
    grid.addEventListener("keydown", event => {
        const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1],
            ArrowRight: [0, 1] }[event.key] || [0, 0];
        if (down === 0 && right === 0) return;
        event.preventDefault();
        const y = Math.max(0, Math.min(attentions.length - 1, a + down));
        select(y, Math.max(0, Math.min(attentions[y].heads.length - 1, h + right)), i);
    });

    // ------------------------------------------------------------- one head, between the words
    let lines = [], boxes = [[], []], bars = [];
    function buildWords() {
        const n = one().words.map(list => list.length), longest = Math.max(...n);
        const pitch = longest <= 26 ? 20 : 14, size = pitch === 20 ? 12.5 : 10.5;
        const left = one().drops ? 30 : 2, width = 104;
        const yOf = (side, k) => 26 + pitch * (k + (longest - n[side]) / 2);
        words.replaceChildren();
        words.setAttribute("viewBox", `0 0 340 ${24 + pitch * longest}`);
        add(words, "text", { x: left, y: 11 }, "keys");
        add(words, "text", { x: 338, y: 11, "text-anchor": "end" }, "queries");
        lines = one().words[0].map((_, k) => add(words, "line", { x1: left + width,
            y1: yOf(0, k), x2: 338 - width, stroke: colour(1) }));
        bars = !one().drops ? [] : one().words[0].map((_, k) => add(words, "rect", {
            y: yOf(0, k) - pitch / 4, height: pitch / 2, fill: colour(3) }));
        boxes = one().words.map((list, side) => list.map((word, k) => {
            const x = side === 0 ? left : 338 - width;
            const group = add(words, "g", { tabindex: -1, "data-side": side, "data-n": k,
                role: "img", "aria-label": `${side === 0 ? "key" : "query"} ${word}` });
            add(group, "rect", { x, y: yOf(side, k) - pitch / 2 + 1, width, height: pitch - 2,
                rx: 3, fill: colour(1), stroke: "var(--figure-ink)" });
            add(group, "text", { x: x + width / 2, y: yOf(side, k) + size / 3,
                "text-anchor": "middle", style: `font-size: ${size}px` },
                word.length > 15 ? word.slice(0, 14) + "\u2026" : word);
            group.yOf = yOf(side, k);
            return group;
        }));
    }
    function paintWords() {
        const row = head().weights[i];
        lines.forEach((line, k) => {
            line.setAttribute("y2", boxes[1][i].yOf);
            line.setAttribute("stroke-width", (0.5 + 8 * row[k]).toFixed(2));
            line.setAttribute("stroke-opacity", row[k] < 0.005 ? 0 : 0.2 + 0.6 * row[k]);
        });
        bars.forEach((bar, k) => {
            const drop = one().drops[i][k] || 0, width = 2.6 * Math.min(10, Math.max(0, drop));
            bar.setAttribute("x", 28 - width);
            bar.setAttribute("width", width);
        });
        [j, i].forEach((chosen, side) => boxes[side].forEach((group, k) => {
            const rect = group.firstChild;
            rect.setAttribute("fill-opacity", side === 0 ? (0.7 * row[k]).toFixed(3) : 0);
            rect.setAttribute("stroke-width", k === chosen ? 2 : 0);
            rect.setAttribute("stroke", side === 1 && pinned ? colour(2) : "var(--figure-ink)");
            group.setAttribute("tabindex", k === chosen ? 0 : -1);
        }));
    }
    function wordOf(event) {
        const group = event.target.closest("g[data-side]");
        return group && { group, side: Number(group.dataset.side), n: Number(group.dataset.n) };
    }
    // A click holds a query: on the way to a key the mouse meets others. A page that scrolls
    // below a mouse at rest points at nothing.
    let pinned = false, pinnedAt = -1, rest = "";
    const placeOf = event => `${event.clientX},${event.clientY}`;
    window.addEventListener("pointermove", event => { rest = placeOf(event); }, true);
    const pointed = (event, is) => {
        const word = wordOf(event);
        if (!word) return;
        word.group.lastChild.setAttribute("font-weight", is ? 700 : 400);
        const byMouse = event.type === "pointerover";
        if (!is || (byMouse && placeOf(event) === rest)) return;
        if (word.side === 1 && word.n !== i && !(pinned && byMouse)) select(a, h, word.n);
        if (word.side === 0 && word.n !== j) select(a, h, i, word.n);
    };
    for (const type of ["pointerover", "focusin", "pointerout", "focusout"]) {
        const is = type === "pointerover" || type === "focusin";
        words.addEventListener(type, event => pointed(event, is));
    }
    words.addEventListener("click", event => {
        const word = wordOf(event);
        if (!word || word.side === 0) return;
        pinned = !pinned || word.n !== pinnedAt;
        pinnedAt = word.n;
        select(a, h, word.n, word.n === i ? j : -1);
    });
    words.addEventListener("keydown", event => {
        const word = wordOf(event);
        if (!word) return;
        let { side, n } = word;
        const last = one().words[side].length - 1;
        if (event.key === "ArrowUp") n = Math.max(0, n - 1);
        else if (event.key === "ArrowDown") n = Math.min(last, n + 1);
        else if (event.key === "Home") n = 0;
        else if (event.key === "End") n = last;
        else if (event.key === "ArrowLeft") [side, n] = [0, j];
        else if (event.key === "ArrowRight") [side, n] = [1, i];
        else return;
        event.preventDefault();
        boxes[side][n].focus();
    });

    // ------------------------------------------------------------ one query against one key
    const left = 2, right = 338;
    let parts = {};
    function buildPair() {
        pair.replaceChildren();
        const label = y => add(pair, "text", { x: left, y });
        const path = n => add(pair, "path", { fill: colour(n) });
        const top = head().queries ? 224 : 288; // of what is about all keys
        pair.setAttribute("viewBox", head().queries ? "0 0 340 334" : "0 214 340 120");
        const mark = (y, height) => add(pair, "rect", { y, height, fill: "var(--figure-muted)",
            "fill-opacity": 0.3 });
        const target = (y, height, name) => add(pair, "rect", { x: left, y, height,
            width: right - left, fill: "transparent", tabindex: 0, role: "img",
            "aria-label": name });
        parts = { weights: label(284), ofWeights: path(1), markOfKey: mark(top, 326 - top) };
        if (head().queries) {
            parts.labels = [label(12), label(72), label(132)];
            parts.strips = [path(1), path(3), path(2)];
            parts.total = label(200);
            parts.scores = label(222);
            parts.ofScores = path(2);
            parts.mark = mark(14, 166);
            watch(target(14, 166, "Numbers of the query, of the key, and their products"),
                () => head().queries[i].length, () => largest(products().map(Math.abs)),
                n => { dimension = n; paintPair(); });
        } else {
            const note = data.left_out || "The file has weights alone: no queries and keys.";
            note.split(/(?<=: )/).forEach((line, k) => label(228 + 18 * k).textContent = line);
        }
        watch(target(top, 326 - top, "Scores and weights of all keys"),
            () => one().words[0].length, () => j, n => { if (n >= 0) select(a, h, i, n); });
    }
    // A strip of n numbers to be pointed at, or gone through with the arrow keys.
    function watch(strip, n, first, tell) {
        let at = -1;
        const go = k => {
            at = Math.max(-1, Math.min(n() - 1, k));
            strip.setAttribute("stroke", at < 0 ? "none" : "var(--figure-grid)");
            tell(at);
        };
        strip.addEventListener("pointermove", event => {
            const box = strip.getBoundingClientRect();
            go(Math.max(0, Math.floor((event.clientX - box.left) / box.width * n())));
        });
        strip.addEventListener("focus", () => go(first()));
        for (const type of ["pointerleave", "blur"]) strip.addEventListener(type, () => go(-1));
        strip.addEventListener("keydown", event => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!step) return;
            event.preventDefault();
            go(Math.max(0, at + step));
        });
    }
    const products = () => head().queries[i].map((q, n) => q * head().keys[j][n]);
    const mostOf = list => Math.max(1e-9, ...list.map(Math.abs));
    function bar(list, zero, height, n = list.length, most = mostOf(list)) {
        const step = (right - left) / n, width = Math.max(0.6, 0.8 * step).toFixed(2);
        const start = k => (left + (k + 0.1) * step).toFixed(2);
        return Array.from(list, (value, k) => `M${start(k)} ${zero}` +
            `v${(-height * value / most).toFixed(2)}h${width}V${zero}z`).join("");
    }
    function markAt(rect, k, n) {
        const step = (right - left) / n;
        rect.setAttribute("x", (left + k * step).toFixed(2));
        rect.setAttribute("width", k < 0 ? 0 : step.toFixed(2));
    }
    function paintPair() {
        const [key, query] = [one().words[0][j], one().words[1][i]].map(word => `"${word}"`);
        const n = one().words[0].length, row = head().weights[i];
        if (head().queries) {
            const [q, k, product] = [head().queries[i], head().keys[j], products()];
            const scores = scoresOf(one(), head(), i), total = sum(product, value => value);
            const lists = [q, k, product];
            [`q, the query of ${query}`, `k, the key of ${key}`, "q \u2299 k, number by number"]
                .forEach((text, s) => {
                    parts.labels[s].textContent = text;
                    parts.strips[s].setAttribute("d", bar(lists[s], 36 + 60 * s, 18));
                });
            parts.total.textContent = `sum ${total.toFixed(2)}, divided by ` +
                `\u221a${q.length}: score ${(total / Math.sqrt(q.length)).toFixed(2)}`;
            parts.scores.textContent = `scores of ${query} with all keys`;
            parts.ofScores.setAttribute("d", bar(scores, 247, 18, n));
            markAt(parts.mark, dimension, q.length);
        }
        parts.weights.textContent = `softmax: weight ${row[j].toFixed(3)} of ${key}`;
        parts.ofWeights.setAttribute("d", bar(row, 324, 34, n, 1));
        markAt(parts.markOfKey, j, n);
        status.textContent = describe();
    }

    // ------------------------------------------------------------------------- put together
    function select(toA, toH, toI, toJ = -1) {
        const sameWords = toA === a && words.childElementCount > 0;
        const sameHead = sameWords && toH === h;
        [a, h, dimension] = [toA, toH, -1];
        i = Math.min(toI, one().words[1].length - 1);
        j = toJ >= 0 ? toJ : largest(head().weights[i]);
        if (!sameWords) { buildWords(); buildPair(); }
        if (!sameHead) drawGrid();
        grid.setAttribute("aria-label",
            `All heads as small maps. ${one().name}, head ${h + 1}`);
        paintWords();
        paintPair();
    }
    select(attentions.length - 1, 0, attentions[attentions.length - 1].drops ? 0 : Infinity);
    let drawnWidth = grid.clientWidth;
    new ResizeObserver(() => {
        if (grid.clientWidth !== drawnWidth) drawGrid();
        drawnWidth = grid.clientWidth;
    }).observe(panels);
    const root = document.documentElement; // the book's toggle changes its class
    new MutationObserver(drawGrid).observe(root, { attributeFilter: ["class"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawGrid);
}

document.addEventListener("DOMContentLoaded", () => {
    for (const figure of document.querySelectorAll("figure.explorer")) {
        const name = figure.id.replace("widget_", "trained_");
        bookExplorer(figure, (window.bookData || {})[name]);
    }
});
