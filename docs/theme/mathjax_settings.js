// Read by Doxygen into the MathJax configuration of every page.
// A formula that TeX cannot read must be seen: without noErrors and noUndefined it is set as an
// error in a yellow box. The hook below counts such formulas in an attribute of the page's root
// element, where a test can find them.
MathJax.Hub.Config({
    TeX: {
        noErrors: { disabled: true },
        noUndefined: { disabled: true },
        Macros: {
            softmax: "\\operatorname{softmax}",
            argmax: "\\operatorname*{arg\\,max}",
            argmin: "\\operatorname*{arg\\,min}",
            Var: "\\operatorname{Var}",
            Cov: "\\operatorname{Cov}",
            R: "\\mathbb{R}",
            diag: "\\operatorname{diag}"
        }
    },
    SVG: { scale: 100, linebreaks: { automatic: true, width: "container" } }, // for the phone
    menuSettings: { zoom: "None" },
    showProcessingMessages: false,
    messageStyle: "none"
});
MathJax.Hub.Register.MessageHook("TeX Jax - parse error", function (message) {
    var counts = document.documentElement.dataset;
    counts.mathErrors = Number(counts.mathErrors || 0) + 1;
    console.error("formula: " + message[1] + ": " + message[2]);
});
