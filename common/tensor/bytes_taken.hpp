/// \file
/// \brief How much memory a computation takes, by the pool's counter.
#pragma once

#include <cstddef>
#include <functional>

namespace attn {

/// All that a computation's thread asks of the system while it runs, in a thread of its own, whose
/// pool is empty at first.
/// \param work  what to do, on the thread that calls it
/// \returns     bytes
std::size_t bytes_taken(const std::function<void()>& work);

} // namespace attn
