/// \file
/// \brief The generated book in a browser: formulas, scripts, widgets, width, dark mode; and
/// each of these checks on a page with a defect planted for it.
#include "tests/book/browser.hpp"
#include "tests/book/checks.hpp"

#include "common/program/explorer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/explored.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

namespace {

using attn::book::BrowserRun;
using attn::testing::ScratchFolder;
namespace fs = std::filesystem;

const fs::path html = ATTN_BOOK_HTML;
const std::string chromium = ATTN_CHROMIUM;

/// Whether there is something to check and something to check it with; says so if not.
bool can_be_checked()
{
    if (chromium.empty()) {
        std::cout << "There is no Chromium or Chrome: skipped, install chromium to check the "
                     "book in a browser.\n";
        return false;
    }
    if (!fs::is_regular_file(html / "index.html")) {
        std::cout << "The book has not been generated: there is nothing to check.\n";
        return false;
    }
    return true;
}

/// A page to open: where it is, its name in findings, and its source.
struct Subject
{
    fs::path file;
    std::string name;
    bool alone = false; ///< a file of its own, and no page of the book
};

/// Opens pages in a browser, a few at once, and returns what is wrong, "page: finding".
std::vector<std::string> findings_in(const std::vector<Subject>& pages, int at_once)
{
    const ScratchFolder scratch;
    const fs::path harness = scratch.path() / "harness.html";
    std::ofstream out(harness);
    out << "<!DOCTYPE html><meta charset=\"utf-8\"><title>checks</title><body>\n<script>"
        << "window.bookAtOnce = " << at_once << "; window.bookPages = [\n";
    for (const Subject& page : pages) {
        const attn::book::Node root = attn::book::parse_html(attn::book::content_of(page.file));
        out << "{url: \"file://" << page.file.string() << "\", name: \"" << page.name
            << "\", formulas: " << attn::book::formula_count(root)
            << ", alone: " << (page.alone ? "true" : "false") << "},\n";
    }
    out << "];</script>\n<script src=\"file://" << ATTN_BROWSER_CHECKS << "\"></script></body>";
    out.close();
    fs::create_directory(scratch.path() / "profile");
    const BrowserRun run = attn::book::open_page(chromium, harness, scratch.path() / "profile",
                                                 std::chrono::seconds(1200));
    if (!run.answered) {
        std::cout << "The browser does not answer: skipped.\n";
        return {};
    }
    std::vector<std::string> findings;
    std::string page = "harness";
    for (const std::string& words : run.spoken) {
        if (words.rfind("page ", 0) == 0) {
            page = words.substr(5);
        } else if (words.rfind("note ", 0) == 0) {
            std::cout << words.substr(5) << "\n"; // what was measured
        } else {
            findings.push_back(page + ": " + words);
        }
    }
    if (!run.done) {
        findings.push_back(page + ": the browser was not through in time");
    }
    return findings;
}

/// Kinds of pages that Doxygen makes a thousand of, and that differ in their names alone.
enum class Kind
{
    listing,   ///< of a source file
    reference, ///< of a struct, a class or a folder, without a formula
    other      ///< the book's own pages, and those of files and name spaces
};

Kind kind_of(const fs::path& page)
{
    const std::string name = page.filename().string();
    const auto begins = [&](const char* text) { return name.rfind(text, 0) == 0; };
    if (name.find("_source.html") != std::string::npos) {
        return Kind::listing;
    }
    if ((begins("struct") || begins("class") || begins("dir_")) &&
        attn::book::formula_count(
            attn::book::parse_html(attn::book::content_of(html / page))) == 0) {
        return Kind::reference;
    }
    return Kind::other;
}

/// The pages of one kind.
std::vector<Subject> pages(Kind kind)
{
    std::vector<Subject> subjects;
    for (const fs::path& file : attn::book::files_below(html, ".html")) {
        const std::string name = file.generic_string();
        if (name.rfind("search/", 0) != 0 && kind_of(file) == kind) {
            subjects.push_back({html / file, name});
        }
    }
    return subjects;
}

/// The length of the longest run of characters without a separator.
std::size_t longest_run(const std::string& text, const char* separators)
{
    std::size_t longest = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        longest = std::max(longest, end - begin);
        begin = end + 1;
    }
    return longest;
}

