/// \file
/// \brief An HTML page as a tree, read by the library gumbo as HTML5 asks of a browser, and the
/// few questions that the checks of the book ask of it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attn::book {

/// An element with its children, or a piece of text.
struct Node
{
    std::string tag;                               ///< in lower case; empty for text
    std::map<std::string, std::string> attributes; ///< "href", "xlink:href" and their values
    std::string text;                              ///< of a piece of text
    std::size_t line = 0;                          ///< where it begins in the page
    std::vector<Node> children;                    ///< in their order
};

/// \returns a root without a tag that holds all of a page's source but comments
Node parse_html(const std::string& html);

/// \returns an address without bytes written as "%20": with the bytes themselves
std::string without_escapes(const std::string& address);

/// \returns the value of an element's attribute, empty where it has none
std::string attribute(const Node& node, const std::string& name);

/// \returns whether an element's attribute `class` holds a name
bool has_class(const Node& node, std::string_view name);

/// \returns the text of all that a node holds
std::string text_of(const Node& node);

/// Goes through a tree in the order of the page.
/// \param visit  called for each node; false leaves out the node's children
void walk(const Node& node, const std::function<bool(const Node&)>& visit);

/// \returns all nodes of a tree that are wanted, in the order of the page; they live as long as the
///          tree
std::vector<const Node*> find_all(const Node& root,
                                  const std::function<bool(const Node&)>& wanted);

/// \param tag   in lower case
/// \param name  of a class, or empty for any
/// \returns     all elements of this tag and class, in the order of the page
std::vector<const Node*> elements(const Node& root, std::string_view tag,
                                  std::string_view name = "");

} // namespace attn::book
