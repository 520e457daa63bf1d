// The weights of four heads of chapter 11 on some words, letter by letter.
"use strict";

(function () {
    const data = bookPlot.data("trained_11_multi_head_heads");
    if (data) bookAlignment(document.getElementById("widget_11_multi_head_heads"), data);
})();