/// The `count` pages of a kind whose longest run between separators is longest: they stand for all.
std::vector<Subject> widest(Kind kind, const char* separators, std::size_t count)
{
    std::vector<std::pair<std::size_t, Subject>> ranked;
    for (const Subject& page : pages(kind)) {
        const attn::book::Node root = attn::book::parse_html(attn::book::content_of(page.file));
        ranked.emplace_back(longest_run(text_of(root), separators), page);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Subject> subjects;
    for (std::size_t i = 0; i < std::min(count, ranked.size()); ++i) {
        subjects.push_back(ranked[i].second);
    }
    return subjects;
}

void require_nothing(const std::vector<Subject>& subjects)
{
    REQUIRE_FALSE(subjects.empty());
    std::ostringstream list;
    const std::vector<std::string> findings = findings_in(subjects, 6);
    for (const std::string& finding : findings) {
        list << "\n  " << finding;
    }
    INFO(list.str());
    CHECK(findings.empty());
}

/// A defect: what is put at the end of a page's content, or a line that one of the page's
/// scripts loses.
struct Defect
{
    std::string name; ///< of the copy
    std::string page;
    std::string put_in;
    std::vector<std::string> findings; ///< none for a page that stays well
    std::string script = "";           ///< that loses a line, if any
    std::string taken_out = "";        ///< that line, or a part of it
};

const std::string chapter_1 = "chapter_01_lookup.html";
const std::string chapter_2 = "chapter_02_nadaraya_watson.html";
const std::string chapter_9 = "chapter_09_pointer_network.html";
const std::string guide = "how_to_read.html";

/// A widget whose script draws four elements to point at, with the handlers that it is given.
std::string widget_to_point_at(const std::string& status, const std::string& handlers)
{
    return "<figure class=\"book-widget\" id=\"w\"><svg viewBox=\"0 0 40 9\"></svg>" + status +
           R"(<figcaption>c</figcaption></figure><script>{
const svg = document.querySelector('#w svg'), status = document.querySelector('#w .status');
const rects = [0, 1, 2, 3].map(i => {
    const rect = document.createElementNS(svg.namespaceURI, 'rect');
    const attributes = { x: 10 * i, width: 9, height: 9, tabindex: 0, 'data-hover': '' };
    for (const [name, value] of Object.entries(attributes)) rect.setAttribute(name, value);
    svg.append(rect);
    return rect;
});
const say = i => status.textContent = 'rect ' + i, hush = () => status.textContent = '-';
)" + handlers +
           "}</script>";
}

const std::string status_line = "<p class=\"status\">-</p>";

