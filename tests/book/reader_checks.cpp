// The pages that send readers on: answers, resources, the index of functions.
#include "tests/book/requests.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace attn::book {

namespace {

namespace fs = std::filesystem;

/// The words of a text with one blank between them, without the joiners of no width with which
/// Doxygen begins a quotation.
std::string on_one_line(const std::string& text)
{
    static const std::regex joiner("\u200D");
    std::istringstream words(std::regex_replace(text, joiner, ""));
    std::string line;
    for (std::string word; words >> word;) {
        line += line.empty() ? word : " " + word;
    }
    return line;
}

// -------------------------------------------------------------------------------- the answers

/// A question of a chapter's questions.md.
struct Question
{
    std::string text;  ///< as a heading shows it, without code's backticks
    std::size_t line;  ///< where it stands
    std::string place; ///< the name it must have on the page of answers
};

std::vector<Question> questions_of(const Book& book, const std::string& id)
{
    std::vector<Question> questions;
    for (auto& [line, number] :
         lines_of(content_of(book.source / "chapters" / id / "questions.md"))) {
        if (line.rfind("## ", 0) == 0) {
            line.erase(std::remove(line.begin(), line.end(), '`'), line.end());
            questions.push_back({on_one_line(line.substr(3)), number,
                                 "answers_" + id + "_" + std::to_string(questions.size() + 1)});
        }
    }
    return questions;
}

bool is_heading(const Node& node)
{
    return node.tag.size() == 2 && node.tag[0] == 'h' && node.tag[1] >= '1' &&
           node.tag[1] <= '6';
}

bool holds(const Node& node, const std::string& anchor)
{
    return !find_all(node, [&](const Node& n) { return attribute(n, "id") == anchor; }).empty();
}

/// What the page of answers says to one question.
struct Answer
{
    std::size_t line = 0;            ///< of the heading; 0 where there is none
    std::string question;            ///< the heading
    std::string sentence;            ///< the block quotes below it
    std::vector<std::string> places; ///< where the links to chapters lead
};

/// What stands below the heading of a name, up to the next heading.
Answer answer_at(const Node& page, const std::string& place)
{
    Answer answer;
    bool inside = false;
    walk(page, [&](const Node& node) {
        if (is_heading(node)) {
            inside = holds(node, place);
            if (inside) {
                answer.line = node.line;
                answer.question = on_one_line(text_of(node));
            }
            return false;
        }
        if (inside && node.tag == "blockquote") {
            answer.sentence += text_of(node) + " ";
            return false;
        }
        if (inside && node.tag == "a" && attribute(node, "href").rfind("chapter_", 0) == 0) {
            answer.places.push_back(attribute(node, "href"));
        }
        return true;
    });
    answer.sentence = on_one_line(answer.sentence);
    return answer;
}

/// The text of a section: from the heading that holds the anchor to the next of its level.
std::string section_at(const Node& page, const std::string& anchor)
{
    std::string text;
    std::string level;
    walk(page, [&](const Node& node) {
        if (is_heading(node)) {
            if (holds(node, anchor)) {
                level = node.tag;
            } else if (!level.empty() && node.tag <= level) {
                level.clear();
            }
        }
        text += level.empty() ? "" : node.text;
        return true;
    });
    return on_one_line(text);
}

/// Whether an HTML page is a chapter's, or one of its sub-pages.
bool is_page_of(const Book& book, const std::string& id, const std::string& html)
{
    const std::vector<fs::path> pages = pages_of_chapter(book, id);
    return std::any_of(pages.begin(), pages.end(), [&](const fs::path& page) {
        return html_of(content_of(book.source / page)) == html;
    });
}

/// What is wrong with an answer, or nothing.
std::string fault_of(const Book& book, const std::string& id, const Question& question,
                     const Answer& answer)
{
    const std::string page = "chapter_" + id + ".html";
    if (answer.line == 0) {
        return "'" + question.text + "' of " + id + " is missing";
    }
    if (answer.question != question.text) {
        return "asks '" + answer.question + "' where " + id + " asks '" + question.text + "'";
    }
    if (answer.sentence.empty()) {
        return "no sentence answers '" + question.text + "'";
    }
    const std::size_t hash = answer.places.empty() ? 0 : answer.places[0].find('#');
    const std::string opened = answer.places.empty() ? "" : answer.places[0].substr(0, hash);
    if (answer.places.size() != 1 || !is_page_of(book, id, opened)) {
        return "'" + question.text + "' has not one link, to " + page;
    }
    const Node whole = parse_html(content_of(book.html / opened));
    const std::string section = hash == std::string::npos
                                    ? on_one_line(text_of(whole))
                                    : section_at(whole, answer.places[0].substr(hash + 1));
    if (section.find(answer.sentence) == std::string::npos) {
        return "the answer to '" + question.text + "' does not stand in " + answer.places[0];
    }
    return "";
}

/// Questions of the chapters that the page of answers lacks, or answers otherwise than the
/// section does to which it leads.
std::vector<Finding> unanswered_questions(const Book& book)
{
    const Node page = parse_html(content_of(book.html / "answers.html"));
    std::vector<Finding> findings;
    for (const Chapter& chapter : book.chapters) {
        const std::vector<Question> questions = questions_of(book, chapter.id);
        if (questions.empty()) {
            findings.push_back(
                {"chapters/" + chapter.id + "/questions.md", 0, "there are no questions"});
        }
        for (const Question& question : questions) {
            const Answer answer = answer_at(page, question.place);
            const std::string fault = fault_of(book, chapter.id, question, answer);
            if (!fault.empty()) {
                findings.push_back({"answers.html", answer.line, fault});
            }
        }
    }
    return findings;
}

// ------------------------------------------------------------------------------ the resources

/// The ids of docs/planned_chapters.txt.
std::set<std::string> planned_chapters(const Book& book)
{
    std::set<std::string> ids;
    std::istringstream file(content_of(book.source / "docs/planned_chapters.txt"));
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] >= '0' && line[0] <= '9') {
            ids.insert(line.substr(0, line.find_first_of(" |")));
        }
    }
    return ids;
}

