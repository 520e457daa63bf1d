#include "tests/book/html.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>
#include <utility>

namespace attn::book {

namespace {

bool is_space(char c)
{
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string utf8(std::uint32_t code)
{
    const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
    if (code < 0x80) {
        return {byte(code)};
    }
    if (code < 0x800) {
        return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
    }
    if (code < 0x10000) {
        return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)),
                byte(0x80 | (code & 0x3F))};
    }
    return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)),
            byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
}

/// What an entity stands for, without its & and ;. Unknown names stay as they were.
std::string entity(const std::string& name)
{
    static const std::map<std::string, std::string> names = {
        {"amp", "&"},      {"lt", "<"},    {"gt", ">"},     {"quot", "\""},  {"apos", "'"},
        {"nbsp", " "},     {"ndash", "–"}, {"mdash", "—"},  {"lsquo", "‘"},  {"rsquo", "’"},
        {"ldquo", "“"},    {"rdquo", "”"}, {"hellip", "…"}, {"minus", "−"},  {"times", "×"},
        {"middot", "·"},   {"deg", "°"},   {"eacute", "é"}, {"egrave", "è"}, {"auml", "ä"},
        {"ouml", "ö"},     {"uuml", "ü"},  {"Auml", "Ä"},   {"Ouml", "Ö"},   {"Uuml", "Ü"},
        {"szlig", "ß"},    {"rarr", "→"},  {"larr", "←"},   {"le", "≤"},     {"ge", "≥"},
        {"zwj", "\u200D"}, {"copy", "©"}};
    if (name.size() > 1 && name[0] == '#') {
        const bool hexadecimal = name[1] == 'x' || name[1] == 'X';
        const std::string digits = name.substr(hexadecimal ? 2 : 1);
        const unsigned long code = std::strtoul(digits.c_str(), nullptr, hexadecimal ? 16 : 10);
        return code == 160 ? " " : utf8(static_cast<std::uint32_t>(code));
    }
    const auto found = names.find(name);
    return found == names.end() ? "&" + name + ";" : found->second;
}

const std::set<std::string>& void_elements()
{
    static const std::set<std::string> tags = {"area",  "base",   "br",    "col",  "embed",
                                               "hr",    "img",    "input", "link", "meta",
                                               "param", "source", "track", "wbr"};
    return tags;
}

/// Elements that end an open paragraph when they begin.
const std::set<std::string>& block_elements()
{
    static const std::set<std::string> tags = {
        "p",   "div", "table", "ul", "ol", "dl", "pre", "figure", "blockquote",
        "nav", "h1",  "h2",    "h3", "h4", "h5", "h6",  "hr",     "details"};
    return tags;
}

/// Reads from left to right; the open elements are a path from the root down.
class Parser
{
public:
    explicit Parser(std::string_view html) : html_(html) { open_.emplace_back(); }

    Node parse()
    {
        while (at_ < html_.size()) {
            if (html_[at_] != '<') {
                read_text(html_.find('<', at_));
            } else if (starts("<!--")) {
                skip_past("-->");
            } else if (starts("<!") || starts("<?")) {
                skip_past(">");
            } else if (starts("</")) {
                read_end_tag();
            } else if (at_ + 1 < html_.size() &&
                       std::isalpha(static_cast<unsigned char>(html_[at_ + 1])) != 0) {
                read_start_tag();
            } else {
                read_text(html_.find('<', at_ + 1)); // a "<" that is only a character
            }
        }
        while (open_.size() > 1) {
            close_last();
        }
        return std::move(open_.front());
    }

private:
    bool starts(std::string_view what) const { return html_.substr(at_, what.size()) == what; }

    /// Takes the characters up to a place, and counts their lines.
    std::string_view take_to(std::size_t end)
    {
        const std::string_view taken = html_.substr(at_, end - at_);
        line_ += static_cast<std::size_t>(std::count(taken.begin(), taken.end(), '\n'));
        at_ += taken.size();
        return taken;
    }

    void skip_past(std::string_view what)
    {
        const std::size_t found = html_.find(what, at_);
        take_to(found == std::string_view::npos ? html_.size() : found + what.size());
    }

    void add_text(std::string_view raw, std::size_t line, bool decode)
    {
        Node text;
        text.text = decode ? decoded(raw) : std::string(raw);
        text.line = line;
        open_.back().children.push_back(std::move(text));
    }

    void read_text(std::size_t end)
    {
        const std::size_t line = line_;
        add_text(take_to(std::min(end, html_.size())), line, true);
    }

    void close_last()
    {
        Node done = std::move(open_.back());
        open_.pop_back();
        open_.back().children.push_back(std::move(done));
    }

