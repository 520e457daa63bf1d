// What every page of the book does once it is there.
DoxygenAwesomeDarkModeToggle.init();
DoxygenAwesomeFragmentCopyButton.init();
DoxygenAwesomeParagraphLink.init();
