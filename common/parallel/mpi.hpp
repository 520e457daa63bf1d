/// \file
/// \brief The processes that mpirun has started, where MPI was found when the book was configured.
#pragma once

#include "common/parallel/processes.hpp"

#include <memory>

namespace attn::parallel {

/// Joins the processes that mpirun has started. From then on only the first one has a voice: what
/// another one prints is dropped, and what it says of an error is heard if it alone has failed. A
/// signal that asks for an end (mpirun sends SIGTERM after Ctrl-C) is taken as Ctrl-C is.
/// \returns  a process alone if mpirun has not started several, or if there is no MPI
std::unique_ptr<const Processes> join_processes();

} // namespace attn::parallel