    void read_end_tag()
    {
        const std::string_view whole = take_to(std::min(html_.find('>', at_), html_.size()));
        take_to(std::min(at_ + 1, html_.size()));
        std::string tag = lower(whole.substr(2));
        tag.erase(std::remove_if(tag.begin(), tag.end(), is_space), tag.end());
        const auto opened = std::find_if(open_.rbegin(), open_.rend() - 1,
                                         [&](const Node& node) { return node.tag == tag; });
        if (opened == open_.rend() - 1) {
            return;
        }
        for (auto count = opened - open_.rbegin() + 1; count > 0; --count) {
            close_last();
        }
    }

    void read_start_tag()
    {
        Node node;
        node.line = line_;
        take_to(at_ + 1);
        node.tag =
            lower(take_to(std::min(html_.find_first_of(" \t\r\n/>", at_), html_.size())));
        const bool closed = read_attributes(node.attributes);
        if (open_.back().tag == "p" && block_elements().count(node.tag) != 0) {
            close_last();
        }
        const std::string tag = node.tag;
        open_.push_back(std::move(node));
        if (closed || void_elements().count(tag) != 0) {
            close_last();
        } else if (tag == "script" || tag == "style") {
            const std::size_t line = line_;
            add_text(take_to(std::min(html_.find("</" + tag, at_), html_.size())), line, false);
        }
    }

    /// Up to the end of the tag; whether that was "/>".
    bool read_attributes(std::map<std::string, std::string>& attributes)
    {
        bool closed = false;
        while (at_ < html_.size() && html_[at_] != '>') {
            if (is_space(html_[at_]) || html_[at_] == '/') {
                closed = html_[at_] == '/';
                take_to(at_ + 1);
                continue;
            }
            closed = false;
            const std::size_t name_end = html_.find_first_of(" \t\r\n=/>", at_);
            const std::string name = lower(take_to(std::min(name_end, html_.size())));
            attributes[name] = starts("=") ? read_value() : std::string();
            if (name.empty()) {
                take_to(at_ + 1); // a character that belongs nowhere
            }
        }
        take_to(std::min(at_ + 1, html_.size()));
        return closed;
    }

    std::string read_value()
    {
        take_to(at_ + 1);
        const char quote = at_ < html_.size() ? html_[at_] : ' ';
        if (quote != '"' && quote != '\'') {
            return decoded(
                take_to(std::min(html_.find_first_of(" \t\r\n>", at_), html_.size())));
        }
        take_to(at_ + 1);
        const std::string value =
            decoded(take_to(std::min(html_.find(quote, at_), html_.size())));
        take_to(std::min(at_ + 1, html_.size()));
        return value;
    }

    std::string_view html_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::vector<Node> open_;
};

} // namespace

Node parse_html(std::string_view html)
{
    return Parser(html).parse();
}

std::string decoded(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t end = text[i] == '&' ? text.find(';', i) : std::string_view::npos;
        if (end == std::string_view::npos || end - i > 10) {
            result += text[i];
        } else {
            result += entity(std::string(text.substr(i + 1, end - i - 1)));
            i = end;
        }
    }
    return result;
}

std::string without_escapes(const std::string& address)
{
    std::string result;
    for (std::size_t i = 0; i < address.size(); ++i) {
        if (address[i] == '%' && i + 2 < address.size()) {
            result += static_cast<char>(std::stoi(address.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            result += address[i];
        }
    }
    return result;
}

std::string attribute(const Node& node, const std::string& name)
{
    const auto found = node.attributes.find(name);
    return found == node.attributes.end() ? std::string() : found->second;
}

bool has_class(const Node& node, std::string_view name)
{
    std::istringstream classes(attribute(node, "class"));
    for (std::string one; classes >> one;) {
        if (one == name) {
            return true;
        }
    }
    return false;
}

std::string text_of(const Node& node)
{
    std::string text;
    walk(node, [&](const Node& inner) {
        text += inner.text;
        return true;
    });
    return text;
}

void walk(const Node& node, const std::function<bool(const Node&)>& visit)
{
    if (visit(node)) {
        for (const Node& child : node.children) {
            walk(child, visit);
        }
    }
}

std::vector<const Node*> find_all(const Node& root,
                                  const std::function<bool(const Node&)>& wanted)
{
    std::vector<const Node*> found;
    walk(root, [&](const Node& node) {
        if (wanted(node)) {
            found.push_back(&node);
        }
        return true;
    });
    return found;
}

std::vector<const Node*> elements(const Node& root, std::string_view tag, std::string_view name)
{
    return find_all(root, [&](const Node& node) {
        return node.tag == tag && (name.empty() || has_class(node, name));
    });
}

} // namespace attn::book
