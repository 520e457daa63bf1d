/// \file
/// \brief The bodies of npy.hpp.
#include "common/storage/npy.hpp"

#include "common/program/atomic_file.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/storage/bytes.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace attn::storage {

namespace {

using program::BadInput;
using program::in_quotes;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t data_alignment = 64; ///< of the data, from the beginning of the file

/// How NumPy writes a type, and how we do.
struct Type
{
    std::string_view numpy;
    std::string_view ours;
};

template <typename T>
constexpr Type type_of;
template <>
constexpr Type type_of<float> = {"<f4", "float"};
template <>
constexpr Type type_of<double> = {"<f8", "double"};
template <>
constexpr Type type_of<std::int64_t> = {"<i8", "std::int64_t"};

/// What a header says.
struct NpyHeader
{
    std::string type;
    bool fortran_order = false;
    Shape shape;
};

/// Reads the dictionary of a header: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}.
class NpyHeaderReader
{
public:
    NpyHeaderReader(std::string_view text, const std::string& source)
        : text_(text), source_(source)
    {
    }

    NpyHeader read()
    {
        bool has_type = false;
        bool has_order = false;
        bool has_shape = false;
        take('{');
        while (!next_is('}')) {
            const std::string key = take_quoted();
            take(':');
            if (key == "descr" && !std::exchange(has_type, true)) {
                take_type();
            } else if (key == "fortran_order" && !std::exchange(has_order, true)) {
                take_order();
            } else if (key == "shape" && !std::exchange(has_shape, true)) {
                take_shape();
            } else {
                fail(fmt::format("{} is no key or stands twice", in_quotes(key)));
            }
            if (!next_is('}')) {
                take(',');
            }
        }
        take('}');
        skip_blanks();
        if (at_ != text_.size()) {
            fail(fmt::format("nothing may follow '}}', found {}", rest()));
        }
        if (!has_type || !has_order || !has_shape) {
            fail("'descr', 'fortran_order' and 'shape' must all be there");
        }
        return header_;
    }

private:
    [[noreturn]] void fail(std::string_view complaint) const
    {
        throw BadInput(fmt::format("{}, header: {}", source_, complaint));
    }

    std::string rest() const { return in_quotes(text_.substr(at_), 20); }

    void skip_blanks()
    {
        at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    }

    bool next_is(char wanted)
    {
        skip_blanks();
        return at_ < text_.size() && text_[at_] == wanted;
    }

    void take(char wanted)
    {
        if (!next_is(wanted)) {
            fail(fmt::format("'{}' was wanted at {}", wanted, rest()));
        }
        ++at_;
    }

    /// Whether a word comes next; if so, passes it.
    bool take_word(std::string_view word)
    {
        skip_blanks();
        const bool found = text_.substr(at_, word.size()) == word;
        at_ += found ? word.size() : 0;
        return found;
    }

    std::string take_quoted()
    {
        const char quote = next_is('"') ? '"' : '\'';
        take(quote);
        const std::size_t end = text_.find(quote, at_);
        if (end == std::string_view::npos) {
            fail("a quote is opened and not closed");
        }
        const std::string_view quoted = text_.substr(at_, end - at_);
        at_ = end + 1;
        return std::string(quoted);
    }

    void take_type()
    {
        if (next_is('[') || next_is('(')) {
            throw BadInput(fmt::format("{}: it holds records of several types, "
                                       "numbers of one type were wanted",
                                       source_));
        }
        header_.type = take_quoted();
    }

    void take_order()
    {
        header_.fortran_order = take_word("True");
        if (!header_.fortran_order && !take_word("False")) {
            fail(fmt::format("'fortran_order' must be True or False, found {}", rest()));
        }
    }

    void take_shape()
    {
        bool one_without_comma = false;
        take('(');
        while (!next_is(')')) {
            header_.shape.push_back(take_length());
            one_without_comma = header_.shape.size() == 1 && next_is(')');
            if (!next_is(')')) {
                take(',');
            }
        }
        take(')');
        if (one_without_comma) {
            fail("a shape of one axis is written with a comma, as (3,)");
        }
        if (header_.shape.size() > highest_rank) {
            fail(fmt::format("an array may have {} axes, found {}", highest_rank,
                             header_.shape.size()));
        }
    }

    std::size_t take_length()
    {
        skip_blanks();
        std::size_t length = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), length);
        if (error != std::errc()) {
            fail(fmt::format("an axis must have a whole number of at least 0 as its length, "
                             "found {}",
                             rest()));
        }
        at_ += static_cast<std::size_t>(end - begin);
        return length;
    }

    std::string_view text_;
    const std::string& source_;
    std::size_t at_ = 0;
    NpyHeader header_;
};

/// Takes bytes off the front, or says that the file ends too early.
std::string_view take_bytes(std::string_view& rest, std::size_t n_bytes, const char* what,
                            const std::string& source)
{
    if (rest.size() < n_bytes) {
        throw BadInput(fmt::format("{}: the file is cut off, {} takes {} bytes and {} are left",
                                   source, what, n_bytes, rest.size()));
    }
    const std::string_view taken = rest.substr(0, n_bytes);
    rest.remove_prefix(n_bytes);
    return taken;
}

