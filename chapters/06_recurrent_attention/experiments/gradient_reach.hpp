/// \file
/// \brief How much of a gradient is left after many steps back: through a recurrence, and
/// through a context, at the state 0 with inputs 0, where the answer has a formula.
#pragma once

#include "chapters/06_recurrent_attention/attention_cell.hpp"
#include "common/program/run.hpp"

#include <cstddef>

namespace attn::recurrent_attention {

/// The derivative of the last state with respect to the first one, by the tape, where all inputs
/// and the first state are 0 and only one thing is set: for the simple network U is the setting
/// times the identity, for the GRU and the LSTM U is 0 and the setting is the bias of the update
/// gate or of the forget gate. For the LSTM the state is the cell.
/// \returns \f$ u^T \f$, or \f$ \sigma(b)^T \f$ for the gates
double gradient_through_steps(Unit unit, double setting, std::size_t n_steps);

/// The derivative of a context with respect to the earliest of n states of equal scores.
/// \returns \f$ 1/n \f$
double gradient_through_context(std::size_t n);

/// Prints how much of a gradient is left after many steps.
void show_gradient_reach(program::Frame& frame);

} // namespace attn::recurrent_attention
