// The weights of three translators of chapter 8 for some sentences of the test set.
"use strict";

(function () {
    const data = bookPlot.data("trained_08_bahdanau_alignment");
    if (!data) return;
    const lowered = name => name.replace("s_{t-1}", "s\u209c\u208b\u2081").replace("s_t", "s\u209c");
    bookAlignment(document.getElementById("widget_08_bahdanau_alignment"),
        { ...data, views: data.views.map(lowered) });
})();