/// Takes all up to the data off the front.
NpyHeader take_header(std::string_view& rest, const std::string& source)
{
    if (rest.substr(0, magic.size()) != magic.substr(0, rest.size())) {
        throw BadInput(fmt::format("{}: this is no .npy file, it begins with {}", source,
                                   in_quotes(rest.substr(0, magic.size()))));
    }
    take_bytes(rest, magic.size(), "the mark of a .npy file", source);
    const std::string_view version = take_bytes(rest, 2, "the version", source);
    const int major = static_cast<unsigned char>(version[0]);
    const int minor = static_cast<unsigned char>(version[1]);
    if (major < 1 || major > 3 || minor != 0) {
        throw BadInput(fmt::format("{}: versions 1.0, 2.0 and 3.0 of the format are known, "
                                   "found {}.{}",
                                   source, major, minor));
    }
    const std::size_t n_bytes =
        number_from_bytes(take_bytes(rest, major == 1 ? 2 : 4, "the header's length", source));
    return NpyHeaderReader(take_bytes(rest, n_bytes, "the header", source), source).read();
}

/// An array whose numbers come column by column: the first index is the fastest.
template <typename T>
Array<T> from_fortran_order(const Array<T>& columns)
{
    const Shape& shape = columns.shape();
    Array<T> rows = uninitialised<T>(shape);
    Shape index(shape.size(), 0);
    for (const T& number : numbers_of(columns)) {
        rows.element(index.begin(), index.end()) = number;
        for (std::size_t axis = 0; axis < shape.size() && ++index[axis] == shape[axis];
             ++axis) {
            index[axis] = 0;
        }
    }
    return rows;
}

std::string shape_as_tuple(const Shape& shape)
{
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

} // namespace

template <typename T>
Array<T> parse_npy(std::string_view bytes, std::string_view source_name)
{
    const std::string source = name_in_messages(source_name);
    const NpyHeader header = take_header(bytes, source);
    if (header.type != type_of<T>.numpy) {
        throw BadInput(fmt::format("{}: wanted numbers of type '{}' ({}), found {}; NumPy "
                                   "converts them by .astype('{}')",
                                   source, type_of<T>.numpy, type_of<T>.ours,
                                   in_quotes(header.type), type_of<T>.numpy));
    }

    // The shape is believed only if the file has the bytes for it.
    const std::optional<std::size_t> n_bytes = n_bytes_of(header.shape, sizeof(T));
    if (!n_bytes) {
        throw BadInput(fmt::format("{}: there can be no array of shape {}", source,
                                   to_text(header.shape)));
    }
    if (*n_bytes != bytes.size()) {
        throw BadInput(
            fmt::format("{}: shape {} takes {} bytes, behind the header there are {}{}", source,
                        to_text(header.shape), *n_bytes, bytes.size(),
                        bytes.size() < *n_bytes ? " (the file is cut off)" : " (too many)"));
    }
    Array<T> array = array_from_bytes<T>(header.shape, bytes);
    if (header.fortran_order) {
        return from_fortran_order(array);
    }
    return array;
}

template <typename T>
Array<T> read_npy(const std::filesystem::path& file)
{
    return parse_npy<T>(program::read_file(file, largest_file), file.string());
}

template <typename T>
std::string npy_bytes(const Array<T>& array)
{
    expect(array.dimension() <= highest_rank,
           "npy_bytes: array must have at most {} axes, got {}", highest_rank,
           array.dimension());
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                     type_of<T>.numpy, shape_as_tuple(array.shape()));
    const std::size_t length_at = magic.size() + 2;
    const std::size_t n_unpadded = length_at + 2 + header.size() + 1;
    header.append((data_alignment - n_unpadded % data_alignment) % data_alignment, ' ');
    header += '\n';

    std::string bytes(magic);
    bytes += std::string_view("\x01\x00", 2);
    bytes += bytes_of_number(header.size(), 2);
    bytes += header;
    bytes += bytes_of(array);
    return bytes;
}

template <typename T>
void write_npy(const std::filesystem::path& file, const Array<T>& array)
{
    program::write_file(file, npy_bytes(array));
}

/// \cond
template Array<float> read_npy(const std::filesystem::path&);
template Array<double> read_npy(const std::filesystem::path&);
template Array<std::int64_t> read_npy(const std::filesystem::path&);
template Array<float> parse_npy(std::string_view, std::string_view);
template Array<double> parse_npy(std::string_view, std::string_view);
template Array<std::int64_t> parse_npy(std::string_view, std::string_view);
template void write_npy(const std::filesystem::path&, const Array<float>&);
template void write_npy(const std::filesystem::path&, const Array<double>&);
template void write_npy(const std::filesystem::path&, const Array<std::int64_t>&);
template std::string npy_bytes(const Array<float>&);
template std::string npy_bytes(const Array<double>&);
template std::string npy_bytes(const Array<std::int64_t>&);
/// \endcond

} // namespace attn::storage
