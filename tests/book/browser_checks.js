// The checks of the book that need a browser, run in a page of their own that opens the book's
// pages in frames, `bookAtOnce` of them at a time. `bookPages` lists them: {url, name,
// formulas, alone}, with the number of formulas in the page's source, and whether it is a file
// of its own instead of a page of the book. Keyboard and mouse are real:
// browser.hpp says how they are asked for. Each check is a function from the frame to what it
// found.
"use strict";

(async function () {
    const phone = 360, desk = 1000, patience = 60000;

    // ------------------------------------------------------------------- the browser's user
    function hand(words) {
        return new Promise(resolve => {
            window.bookHandDone = resolve;
            window.bookHand(encodeURIComponent(words));
        });
    }
    const say = words => hand("say " + words);
    const press = async key => { await hand("key " + key); await settled(); };
    const type = async text => { await hand("type " + text); await settled(); };

    // Two frames are drawn: what an event set off has happened.
    const settled = () => new Promise(resolve =>
        requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const waited = ms => new Promise(resolve => setTimeout(resolve, ms));

    async function until(condition, limit = patience) {
        const start = performance.now();
        while (!condition()) {
            if (performance.now() - start > limit) return false;
            await waited(10);
        }
        return true;
    }

    async function pointAt(verb, element, across = 0.5) {
        element.scrollIntoView({ block: "center", behavior: "instant" });
        await settled();
        const box = element.getBoundingClientRect();
        const x = Math.round(box.left + across * box.width);
        const y = Math.round(box.top + box.height / 2);
        await hand(`${verb} ${x} ${y}`);
        await settled();
    }

    // ------------------------------------------------------------------------------ a page
    async function opened(page) {
        const frame = document.createElement("iframe");
        Object.assign(frame.style, { border: "none", width: phone + "px", height: "880px",
            position: "absolute", left: 0, top: 0 });
        const loaded = new Promise(resolve => frame.addEventListener("load", resolve));
        frame.src = page.url;
        document.body.append(frame);
        await loaded;
        const inner = frame.contentWindow;
        let ready = true;
        if (page.formulas > 0) {
            ready = await until(() => inner.MathJax && inner.MathJax.isReady);
            if (ready) await new Promise(resolve => inner.MathJax.Hub.Queue(resolve));
        }
        return { page, frame, ready, window: inner, document: inner.document };
    }

    async function widened({ frame }, width) {
        frame.style.width = width + "px";
        await settled();
    }

    // ------------------------------------------------------------------------------ checks
    // Every formula of the source is typeset, and none as an error.
    async function formulas({ page, ready, window, document }) {
        if (page.formulas === 0) return [];
        if (!ready) return ["MathJax does not become ready"];
        const found = [];
        // Doxygen's lists of all structs show their first levels; a reader opens the others.
        for (const row of document.querySelectorAll('tr[style*="none"]')) row.style.display = "";
        const inPage = () => Array.from(document.querySelectorAll(".MathJax_SVG svg"))
            .filter(svg => svg.getBoundingClientRect().width > 0);
        await until(() => inPage().length === page.formulas, 5000);
        const all = window.MathJax.Hub.getAllJax(), drawn = inPage();
        if (all.length !== page.formulas || drawn.length !== page.formulas) {
            found.push(`of ${page.formulas} formulas ${all.length} are read and ` +
                `${drawn.length} drawn`);
        }
        const isError = node => !!node && (node.type === "merror" ||
            (node.data || []).some(part => typeof part === "object" && isError(part)));
        for (const jax of all) {
            if (jax.texError || isError(jax.root)) {
                found.push(`a formula is an error: ${jax.originalText.trim()}`);
            }
        }
        return found;
    }

    // On a phone nothing reaches over the page's edge, but what can be scrolled by itself.
    function overflow({ window, document }) {
        const isScrolled = element =>
            /auto|scroll/.test(window.getComputedStyle(element).overflowX);
        const content = document.querySelector("#doc-content") || document.body;
        const body = document.body;
        if (document.documentElement.scrollWidth > phone) {
            return [`the page is ${document.documentElement.scrollWidth} px wide on a phone`];
        }
        function outermost(element) {
            const box = element.getBoundingClientRect();
            if (box.width > 1 && box.height > 1 && box.right > phone + 1) return element;
            if (element !== content && isScrolled(element)) return null;
            if (element.tagName === "svg" || element.tagName === "SCRIPT") return null;
            for (const child of element.children) {
                const found = outermost(child);
                if (found) return found;
            }
            return null;
        }
        const wide = outermost(content === body ? body : content);
        if (!wide) return [];
        const name = wide.tagName.toLowerCase() +
            (wide.className.length ? "." + wide.className.trim().replace(/\s+/g, ".") : "");
        const right = Math.round(wide.getBoundingClientRect().right);
        return [`${name} reaches to ${right} px on a phone of ${phone}`];
    }

    // The toggle changes the page's colours, and back.
    async function darkMode({ window, document }) {
        const find = () => document.querySelector("doxygen-awesome-dark-mode-toggle");
        await until(find, 3000);
        const toggle = find();
        if (!toggle) return ["there is no toggle for the dark mode"];
        const colours = () => {
            const style = window.getComputedStyle(document.body);
            const text = document.querySelector(".contents p, .contents") || document.body;
            return [document.documentElement.classList.contains("dark-mode"),
                style.backgroundColor, window.getComputedStyle(text).color];
        };
        const before = colours();
        // the real mouse takes long: it is for the pages that have something else to click
        const click = () => document.querySelector(".book-find, .book-widget")
            ? pointAt("click", toggle) : toggle.click();
        await click();
        const after = colours();
        await click();
        const names = ["the mode", "the background's colour", "the text's colour"];
        const found = names.filter((_, i) => before[i] === after[i])
            .map(name => `the toggle for the dark mode does not change ${name}`);
        if (String(colours()) !== String(before)) found.push("the dark mode cannot be left");
        return found;
    }

    // What a figure shows at a moment.
    function shown(figure) {
        const parts = figure.querySelectorAll("svg, .status, output");
        return Array.from(parts, part => part.innerHTML).join("\n");
    }

    // Arrow keys and the mouse move the slider, the figure follows it, and back.
    async function slider(figure, input) {
        const name = `the slider ${input.id}`;
        const found = [];
        if (Number(input.max) <= Number(input.min)) return [`${name} has nowhere to go`];
        await pointAt("click", input, 0.3);
        if (figure.ownerDocument.activeElement !== input) found.push(`${name} takes no focus`);
        const value = input.value, before = shown(figure);
        await press("ArrowRight");
        if (Number(input.value) <= Number(value)) {
            found.push(`${name} does not go by ArrowRight`);
        }
        if (shown(figure) === before) found.push(`the figure does not follow ${name} by key`);
        await press("ArrowLeft");
        if (shown(figure) !== before) found.push(`the figure does not come back with ${name}`);
        await pointAt("click", input, 0.8);
        if (Number(input.value) <= Number(value)) found.push(`${name} does not go by mouse`);
        if (shown(figure) === before) found.push(`the figure does not follow ${name} by mouse`);
        if (!input.getAttribute("aria-valuetext")) found.push(`${name} does not say its value`);
        return found;
    }

    // Each choice gives a figure of its own.
    async function selector(figure, select) {
        const name = `the selector ${select.id}`;
        if (select.options.length < 2) return [`${name} has nothing to choose from`];
        const found = [];
        select.focus();
        await press("Home");
        const seen = new Set([shown(figure)]);
        for (let i = 1; i < select.options.length; ++i) {
            await press("ArrowDown");
            if (select.selectedIndex !== i) found.push(`${name} does not go by ArrowDown`);
            if (seen.has(shown(figure))) {
                found.push(`the figure does not follow ${name} to '${select.value}'`);
            }
            seen.add(shown(figure));
        }
        return found;
    }

    // With the sliders at their ends, a button changes something.
    async function button(figure, element) {
        for (const input of figure.querySelectorAll("input[type=range]")) {
            input.focus();
            await press("Home");
        }
        const before = shown(figure);
        await pointAt("click", element);
        return shown(figure) !== before ? []
            : [`the button '${element.textContent}' does nothing`];
    }

    // What says that it can be pointed at (it has a tabindex) answers to mouse and focus.
    async function hover(figure, element) {
        const name = `'${element.textContent.trim() || element.tagName}'`;
        const elsewhere = figure.querySelector("figcaption") || figure.ownerDocument.body;
        const found = [];
        await pointAt("move", elsewhere);
        const before = shown(figure);
        await pointAt("move", element);
        if (shown(figure) === before) found.push(`${name} does not answer to the mouse`);
        await pointAt("move", elsewhere);
        const left = shown(figure);
        element.focus();
        await settled();
        if (shown(figure) === left) found.push(`${name} does not answer to the focus`);
        element.blur();
        return found;
    }

    // What a widget declares by data-hover says what it is in the line of status, to the mouse
    // and to the keyboard. The line may go back when it is left, or keep what it said: so
    // another element is asked first, and then the line must change.
    async function declaredHover(figure, i, last) {
        const at = k => figure.querySelectorAll("svg [data-hover]")[k]; // it may be drawn anew
        const name = `element ${i + 1} of ${last + 1} to point at`;
        const elsewhere = figure.querySelector("figcaption") || figure.ownerDocument.body;
        const said = () => figure.querySelector(".status").textContent.trim();
        const means = {
            mouse: [k => pointAt("move", at(k)), () => pointAt("move", elsewhere)],
            keyboard: [k => at(k).focus(), () => figure.ownerDocument.activeElement.blur()]
        };
        async function answers([to, away]) {
            for (const other of last > 0 ? [last, 0].filter(k => k !== i) : [i]) {
                if (other !== i) await to(other);
                await away();
                await settled();
                const before = said();
                await to(i);
                await settled();
                const after = said();
                await away();
                if (after !== before && after !== "") return true;
            }
            return false;
        }
        if (at(i).getAttribute("tabindex") !== "0") {
            return [`${name} is not reached by the keyboard`];
        }
        const found = [];
        for (const [what, how] of Object.entries(means)) {
            if (!await answers(how)) found.push(`${name} says nothing to the ${what}`);
        }
        return found;
    }

    // Up to eight of them, the first and the last included.
    async function declaredHovers(figure) {
        const last = figure.querySelectorAll("svg [data-hover]").length - 1;
        if (last < 0) return [];
        if (!figure.querySelector(".status")) {
            return [`${figure.id} has elements to point at and no line of status`];
        }
        const chosen = new Set(Array.from({ length: 8 }, (_, k) => Math.round(k * last / 7)));
        const found = [];
        for (const i of chosen) found.push(...await declaredHover(figure, i, last));
        return found;
    }

    async function widgets({ document }) {
        const found = [];
        for (const figure of document.querySelectorAll(".book-widget")) {
            const drawings = figure.querySelectorAll("svg");
            if (Array.from(drawings).some(svg => svg.children.length === 0)) {
                found.push(`${figure.id} draws nothing`);
                continue;
            }
            // What computes in the page compares itself with the program's answers.
            if (Number(figure.dataset.disagreements || 0) > 0) {
                found.push(`${figure.id} computes otherwise than the program`);
            }
            for (const [what, check] of [["svg [tabindex='0']:not([data-hover])", hover],
                ["button", button], ["select", selector], ["input[type=range]", slider]]) {
                const parts = Array.from(figure.querySelectorAll(what));
                for (const part of parts.slice(0, 8)) {
                    if (part.isConnected) found.push(...await check(figure, part));
                }
            }
            found.push(...await declaredHovers(figure));
        }
        return found;
    }

    // The explorer: what it says agrees with its data, to the mouse and to the keys; a repaint
    // takes less than two frames of sixty a second.
    async function explorer({ page, frame, window, document }) {
        const figure = document.querySelector("figure.explorer");
        if (!figure) return [];
        const data = window.bookData[figure.id.replace("widget_", "trained_")];
        const found = [], said = () => figure.querySelector(".status").textContent;
        const inked = () => {
            const grid = figure.querySelector("canvas");
            const context = grid.getContext("2d");
            const pixels = context.getImageData(0, 0, grid.width, grid.height).data;
            let [n, sum] = [0, 0];
            for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] > 250) {
                ++n;
                sum += pixels[i] + pixels[i + 1] + pixels[i + 2];
            }
            return n > 0 ? sum / n : 0;
        };
        // Twelve bits a number: two of them are three bytes of base64.
        const numbers = text => {
            const bytes = Array.from(atob(text + "AA".repeat(text.length / 2 % 2)),
                c => c.charCodeAt(0));
            return Array.from({ length: text.length / 2 }, (_, n) => {
                const [x, y] = [bytes[(3 * n) >> 1], bytes[((3 * n) >> 1) + 1]];
                return n % 2 === 0 ? 16 * x + (y >> 4) : 256 * (x & 15) + y;
            });
        };
        const row = (a, what, h, i, n) => numbers(data[`${what}_${a}`][h])
            .slice(i * n, (i + 1) * n).map(x => (x - 2048) * data[`${what}_units_${a}`][h]);
        function expected(a, h, i, j) {
            const n = data[`query_words_${a}`].length;
            const weight = (numbers(data[`weights_${a}`][h * n + i])[j] || 0) / 4095;
            const width = data[`queries_${a}`][h].length / 2 / n;
            const q = row(a, "queries", h, i, width), k = row(a, "keys", h, j, width);
            const score = q.reduce((sum, x, d) => sum + x * k[d], 0) / Math.sqrt(width);
            const [query, key] = [data[`query_words_${a}`][i], data[`key_words_${a}`][j]];
            return [`${data.names[a]}, head ${h + 1}: "${query}" attends to "${key}" with ` +
                `weight ${weight.toFixed(3)}.`, score];
        }
        function compare(what, a, h, i, j) {
            const [text, score] = expected(a, h, i, j);
            const shown = Number((said().match(/Score (-?[0-9.]+)\./) || [])[1]);
            if (!said().startsWith(text) || !(Math.abs(shown - score) < 0.006)) {
                found.push(`the explorer says '${said()}' to the ${what}, not '${text} ` +
                    `Score ${score.toFixed(2)}.'`);
            }
        }
        const word = (side, n) =>
            figure.querySelector(`.words g[data-side="${side}"][data-n="${n}"]`);
        const last = data.names.length - 1, n = data[`query_words_${last}`].length;
        for (const [i, j] of [[n - 1, 0], [n >> 1, 1], [n - 2, n - 3]]) {
            for (const k of [1, i]) {
                await pointAt("move", figure.querySelector("figcaption"));
                await pointAt("move", word(1, k));
            }
            const top = numbers(data[`weights_${last}`][i]);
            compare("mouse", last, 0, i, top.indexOf(Math.max(...top)));
            await pointAt("click", word(1, i)); // held, while the mouse meets other queries
            await pointAt("move", word(0, j));
            compare("mouse with a query held", last, 0, i, j);
            await pointAt("click", word(1, i));
        }
        word(1, n - 2).focus();
        await press("ArrowUp"); // the query before
        await press("ArrowLeft"); // to its key, the likeliest
        await press("Home");
        compare("keyboard", last, 0, n - 3, 0);
        figure.querySelector("canvas").focus();
        await press("ArrowUp"); // the layer before
        if (data[`weights_${last - 1}`].length > n) await press("ArrowRight"); // the next head
        const head = data[`weights_${last - 1}`].length > n ? 1 : 0;
        const before = said();
        if (!before.startsWith(`${data.names[last - 1]}, head ${head + 1}: `)) {
            found.push(`the explorer says '${before}' after arrow keys among the heads`);
        }
        await pointAt("click", word(1, 2));
        await pointAt("move", word(0, 0));
        compare("mouse on another head", last - 1, head, 2, 0);
        await pointAt("click", word(1, 2));
        if (figure.querySelectorAll(".words line").length !== n) {
            found.push("the explorer draws another number of lines than there are keys");
        }
        if (Number(figure.dataset.disagreements) !== 0) {
            found.push("the explorer's softmax is not the written weights");
        }
        if (page.alone) { // the browser's choice of colours, which reaches a frame from outside
            const colours = () => [window.getComputedStyle(document.body).backgroundColor,
                Math.round(inked())];
            const light = colours();
            frame.style.colorScheme = "dark";
            await settled();
            await settled();
            const dark = colours();
            frame.style.colorScheme = "";
            await settled();
            light.forEach((colour, k) => {
                if (colour === dark[k]) found.push(`the explorer is ${colour} in the dark too`);
            });
        }
        // Each frame another query is pointed at: how long it takes, and a frame.
        const times = [], frames = [];
        for (let k = 0; k < 60; ++k) {
            const begin = performance.now();
            word(1, k * 7 % n).dispatchEvent(new window.PointerEvent("pointerover",
                { bubbles: true, clientX: k })); // it has moved
            figure.getBoundingClientRect(); // laid out
            times.push(performance.now() - begin);
            await new Promise(resolve => window.requestAnimationFrame(resolve));
            frames.push(performance.now() - begin);
        }
        // The least of them is the explorer's own: more is what other programs took from it.
        const [time, whole] = [Math.min(...times).toFixed(1), Math.min(...frames).toFixed(1)];
        await say(`note ${page.name}: repaint in ${time} ms, a frame in ${whole} ms`);
        if (Number(whole) >= 33) found.push(`the explorer needs ${whole} ms for a frame`);
        return found;
    }

    // Words of the book are found, by keys alone; words of no book are not.
    async function findBox({ document }) {
        const box = document.querySelector(".book-find");
        if (!box) return [];
        const field = box.querySelector("input"), found = [];
        await pointAt("click", field);
        await type("softmax");
        const links = box.querySelectorAll(".results a[href]");
        if (links.length === 0) found.push("the find box does not find 'softmax'");
        if (links.length > 0 && box.querySelectorAll("mark").length === 0) {
            found.push("the find box does not mark what it has found");
        }
        await press("Tab");
        if (links.length > 0 && document.activeElement !== links[0]) {
            found.push("Tab does not lead from the find box to what it has found");
        }
        field.select();
        await type("qqqzzz");
        if (box.querySelectorAll(".results a").length > 0) {
            found.push("the find box finds 'qqqzzz'");
        }
        if (!box.querySelector(".status").textContent.trim()) {
            found.push("the find box does not say that it found nothing");
        }
        return found;
    }

    // ---------------------------------------------------------------------------- all of it
    document.body.style.margin = "0";
    for (let i = 0; i < window.bookPages.length; i += window.bookAtOnce) {
        const group = window.bookPages.slice(i, i + window.bookAtOnce);
        await say("page " + group.map(page => page.name).join(" or "));
        const frames = await Promise.all(group.map(opened));
        for (const frame of frames) {
            await say("page " + frame.page.name);
            frame.frame.style.zIndex = i + 1; // in front of the others, for the mouse
            for (const check of [formulas, overflow]) {
                for (const finding of await check(frame)) await say(finding);
            }
            // On a page of the code reference nothing more can be done than to toggle.
            const answers = frame.page.formulas > 0 ||
                frame.document.querySelector(".book-widget, .book-find");
            if (answers) await widened(frame, desk);
            for (const check of frame.page.alone ? [widgets, explorer]
                : [darkMode, widgets, explorer, findBox]) {
                for (const finding of await check(frame)) await say(finding);
            }
            frame.frame.remove();
        }
    }
    window.bookHand("done");
})();
