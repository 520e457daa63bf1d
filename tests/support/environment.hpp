/// \file
/// \brief An environment variable that is set for one test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace attn::testing {

/// Sets or removes a variable and puts it back at the end.
class WithEnvironment
{
public:
    /// \param value  nothing: it is removed
    WithEnvironment(std::string name, const std::optional<std::string>& value)
        : name_(std::move(name))
    {
        if (const char* const now = std::getenv(name_.c_str())) {
            before_ = now;
        }
        set(value);
    }
    ~WithEnvironment() { set(before_); }
    WithEnvironment(const WithEnvironment&) = delete;            ///< put back once
    WithEnvironment& operator=(const WithEnvironment&) = delete; ///< put back once

private:
    void set(const std::optional<std::string>& value)
    {
        value ? setenv(name_.c_str(), value->c_str(), 1) : unsetenv(name_.c_str());
    }

    std::string name_;
    std::optional<std::string> before_;
};

} // namespace attn::testing
