#include "tests/bench/blas.hpp"

#include <array>
#include <dlfcn.h>
#include <cstddef>
#include <sstream>

namespace attn::bench {

namespace {

/// A function of OpenBLAS; null if none was loaded.
template <typename Function>
Function* named(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

} // namespace

void set_blas_threads(int n)
{
    if (auto* const set = named<void(int)>("openblas_set_num_threads")) {
        set(n);
    }
}

std::string blas_version()
{
    auto* const config = named<char*()>("openblas_get_config");
    auto* const kernels = named<char*()>("openblas_get_corename");
    auto* const parallel = named<int()>("openblas_get_parallel");
    if (config == nullptr || kernels == nullptr || parallel == nullptr) {
        return "";
    }
    std::istringstream words(config());
    std::string name;
    std::string version;
    words >> name >> version;
    constexpr std::array threads = {"one thread", "threads of its own", "OpenMP's threads"};
    return name + " " + version + ", " + kernels() + " kernels, " +
           threads.at(static_cast<std::size_t>(parallel()));
}

} // namespace attn::bench
