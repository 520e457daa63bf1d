/// \file
/// \brief An object of JSON whose fields are read by name, as models keep what they are made of
/// in a config.json. Deliberately for numbers, words and flags: what is a list or an object
/// itself is there, and cannot be read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace attn::storage {

/// The fields of an object, read strictly: a missing one and one of another kind are refused by
/// their names.
class JsonObject
{
public:
    /// Reads the content of a file.
    /// \param source_name  what stands for the file's name in messages
    /// \throws BadInput if it is no object of JSON in UTF-8, or a field stands twice
    JsonObject(std::string_view text, std::string_view source_name);

    /// \returns the file's name, for messages
    const std::string& source() const { return source_; }

    /// \returns whether there is such a field, and it is not null
    bool has(std::string_view name) const;

    /// A whole number.
    /// \throws BadInput if the field is missing, or none from 1 to at_most
    std::size_t count(std::string_view name, std::size_t at_most) const;

    /// Demands a value of a field that changes what is computed.
    /// \param wanted  as JSON writes it: "true", "1e-05", "\"gpt2\""
    /// \throws BadInput if the field has another one; if it is missing or null, nothing is said
    void expect_if_present(std::string_view name, std::string_view wanted) const;

    /// A field as it stands in a message.
    /// \returns  its value as JSON, cut if it is long; "nothing" if it is missing
    std::string shown(std::string_view name) const;

private:
    std::string source_;
    std::map<std::string, std::string, std::less<>> fields_; // each value as JSON writes it
};

/// Reads a file.
/// \param file  at most 1 MiB
/// \throws BadInput if it cannot be read or is no such object
JsonObject read_json_object(const std::filesystem::path& file);

} // namespace attn::storage
