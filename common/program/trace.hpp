/// \file
/// \brief How --trace prints an intermediate of the pencil-size example: its name, its shape
/// with the names of its dimensions, what it means, and its entries.
#pragma once

#include "common/program/terminal.hpp"
#include "common/tensor/tensor.hpp"

#include <string_view>

namespace attn::program {

/// Prints a matrix: "scores [n_queries = 2, n_keys = 3]: how near", then its rows. It has
/// as few decimals as show its entries exactly, and at most four.
/// \param name    as in the code: "scores"
/// \param dims    the names of its dimensions: "n_queries, n_keys"
/// \param values  [n_rows, n_columns]
/// \throws ContractError if dims does not name two dimensions
void trace(Terminal& terminal, std::string_view name, std::string_view meaning,
           std::string_view dims, const Matrix& values);

/// Prints a vector, as one row.
/// \param values  [n]
/// \throws ContractError if dims does not name one dimension
void trace(Terminal& terminal, std::string_view name, std::string_view meaning,
           std::string_view dims, const Vector& values);

/// Prints what attention is asked with, the first lines of every chapter's --trace: the
/// matrices Q, K and V.
/// \param queries  [n_queries, d]
/// \param keys     [n_keys, d]
/// \param values   [n_keys, d_v]
void trace_inputs(Terminal& terminal, const Matrix& queries, const Matrix& keys,
                  const Matrix& values);

} // namespace attn::program
