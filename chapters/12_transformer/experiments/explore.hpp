/// \file
/// \brief What every head of a transformer computes while it translates, for the attention
/// explorer, with what deleting a source word does.
#pragma once

#include "chapters/12_transformer/translation.hpp"

namespace attn::transformer {

/// Writes the explorer of a reader's sentence and its translation: the encoder's attentions, then
/// each of the decoder's layers' two.
/// \param request  with a sentence and a file
/// \throws BadInput if the file cannot be written or would be too large
void explore(program::Frame& frame, const SavedTransformer& saved,
             const TranslatorRequest& request);

} // namespace attn::transformer
