// Read by Doxygen into the MathJax configuration of every page.
// A formula that TeX cannot read must be seen: without noErrors and noUndefined it is set as an
// error (an element of class merror), which readers notice and the book's tests look for.
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
    SVG: { scale: 100, linebreaks: { automatic: false } },
    menuSettings: { zoom: "None" },
    showProcessingMessages: false,
    messageStyle: "none"
});
