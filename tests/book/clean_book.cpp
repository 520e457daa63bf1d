#include "tests/book/clean_book.hpp"

#include <fstream>

namespace attn::book {

namespace fs = std::filesystem;

Files clean_book()
{
    Files files;
    files["chapters/01_one/chapter.md"] = R"(# 1 One, the first {#chapter_01_one}

> Is it one?

\snippet 01_one/one.hpp one

\snippet 01_one/one_test.cpp claim

\verbinclude 01_one/expected/output.txt

\figure{01_one_curve,Figure 1.1: a curve.}

Write `\figure{name,caption}` and `\snippet` in code, and commands in fences:

```sh
cmake --build build
```
)";
    files["chapters/01_one/one.hpp"] = R"(// [one]
int one() // the first number
{
    return 1;
}
// [one]
)";
    files["chapters/01_one/expected/output.txt"] = "one is 1\n\n  and stays it\n";
    files["tests/01_one/one_test.cpp"] = R"(// [claim]
CHECK(one() == 1);
// [claim]
)";
    files["docs/drawings/01_one_drawing.svg"] =
        "<svg>\n<text class=\"number\" x=\"1\">1</text></svg>\n";
    files["chapters/02_two/chapter.md"] =
        "# 2 Two {#chapter_02_two}\n\n> Is it two?\n\nIt is in `docs/measured/two.txt`.\n";
    files["docs/measured/two.txt"] = "two took 2.5 ms\n";
    files["docs/drawings/02_two_drawing.svg"] =
        "<svg>\n<text class=\"number\">2.5</text></svg>\n";
    files["chapters/02_two/two_more.md"] = "# 2a More {#chapter_2a_more}\n\n> Is there more?\n";
    files["docs/mainpage.md"] = "# A book {#mainpage}\n";
    files["docs/resources.md"] =
        "# Resources {#resources}\n\n"
        "- [One](https://example.org/one),\n  as in \\chapter{01_one}.\n"
        "- [Two](https://example.org/two): \\Chapter{02_two}.\n";

    files["html/book.css"] = "p { background: url(dot.png) }\n";
    files["html/dot.png"] = "a picture\n";
    files["html/book.js"] = "\"use strict\";\n";
    files["html/chapter_02_two.js"] =
        "var chapter_02_two =\n[\n    [ \"N\", \"chapter_02_two.html#n\", null ],\n"
        "    [ \"2a More\", \"chapter_2a_more.html\", null ]\n];\n";
    files["html/find.data.js"] =
        "window.bookData[\"find\"] = [\n"
        "[\"chapter_01_one.html\", \"first\", \"1 One\", \"First\", \"text\"]\n];\n";
    files["html/navtreedata.js"] = R"(var NAVTREE =
[
  [ "A book", "index.html", [
    [ "1 One, the first", "chapter_01_one.html", [
      [ "First", "chapter_01_one.html#first", null ]
    ] ],
    [ "2 Two", "chapter_02_two.html", "chapter_02_two" ]
  ] ]
];
)";
    files["html/index.html"] = R"(<!DOCTYPE html>
<html><head><title>A book</title><link href="book.css" rel="stylesheet"/></head><body>
<h1 id="top">A book</h1>
<p>See <a href="https://www.example.org/">elsewhere</a> and <a href="#top">above</a>.</p>
<svg><a xlink:href="chapter_01_one.html"><path d="M0,0"/></a></svg>
</body></html>
)";
    files["html/chapter_01_one.html"] = R"(<html><head><title>A book: 1 One, the first</title>
<script src="book.js"></script><link href="book.css" rel="stylesheet"/></head><body>
<div class="title">1 One, the first </div>
<h1><a class="anchor" id="first"></a>First</h1><p>Here \( a_{**} \) is a formula, and
\[ b | c \] is one; so is \begin{align} d &amp;= e \end{align} and not 2 * 3 * 4.</p>
<p>Markdown as <code>](x) **</code> in code is well.</p>
<div class="fragment"><div class="line"><span>int</span> one() <span>// the first number</span></div>
<div class="line">{</div>
<div class="line">    return 1;</div>
<div class="line">}</div>
</div>
<div class="fragment"><div class="line">CHECK(one() == 1);</div></div>
<pre class="fragment">one is 1

  and stays it
</pre>
<table><tr><th>a</th><th>b</th></tr>
<tr><td rowspan="2">1</td><td>2</td></tr>
<tr><td>3</td></tr>
<tr><td colspan="2">4</td></tr></table>
<figure id="figure_01_one_curve"><svg aria-labelledby="caption_01"><path d="M0,0"/></svg>
<figcaption id="caption_01">Figure 1.1: a curve.</figcaption></figure>
<img src="dot.png" alt="a dot"/>
<nav><a rel="prev" href="index.html">Contents</a><a rel="next" href="chapter_02_two.html">2</a></nav>
</body></html>
)";
    files["html/chapter_02_two.html"] = R"(<html><head><title>A book: 2 Two</title></head><body>
<div class="title">2 Two</div>
<h1><a class="anchor" id="n"></a>N</h1><p>Two. <a href="chapter_01_one.html#first">One</a></p>
<nav><a rel="prev" href="chapter_01_one.html">1</a><a rel="next" href="chapter_2a_more.html">2a</a></nav>
</body></html>
)";
    files["html/chapter_2a_more.html"] =
        R"(<html><head><title>A book: 2a More</title></head><body>
<div class="title">2a More</div>
<nav><a rel="prev" href="chapter_02_two.html">2</a></nav>
</body></html>
)";
    files["html/resources.html"] = R"(<html><head><title>A book: Resources</title></head><body>
<ul><li><a href="https://example.org/one">One</a>, as in <a href="chapter_01_one.html">1</a></li>
<li><a href="https://example.org/two">Two</a>: <a href="chapter_02_two.html">2</a></li></ul>
</body></html>
)";
    files["html/namespaceone.html"] = R"(<html><head><title>A book: one</title></head><body>
<a id="a1"></a>
<h2 class="memtitle"><span class="permalink"><a href="#a1">&#9670;&#160;</a></span>one()</h2>
<a id="a2"></a>
<h2 class="memtitle"><span class="permalink"><a href="#a2">&#9670;&#160;</a></span>~One()</h2>
<a id="a3"></a>
<h2 class="memtitle"><span class="permalink"><a href="#a3">&#9670;&#160;</a></span>number</h2>
</body></html>
)";
    files["html/namespacemembers_func.html"] =
        R"(<html><head><title>A book: Index</title></head><body>
<ul><li><a class="el" href="namespaceone.html#a1">one()</a> <span>one</span></li></ul>
</body></html>
)";
    return files;
}

Book written(const Files& files, const fs::path& folder)
{
    for (const auto& [name, content] : files) {
        const fs::path file = folder / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << content;
    }
    return read_book(folder, folder / "html", {"01_one", "02_two"}, {"/home/smith"});
}

} // namespace attn::book
