/// \file
/// \brief Reads an HTML page into a tree, as far as the checks of the book need it. It is
/// deliberately no browser: it knows the pages that Doxygen and this book write.
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
    std::map<std::string, std::string> attributes; ///< decoded, their names in lower case
    std::string text;                              ///< of a piece of text: decoded, as written
    std::size_t line = 1;                          ///< where it begins in the page
    std::vector<Node> children;                    ///< in their order
};

/// Reads a page. Comments and declarations are left out; scripts and styles keep their source
/// as one piece of text. An end tag without a beginning is ignored.
/// \param html  the page's source
/// \returns     a root without a tag that holds all
Node parse_html(std::string_view html);

/// \param text  with entities such as `&amp;` and `&#8211;`
/// \returns     the same with the characters that they stand for, in UTF-8
std::string decoded(std::string_view text);

/// \param address  with bytes written as "%20"
/// \returns        the same with the bytes themselves
std::string without_escapes(const std::string& address);

/// \param node  an element
/// \param name  of the attribute
/// \returns     its value, empty where the element has none
std::string attribute(const Node& node, const std::string& name);

/// \param node  an element
/// \param name  of a class
/// \returns     whether its attribute `class` holds it
bool has_class(const Node& node, std::string_view name);

/// \param node  an element
/// \returns     the text of all that it holds
std::string text_of(const Node& node);

/// Goes through a tree in the order of the page.
/// \param node   the root
/// \param visit  called for each node; false leaves out the node's children
void walk(const Node& node, const std::function<bool(const Node&)>& visit);

/// \param root    of a tree
/// \param wanted  whether a node is looked for
/// \returns       all that are, in the order of the page; they live as long as the tree
std::vector<const Node*> find_all(const Node& root,
                                  const std::function<bool(const Node&)>& wanted);

/// \param root  of a tree
/// \param tag   in lower case
/// \param name  of a class, or empty for any
/// \returns     all elements of this tag and class, in the order of the page
std::vector<const Node*> elements(const Node& root, std::string_view tag,
                                  std::string_view name = "");

} // namespace attn::book
