// What every page of the book does once it is there.
DoxygenAwesomeDarkModeToggle.init();
DoxygenAwesomeFragmentCopyButton.init();
DoxygenAwesomeParagraphLink.init();

// Paper shows what the folds hold, and the screen afterwards what it showed before.
let openedForPrint = [];
addEventListener("beforeprint", () => {
    openedForPrint = [...document.querySelectorAll("details:not([open])")];
    for (const fold of openedForPrint) fold.open = true;
});
addEventListener("afterprint", () => {
    for (const fold of openedForPrint) fold.open = false;
});