const std::vector<Defect> defects = {
    {"clean 1", chapter_1, "", {}},
    {"clean 2", chapter_2, "", {}},
    {"clean contents", "index.html", "", {}},
    {"bad formula", chapter_1, "<p>\\( \\nosuch \\)</p>", {"a formula is an error: \\nosuch"}},
    {"formula left alone",
     guide,
     "<p>\\( a \\)</p><p class=\"tex2jax_ignore\">\\( b \\)</p>",
     {"of 2 formulas 1 are read and 1 drawn"}},
    {"script error",
     guide,
     "<script>nothing.there();</script>",
     {"script error: ReferenceError: nothing is not defined"}},
    {"wide table",
     guide,
     "<table style=\"display: table; min-width: 700px\"><tr><td>wide</td></tr></table>",
     {"table reaches to 700 px on a phone of 360"}},
    {"no dark mode",
     guide,
     "<script>DoxygenAwesomeDarkModeToggle.prototype.toggleDarkMode = () => {};</script>",
     {"the toggle for the dark mode does not change the mode",
      "the toggle for the dark mode does not change the background's colour",
      "the toggle for the dark mode does not change the text's colour"}},
    {"slider without its handler",
     chapter_1,
     "",
     {"the figure does not follow the slider temperature_01 by key",
      "the figure does not follow the slider temperature_01 by mouse"},
     "01_lookup_temperature.js",
     "slider.addEventListener(\"input\", draw);"},
    {"slider without keys",
     chapter_1,
     "<script>addEventListener('keydown', e => e.preventDefault(), true);</script>",
     {"the slider temperature_01 does not go by ArrowRight",
      "the figure does not follow the slider temperature_01 by key"}},
    {"selector without its handler",
     chapter_2,
     "",
     {"the figure does not follow the selector kernel_02 to 'boxcar'",
      "the figure does not follow the selector kernel_02 to 'epanechnikov'",
      "the figure does not follow the selector kernel_02 to 'triangular'"},
     "02_nadaraya_watson_bandwidth.js",
     "select.addEventListener(\"change\", drawFrame);"},
    {"button that does nothing",
     chapter_2,
     "",
     {"the button 'Go to the best' does nothing"},
     "02_nadaraya_watson_bandwidth.js",
     "slider.value = nearestStep(of(\"best_width\", select.value));"},
    {"network that computes otherwise than the program",
     chapter_9,
     "",
     {"widget_09_pointer_network_hull computes otherwise than the program"},
     "09_pointer_network_hull.js",
     "read = elements[best];"},
    {"find box without its handler",
     "index.html",
     "",
     {"the find box does not find 'softmax'",
      "the find box does not say that it found nothing"},
     "find.js",
     "field.addEventListener(\"input\", show);"},
    {"hover without an answer",
     guide,
     "<figure class=\"book-widget\" id=\"w\"><svg viewBox=\"0 0 9 9\"><rect tabindex=\"0\" "
     "width=\"9\" height=\"9\"/></svg><figcaption>c</figcaption></figure>",
     {"'rect' does not answer to the mouse", "'rect' does not answer to the focus"}},
    {"hover with an answer",
     guide,
     "<figure class=\"book-widget\" id=\"w\"><svg viewBox=\"0 0 9 9\"><rect tabindex=\"0\" "
     "width=\"9\" height=\"9\"/></svg><p class=\"status\"></p><figcaption>c</figcaption>"
     "</figure><script>{ const say = t => document.querySelector('#w .status').textContent = t;"
     "const rect = document.querySelector('#w rect');"
     "rect.onmouseenter = rect.onfocus = () => say('here');"
     "rect.onmouseleave = rect.onblur = () => say(''); }</script>",
     {}},
    {"declared hover, one deaf, one half deaf, one not reached",
     guide,
     widget_to_point_at(status_line, "rects.forEach((rect, i) => {"
                                     "    if (i != 1) rect.onpointerenter = () => say(i);"
                                     "    if (i != 1 && i != 2) rect.onfocus = () => say(i);"
                                     "    rect.onpointerleave = rect.onblur = hush; });"
                                     "rects[3].removeAttribute('tabindex');"),
     {"element 2 of 4 to point at says nothing to the mouse",
      "element 2 of 4 to point at says nothing to the keyboard",
      "element 3 of 4 to point at says nothing to the keyboard",
      "element 4 of 4 to point at is not reached by the keyboard"}},
    {"declared hover, one deaf among others whose words stay",
     guide,
     widget_to_point_at(status_line,
                        "rects.forEach((rect, i) => {"
                        "    if (i != 1) rect.onmouseover = rect.onfocus = () => say(i); });"),
     {"element 2 of 4 to point at says nothing to the mouse",
      "element 2 of 4 to point at says nothing to the keyboard"}},
    {"declared hover without a line of status",
     guide,
     widget_to_point_at("", ""),
     {"w has elements to point at and no line of status"}},
    {"declared hover that goes back",
     guide,
     widget_to_point_at(status_line, "rects.forEach((rect, i) => {"
                                     "    rect.onpointerenter = rect.onfocus = () => say(i);"
                                     "    rect.onpointerleave = rect.onblur = hush; });"),
     {}},
    {"declared hover that stays",
     guide,
     widget_to_point_at(status_line,
                        "for (const event of ['mouseover', 'focusin'])"
                        "    svg.addEventListener(event, e => say(rects.indexOf(e.target)));"),
     {}},
};

