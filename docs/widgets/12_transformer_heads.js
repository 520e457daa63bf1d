// The weights of chapter 12's heads for some sentences of the test set: of the decoder to the source.
"use strict";

bookAlignment(document.getElementById("widget_12_transformer_heads"),
    bookPlot.data("trained_12_transformer_heads"));
