#include "tests/book/html.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <sstream>

#include <gumbo.h>

namespace attn::book {

namespace {

/// Gumbo knows the elements of HTML by name, and those of drawings only as they are written.
std::string tag_of(const GumboElement& element)
{
    if (element.tag != GUMBO_TAG_UNKNOWN) {
        return gumbo_normalized_tagname(element.tag);
    }
    GumboStringPiece written = element.original_tag;
    gumbo_tag_from_original_text(&written);
    std::string tag(written.data, written.length);
    std::transform(tag.begin(), tag.end(), tag.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return tag;
}

std::vector<Node> copied(const GumboVector& nodes);

Node copied(const GumboNode& node)
{
    Node copy;
    if (node.type != GUMBO_NODE_ELEMENT && node.type != GUMBO_NODE_TEMPLATE) {
        copy.text = node.v.text.text;
        copy.line = node.v.text.start_pos.line;
        return copy;
    }
    const GumboElement& element = node.v.element;
    copy.tag = tag_of(element);
    copy.line = element.start_pos.line;
    for (unsigned i = 0; i < element.attributes.length; ++i) {
        const auto& attribute = *static_cast<const GumboAttribute*>(element.attributes.data[i]);
        const bool of_xlink = attribute.attr_namespace == GUMBO_ATTR_NAMESPACE_XLINK;
        copy.attributes[(of_xlink ? "xlink:" : "") + std::string(attribute.name)] =
            attribute.value;
    }
    copy.children = copied(element.children);
    return copy;
}

std::vector<Node> copied(const GumboVector& nodes)
{
    std::vector<Node> copies;
    for (unsigned i = 0; i < nodes.length; ++i) {
        const auto& node = *static_cast<const GumboNode*>(nodes.data[i]);
        if (node.type != GUMBO_NODE_COMMENT) {
            copies.push_back(copied(node));
        }
    }
    return copies;
}

} // namespace

Node parse_html(const std::string& html)
{
    const auto destroy = [](GumboOutput* output) {
        gumbo_destroy_output(&kGumboDefaultOptions, output);
    };
    const std::unique_ptr<GumboOutput, decltype(destroy)> output(
        gumbo_parse_with_options(&kGumboDefaultOptions, html.data(), html.size()), destroy);
    Node root;
    root.children = copied(output->document->v.document.children);
    return root;
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
