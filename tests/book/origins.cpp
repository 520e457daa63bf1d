#include "tests/book/origins.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <muParser.h>
#include <optional>
#include <regex>
#include <stdexcept>
#include <utility>

namespace attn::book {

namespace {

std::string unquoted(std::string text)
{
    const std::size_t first = text.find_first_not_of(' ');
    text = first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(' ') + 1 - first);
    const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
    return quoted ? text.substr(1, text.size() - 2) : text;
}

/// Splits where a comma stands, but in quotation marks.
std::vector<std::string> parts_of(const std::string& list)
{
    std::vector<std::string> parts(1);
    bool quoted = false;
    for (const char c : list) {
        quoted = quoted != (c == '"');
        if (c == ',' && !quoted) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

Key key_of(const std::string& part)
{
    for (const char* const relation : {"<=", ">=", "="}) {
        const std::size_t at = part.find(relation);
        if (at != std::string::npos) {
            return {unquoted(part.substr(0, at)), relation,
                    unquoted(part.substr(at + std::string_view(relation).size()))};
        }
    }
    throw std::runtime_error(fmt::format("'{}' is no key: column=value", unquoted(part)));
}

/// "lengths, kind=none, length=5, bleu", if an expression is that and no other.
std::optional<Reference> as_list(const std::string& expression)
{
    const std::vector<std::string> parts = parts_of(expression);
    static const std::regex names("\"[^\"]*\"");
    const std::string unnamed = std::regex_replace(expression, names, "");
    if (parts.size() < 2 || unnamed.find_first_of("[(") != std::string::npos) {
        return {};
    }
    Reference reference{unquoted(parts.front()), {}, unquoted(parts.back())};
    if (parts.front().front() == '"') {
        reference.table = '"' + reference.table + '"';
    }
    for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
        reference.keys.push_back(key_of(parts[i]));
    }
    return reference;
}

/// Numbers as the arguments of a function.
std::string as_arguments(const std::vector<double>& numbers)
{
    std::string text;
    for (const double number : numbers) {
        text += text.empty() ? "" : ",";
        text += std::isfinite(number) ? fmt::format("({:.17g})", number) : "nan";
    }
    return text;
}

double median(const double* numbers, int n)
{
    std::vector<double> sorted(numbers, numbers + n);
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double rising(const double* numbers, int n)
{
    return std::adjacent_find(numbers, numbers + n, std::greater_equal<>()) == numbers + n;
}

double falling(const double* numbers, int n)
{
    return std::adjacent_find(numbers, numbers + n, std::less_equal<>()) == numbers + n;
}

double value_of(const std::string& arithmetic)
{
    try {
        mu::Parser parser;
        parser.DefineConst("nan", std::numeric_limits<double>::quiet_NaN());
        parser.DefineFun("median", median);
        parser.DefineFun("rising", rising);
        parser.DefineFun("falling", falling);
        parser.SetExpr(arithmetic);
        int n = 0;
        const double* const values = parser.Eval(n);
        if (n != 1) {
            throw std::runtime_error(fmt::format("it is {} numbers, not one", n));
        }
        return *values;
    } catch (const mu::Parser::exception_type& error) {
        throw std::runtime_error(error.GetMsg());
    }
}

/// The commands of a page, each on one line, with at most one pair of braces inside.
const std::regex& command()
{
    static const std::regex pattern(
        R"(\\(from|holds|printed|tested)\{((?:[^{}\n]|\{[^{}\n]*\})*)\})");
    return pattern;
}

// ---------------------------------------------------------------- what is no measured number

/// Blanks a part of a text, but for its line breaks.
void blank(std::string& text, std::size_t begin, std::size_t end)
{
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(begin),
        text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
}

/// Blanks what stands between two marks, and the marks.
void blank(std::string& text, std::string_view begin, std::string_view end)
{
    for (std::size_t at = text.find(begin); at != std::string::npos;
         at = text.find(begin, at + begin.size())) {
        const std::size_t stop = text.find(end, at + begin.size());
        blank(text, at, stop == std::string::npos ? text.size() : stop + end.size());
    }
}

void blank(std::string& text, const std::regex& pattern)
{
    for (std::smatch found; std::regex_search(text, found, pattern);) {
        const auto at = static_cast<std::size_t>(found.position());
        blank(text, at, at + static_cast<std::size_t>(found.length()));
    }
}

/// A page without its code: blocks, and spans, which end with as many marks as they begin with.
std::string without_code(std::string text)
{
    blank(text, "```", "```");
    for (std::size_t at = 0; (at = text.find('`', at)) != std::string::npos;) {
        const std::size_t first = std::min(text.find_first_not_of('`', at), text.size());
        const std::string marks = text.substr(at, first - at);
        const std::size_t close = text.find(marks, first);
        if (close < text.find("\n\n", first)) { // else it is a mark that opens nothing
            blank(text, at, close + marks.size());
        }
        at = first;
    }
    return text;
}

/// The page with blanks in the place of everything in which a number is none of the page's own.
std::string prose_of(const std::string& text)
{
    std::string prose = without_code(text);
    if (prose.starts_with('#')) {
        blank(prose, "#", "\n");
    }
    blank(prose, "\\f[", "\\f]");
    blank(prose, "\\f$", "\\f$");
    blank(prose, command());
    blank(prose, "{#", "}");
    blank(prose, "](", ")");
    for (const char* const command : {"\n#", "\n\\snippet", "\\output{", "\\widget{",
                                      "\\chapter{", "\\Chapter{", "\n\\include"}) {
        blank(prose, command, std::string_view(command).ends_with('{') ? "}" : "\n");
    }
    static const std::regex numbered(
        "\\\\(figure|drawing)\\{[^,]*,|\\\\ref [a-z0-9_]+( "
        "\"[^\"]*\")?|(Figures?|[Ee]xercises?|Answers?|[Ee]quations?|Sections?) "
        "[0-9]+\\.[0-9]+[a-z]?( (and|to) [0-9]+\\.[0-9]+[a-z]?)?|\\*\\*[0-9]+\\.[0-9]+");
    blank(prose, numbered);
    return prose;
}

/// The sentence around a place of a text, a cell of a table being one.
std::string_view sentence_at(std::string_view text, std::size_t place)
{
    const auto is_end = [&](std::size_t at) { // of a sentence, a paragraph or a cell
        const bool stop = text[at] == '.' || (text[at] == ')' && text[at - 1] == '.');
        const char next = at + 1 < text.size() ? text[at + 1] : '\n';
        return text[at] == '|' || (text[at] == '\n' && next == '\n') ||
               (stop && (next == ' ' || next == '\n'));
    };
    std::size_t begin = place;
    while (begin > 1 && !is_end(begin - 1)) {
        --begin;
    }
    std::size_t end = place;
    while (end < text.size() && !is_end(end)) {
        ++end;
    }
    return text.substr(begin, end - begin);
}

// ---------------------------------------------------------------- a page

/// A page that is being checked.
class Checker
{
public:
    Checker(const std::string& file, const std::string& text, const std::string& chapter,
            Tables& tables)
        : file_(file), text_(text), chapter_(chapter), tables_(tables)
    {
        origins_.mended = text;
    }

    PageOrigins run()
    {
        check_commands();
        check_others();
        std::sort(
            origins_.findings.begin(), origins_.findings.end(),
            [](const Finding& one, const Finding& other) { return one.line < other.line; });
        return std::move(origins_);
    }

private:
    void find(std::size_t place, std::string what)
    {
        origins_.findings.push_back(
            {file_, line_at(text_, static_cast<std::ptrdiff_t>(place)), std::move(what)});
    }

    void check_commands()
    {
        const std::string text = without_code(text_);
        for (std::sregex_iterator at(text.begin(), text.end(), command()), end; at != end;
             ++at) {
            const auto place = static_cast<std::size_t>(at->position());
            const std::string expression = (*at)[2];
            try {
                check((*at)[1], place, expression);
            } catch (const std::runtime_error& error) {
                find(place, fmt::format("'{}': {}", expression, error.what()));
            }
        }
        for (const char* const open : {"\\from{", "\\printed{", "\\tested{", "\\holds{"}) {
            for (std::size_t at = text.find(open); at != std::string::npos;
                 at = text.find(open, at + 1)) {
                if (!std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(at),
                                       text.end(), command(),
                                       std::regex_constants::match_continuous)) {
                    find(at, "the braces do not close on their line");
                }
            }
        }
    }

    /// Checks one command.
    void check(const std::string& kind, std::size_t place, std::string expression)
    {
        ++(kind == "holds" ? origins_.n_checks : origins_.n_origins);
        if (kind == "from") {
            compare(place, expression, evaluate(expression, chapter_, tables_));
        } else if (kind == "holds") {
            const double value = evaluate(expression, chapter_, tables_);
            if (std::isnan(value) || value == 0) {
                find(place, fmt::format("'{}' does not hold", expression));
            }
        } else if (kind == "tested") {
            if (!tables_.has_test(expression)) {
                find(place, fmt::format("no test is called '{}'", expression));
            }
        } else {
            const std::size_t sign = expression.find('#');
            const std::string number = number_before(place).str(2);
            if (sign == std::string::npos || number.empty()) {
                find(place, fmt::format("'{}' has no # for the number before it", expression));
            } else if (!tables_.prints(chapter_, expression.replace(sign, 1, number))) {
                find(place, fmt::format("'{}' is not printed", expression));
            }
        }
    }

    /// The number that stands before a place on its line: its sign, its digits, its decimals, what
    /// stands between.
    std::smatch number_before(std::size_t place)
    {
        static const std::regex before(
            "(-|\xe2\x88\x92|\\+)?([0-9][0-9,]*(\\.[0-9]+)?|\\.[0-9]+)( ?%|\\*\\*?)?$");
        const std::size_t line = text_.rfind('\n', place) + 1;
        head_ = text_.substr(line, place - line);
        std::smatch found;
        std::regex_search(head_, found, before);
        return found;
    }

    /// Compares the number that stands before a place with a value.
    void compare(std::size_t place, const std::string& expression, double value)
    {
        const std::smatch found = number_before(place);
        const std::size_t line = text_.rfind('\n', place) + 1;
        if (found.empty()) {
            find(place, fmt::format("no number stands before the origin '{}'", expression));
            return;
        }
        std::string digits = found[2];
        const bool commas = digits.find(',') != std::string::npos;
        std::erase(digits, ',');
        const bool negative = found[1].matched && found[1] != "+";
        const double printed = (negative ? -1 : 1) * std::stod(digits);
        const std::size_t point = digits.find('.');
        const auto decimals =
            static_cast<int>(point == std::string::npos ? 0 : digits.size() - point - 1);
        double half = 0.5;
        for (int i = 0; i < decimals; ++i) {
            half /= 10;
        }
        if (std::abs(value - printed) <= half * (1 + 1e-9) + 1e-12 * std::abs(value)) {
            return;
        }
        find(place, fmt::format("{} is {} in {}", found.str(), value, expression));
        std::string right = fmt::format("{:.{}f}", std::abs(value), decimals);
        if (commas) {
            const std::size_t whole = std::min(right.find('.'), right.size());
            for (std::size_t i = whole; i > 3; i -= 3) {
                right.insert(i - 3, ",");
            }
        }
        right = (value < 0 ? (found[1].matched ? found[1].str() : "-") : "") + right +
                found[4].str();
        const std::size_t shift =
            origins_.mended.size(); // what was mended before moved the rest
        origins_.mended.replace(line + static_cast<std::size_t>(found.position()) + shift_,
                                found.str().size(), right);
        shift_ += origins_.mended.size() - shift;
    }

    /// Refuses numbers with a decimal point of which nothing is said.
    void check_others()
    {
        const std::string prose = prose_of(text_);
        std::string plain = text_; // a check behind a full stop does not join two sentences
        blank(plain, command());
        static const std::regex decimal("[0-9]*\\.[0-9]+");
        static const std::regex told(
            "( ?%|\\*\\*?)?\\\\(from\\{|printed\\{|tested\\{|given\\b)");
        for (std::sregex_iterator at(prose.begin(), prose.end(), decimal), end; at != end;
             ++at) {
            const auto place = static_cast<std::size_t>(at->position());
            const std::size_t past = place + at->str().size();
            const bool part_of_name =
                (place > 0 &&
                 (std::isalnum(static_cast<unsigned char>(prose[place - 1])) != 0 ||
                  prose[place - 1] == '.')) ||
                std::isalpha(static_cast<unsigned char>(prose[past])) != 0 ||
                (prose[past] == '.' &&
                 std::isdigit(static_cast<unsigned char>(prose[past + 1])) != 0);
            const bool is_told =
                std::regex_search(text_.begin() + static_cast<std::ptrdiff_t>(past),
                                  text_.end(), told, std::regex_constants::match_continuous);
            if (!part_of_name && !is_told &&
                sentence_at(plain, place).find("\\cite") == std::string_view::npos) {
                find(place,
                     fmt::format(R"({} has no origin: \from{{...}} names the table, \given )"
                                 R"(says that the page sets it)",
                                 at->str()));
            }
        }
    }

    const std::string& file_;
    const std::string& text_;
    const std::string& chapter_;
    Tables& tables_;
    PageOrigins origins_;
    std::string head_;      ///< the line's beginning, into which number_before points
    std::size_t shift_ = 0; ///< may wrap round, as it is only added
};

} // namespace

double evaluate(std::string_view expression, const std::string& chapter, Tables& tables)
{
    std::string rest(expression);
    if (const std::optional<Reference> reference = as_list(rest)) {
        return value_of(as_arguments(tables.numbers(chapter, *reference)));
    }
    static const std::regex reference(
        R"re(((?:(?:[0-9][0-9]_[A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*)/)*(?:"[^"]+"|[A-Za-z_][A-Za-z0-9_]*))(?:\[([^\]]*)\])?\.("[^"]+"|[A-Za-z_][A-Za-z0-9_]*))re");
    std::string arithmetic;
    for (std::smatch found; std::regex_search(rest, found, reference);
         rest = found.suffix().str()) {
        Reference asked{found[1], {}, unquoted(found[3])};
        if (found[2].length() > 0) {
            for (const std::string& part : parts_of(found[2])) {
                asked.keys.push_back(key_of(part));
            }
        }
        arithmetic += found.prefix().str() + as_arguments(tables.numbers(chapter, asked));
    }
    return value_of(arithmetic + rest);
}

PageOrigins check_origins(const std::string& file, const std::string& text,
                          const std::string& chapter, Tables& tables)
{
    return Checker(file, text, chapter, tables).run();
}

} // namespace attn::book