void replace(std::string& text, const std::string& old, const std::string& by)
{
    const std::size_t place = text.find(old);
    CAPTURE(old);
    REQUIRE(place != std::string::npos);
    text.replace(place, old.size(), by);
}

/// A copy of a page with its defect, which loads all else from the book.
Subject planted(const Defect& defect, const fs::path& folder)
{
    CAPTURE(defect.name);
    std::string page = attn::book::content_of(html / defect.page);
    replace(page, "<head>", "<head><base href=\"file://" + html.string() + "/\"/>");
    replace(page, "</div><!-- contents -->", defect.put_in + "</div><!-- contents -->");
    if (!defect.script.empty()) {
        std::string script = attn::book::content_of(html / defect.script);
        replace(script, defect.taken_out, "");
        const fs::path copy = folder / (defect.name + ".js");
        std::ofstream(copy) << script;
        replace(page, "src=\"" + defect.script + "\"", "src=\"file://" + copy.string() + "\"");
    }
    const fs::path copy = folder / (defect.name + ".html");
    std::ofstream(copy) << page;
    return {copy, defect.name};
}

} // namespace

TEST_CASE("in a browser all pages work", "[book][browser]")
{
    if (can_be_checked()) {
        require_nothing(pages(Kind::other));
    }
}

TEST_CASE("in a browser the widest pages of structs and listings work", "[book][browser]")
{
    if (can_be_checked()) {
        require_nothing(widest(Kind::listing, "\n", 10));
        require_nothing(widest(Kind::reference, " \n", 40));
    }
}

TEST_CASE("in a browser the attention explorer works, and repaints in time", "[book][browser]")
{
    if (!can_be_checked()) {
        return;
    }
    // 6 layers of 8 heads, 64 wide, on 64 words.
    const ScratchFolder scratch;
    std::vector<attn::program::ExploredAttention> attentions;
    for (std::uint64_t layer = 1; layer <= 6; ++layer) {
        attentions.push_back(attn::testing::drawn_attention(8, 64, 64, layer));
    }
    const fs::path file = scratch.path() / "explorer.html";
    attn::program::write_explorer(file.string(), "64 words", attentions);
    CHECK(fs::file_size(file) <= attn::program::largest_explorer);
    std::cout << "the explorer's file has " << fs::file_size(file) << " bytes\n";
    CHECK(attn::book::content_of(file).find("\"queries_5\"") != std::string::npos);
    // Of the same page one number is wrong: it is found that the weights do not belong to it.
    attentions[3].weights(0, 2, 40, 7) += 0.1F;
    const fs::path wrong = scratch.path() / "wrong.html";
    attn::program::write_explorer(wrong.string(), "64 words", attentions);
    CHECK(findings_in({{file, "explorer", true}, {wrong, "wrong", true}}, 1) ==
          std::vector<std::string>{"wrong: widget_explorer computes otherwise than the program",
                                   "wrong: the explorer's softmax is not the written weights"});
}

TEST_CASE("in a browser each planted defect is found, and only that", "[book][browser]")
{
    if (!can_be_checked()) {
        return;
    }
    const ScratchFolder scratch;
    std::vector<Subject> subjects;
    std::vector<std::string> expected;
    for (const Defect& defect : defects) {
        if (fs::is_regular_file(html / defect.page)) {
            subjects.push_back(planted(defect, scratch.path()));
            for (const std::string& finding : defect.findings) {
                expected.push_back(defect.name + ": " + finding);
            }
        }
    }
    const std::vector<std::string> found = findings_in(subjects, 1);
    CHECK(found == expected);
}
