/// \file
/// \brief Named arrays in the safetensors format, in which PyTorch models are kept: 8 bytes with
/// the header's length, the header in JSON, the numbers. A tensor is read when it is asked for, so
/// that a file may be larger than memory. Deliberately strict in reading, and nothing is converted
/// from one type to another but numbers of 16 bits, of which there are no arrays.
#pragma once

#include "common/program/files.hpp"
#include "common/tensor/array.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

/// Files of arrays.
namespace attn::storage {

/// What the header says about a tensor.
struct StoredTensor
{
    std::string name;  ///< any text
    std::string type;  ///< as the format writes it: "F32", "F64", "I64", "BF16", ...
    Shape shape;       ///< [rank]
    std::size_t begin; ///< its first byte, counted from the end of the header
    std::size_t end;   ///< the byte after its last
};

/// The format's name for a type, which is float, double or std::int64_t.
/// \returns "F32", "F64" or "I64"
template <typename T>
std::string_view stored_type();

/// A file whose header has been read and found sound: the tensors follow each other without gaps
/// and fill the file. The numbers of one are read when they are asked for. A tensor of a type that
/// is not ours may be there; it is refused when asked for.
class TensorFile
{
public:
    /// Takes the content of a file.
    /// \param source_name  what stands for the file's name in messages
    /// \throws BadInput naming what is wrong, and with which tensor
    TensorFile(std::string bytes, std::string_view source_name);

    /// Takes a file, which stays open and must not be written to: what has been cut off since is
    /// refused, what has been overwritten goes unnoticed.
    /// \param source_name  what stands for the file's name in messages
    /// \throws BadInput naming what is wrong, and with which tensor
    TensorFile(program::OpenFile file, std::string_view source_name);

    /// \returns the file's name, for messages
    const std::string& source() const { return source_; }

    /// \returns what is there, in the order of the file's bytes
    const std::vector<StoredTensor>& tensors() const { return tensors_; }

    /// \returns what else the file says about itself
    const std::map<std::string, std::string>& metadata() const { return metadata_; }

    /// What the header says about a tensor.
    /// \throws BadInput if it is missing; the message names some that are there
    const StoredTensor& at(std::string_view name) const;

    /// What the header says about a tensor of the shape that is wanted.
    /// \throws BadInput if it is missing or of another shape
    const StoredTensor& at(std::string_view name, const Shape& wanted) const;

    /// A tensor of any shape.
    /// \tparam T  float, double or std::int64_t: what the file must hold
    /// \throws BadInput if it is missing or of another type, or if the file has been cut off
    template <typename T>
    Array<T> tensor(std::string_view name) const;

    /// A tensor of the shape that is wanted.
    /// \tparam T  float, double or std::int64_t: what the file must hold
    /// \throws BadInput if it is missing, of another type or of another shape, or if the file has
    ///         been cut off
    template <typename T>
    Array<T> tensor(std::string_view name, const Shape& wanted) const;

    /// A tensor of F32, F16 or BF16 and of any shape, its numbers as float: all of them are one.
    /// \throws BadInput if it is missing or of another type, or if the file has been cut off
    Array<float> tensor_as_float(std::string_view name) const;

    /// Demands that a tensor that has been read is of finite numbers alone.
    /// \throws BadInput naming the tensor, the number and its place
    template <typename T>
    void expect_finite(std::string_view name, const Array<T>& numbers) const;

private:
    /// \cond INSIDE
    class Content
    {
    public:
        explicit Content(std::string bytes) : source_(std::move(bytes)) {}
        explicit Content(program::OpenFile file) : source_(std::move(file)) {}
        std::uint64_t size() const;
        void read(std::uint64_t begin, std::span<std::byte> part) const;

    private:
        std::variant<std::string, program::OpenFile> source_;
    };
    /// \endcond

    TensorFile(Content content, std::string_view source_name);
    std::string header() const;
    void check_layout(std::uint64_t n_data_bytes) const;
    [[noreturn]] void refuse_type(const StoredTensor& stored, std::string_view wanted) const;
    Array<float> widened(const StoredTensor& stored, float (*float_of)(std::uint16_t)) const;

    std::string source_;
    Content content_;
    std::size_t data_at_ = 0; ///< where the header ends
    std::vector<StoredTensor> tensors_;
    std::map<std::string, std::string> metadata_;
    std::unordered_map<std::string, std::size_t> place_; ///< of a name in tensors_
};

/// Opens a file and reads its header.
/// \param file  of any size; a pipe is read to its end, at most 4 GiB
/// \throws BadInput if it cannot be read or is not such a file
TensorFile read_safetensors(const std::filesystem::path& file);

/// Collects tensors and writes them to a file. Whatever the order in which they were added, the
/// file is the same: I64 before F64 before F32, then by name, as the format's own library does.
class TensorWriter
{
public:
    /// Adds a tensor.
    /// \param name   not yet added, not "__metadata__", UTF-8 without control characters
    /// \param array  is copied; at most 64 axes
    /// \throws ContractError if the name is none of these or the array has more axes
    template <typename T>
    void add(const std::string& name, const Array<T>& array);

    /// Says something about the file.
    /// \param key    not yet given
    /// \param value  UTF-8
    /// \throws ContractError if the key is taken or either is not UTF-8
    void describe(const std::string& key, const std::string& value);

    /// What write() writes.
    /// \returns the content of a file
    std::string bytes() const;

    /// Writes the file. On failure the one that was there is untouched.
    /// \param file  its folder must exist
    /// \throws BadInput if it cannot be written
    void write(const std::filesystem::path& file) const;

private:
    /// \cond INSIDE
    struct Tensor
    {
        std::string_view type;
        Shape shape;
        std::string bytes;
    };
    /// \endcond

    std::map<std::string, Tensor> tensors_;
    std::map<std::string, std::string> metadata_;
};

} // namespace attn::storage