/// An entry of a list, with what is indented below its dash on the lines that follow.
struct Entry
{
    std::size_t line;
    std::string text;
};

std::vector<Entry> entries_of(const std::string& page)
{
    static const std::regex dash(R"(^ *- )");
    std::vector<Entry> entries;
    bool inside = false;
    for (const auto& [line, number] : lines_of(page)) {
        if (std::regex_search(line, dash)) {
            entries.push_back({number, line});
            inside = true;
        } else if (on_one_line(line).empty()) {
            inside = false;
        } else if (inside) {
            entries.back().text += " " + line;
        }
    }
    return entries;
}

/// Resources that no chapter shows, chapters that nobody plans, links without https.
std::vector<Finding> resources_astray(const Book& book)
{
    static const std::regex mention(R"(\\[cC]hapter\{([^}]*)\})");
    static const std::regex insecure(R"(^\s*(//|(?!https:|mailto:)[A-Za-z][A-Za-z0-9+.-]*:))");
    const std::string source = "docs/resources.md";
    const std::set<std::string> planned = planned_chapters(book);
    const std::vector<Entry> entries = entries_of(content_of(book.source / source));
    std::vector<Finding> findings;
    if (entries.empty()) {
        findings.push_back({source, 0, "there are no resources"});
    }
    for (const Entry& entry : entries) {
        auto match = std::sregex_iterator(entry.text.begin(), entry.text.end(), mention);
        if (match == std::sregex_iterator()) {
            findings.push_back({source, entry.line, "the entry names no chapter"});
        }
        for (; match != std::sregex_iterator(); ++match) {
            if (planned.count((*match)[1]) == 0) {
                findings.push_back(
                    {source, entry.line,
                     "'" + (*match)[1].str() + "' is not in docs/planned_chapters.txt"});
            }
        }
    }
    const Node page = parse_html(content_of(book.html / "resources.html"));
    for (const Node* link : elements(page, "a")) {
        const std::string target = attribute(*link, "href");
        if (std::regex_search(target, insecure)) {
            findings.push_back(
                {"resources.html", link->line, "'" + target + "' is not reached by https"});
        }
    }
    return findings;
}

// ------------------------------------------------------------------- the index of functions

/// Functions that Doxygen describes and the index of functions does not lead to: of those that
/// have one name in one place, to the first. Destructors and assignments are left out of it.
std::vector<Finding> functions_not_in_the_index(const Book& book)
{
    static const std::regex left_out(R"(^(~|operator=\())");
    const std::string name = "namespacemembers_func.html";
    std::set<std::string> indexed; // "namespaceone.html one()"
    const Node index = parse_html(content_of(book.html / name));
    for (const Node* link : elements(index, "a", "el")) {
        const std::string target = attribute(*link, "href");
        indexed.insert(target.substr(0, target.find('#')) + " " + text_of(*link));
    }
    std::vector<Finding> findings;
    for (const Page& page : pages_of(book)) {
        for (const Node* title : elements(page.root, "h2", "memtitle")) {
            const auto marks = elements(*title, "span");
            const std::string all = text_of(*title);
            const std::string text =
                on_one_line(all.substr(marks.empty() ? 0 : text_of(*marks.front()).size()));
            const std::size_t end = text.rfind("()");
            if (end == std::string::npos || std::regex_search(text, left_out)) {
                continue;
            }
            const std::string function = text.substr(0, end + 2); // "[1/2]" may follow
            if (indexed.count(page.name + " " + function) == 0) {
                findings.push_back({page.name, title->line,
                                    name + " does not lead to " + function +
                                        "; has its namespace a description?"});
            }
        }
    }
    return findings;
}

} // namespace

const std::vector<Check>& reader_checks()
{
    static const std::vector<Check> checks = {
        {"unanswered questions", unanswered_questions},
        {"resources astray", resources_astray},
        {"functions not in the index", functions_not_in_the_index}};
    return checks;
}

} // namespace attn::book
