// The weights of the heads of chapter 12's encoder: each word of the right column asks those of the left.
"use strict";

bookAlignment(document.getElementById("widget_12_transformer_encoder"),
    bookPlot.data("trained_12_transformer_encoder"));
