/// \file
/// \brief Which decoders can ask all their questions at once. Where the context enters the state,
/// a question waits for the answer to the one before; where it enters the readout alone, the
/// states can be walked through first.
#pragma once

#include "chapters/07_seq2seq/translator.hpp"
#include "chapters/08_bahdanau/alignment.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace attn::bahdanau {

/// What a decoder asked and was told, step by step.
struct Record
{
    bool blind = false;                     ///< every context is replaced by zeros
    std::vector<Variable<double>> queries;  ///< [n_target], each [batch, hidden]
    std::vector<Variable<double>> contexts; ///< [n_target], each [batch, hidden], as computed
    std::vector<Variable<double>> weights;  ///< [n_target], each [batch, n_source]
};

/// A way to a context that is listened to.
/// \returns         the same function, its contexts hidden if the record is blind
ContextFunction<double> recorded(const ContextFunction<double>& function,
                                 const std::shared_ptr<Record>& record);

/// What becomes of a batch of sentences if all questions are asked at once.
struct AtOnce
{
    double states_change;   ///< the largest change of a query if every context is 0
    double weights_differ;  ///< the largest difference between the one call's weights and the
                            ///< loop's
    double contexts_differ; ///< the same of contexts
};

/// A small translator with a score that is a product, asked word by word (Translator::step) and
/// all at once: the queries of the one call are those of one walk through all states, without
/// contexts.
/// \param score  dot or general
/// \throws ContractError for a score that is no product
AtOnce ask_at_once(Score score, Asks asks, std::uint64_t seed);

} // namespace attn::bahdanau
