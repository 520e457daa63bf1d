/// \file
/// \brief The body of translation_model.hpp.
#include "chapters/07_seq2seq/translation_model.hpp"

namespace attn::seq2seq {

TranslationModel::TranslationModel(const Translator<float>& translator)
    : parameters(translator.parameters()),
      loss([&translator](const text::Batch& batch) { return translator.loss(batch); }),
      embed([&translator](const Sentences& sentences) { return translator.embed(sentences); }),
      write_from([&translator](const Variable<float>& embedded, const text::Batch& batch) {
          return translator.write(batch.target_input,
                                  translator.read(embedded, batch.source_lengths));
      }),
      translate([&translator](const Sentences& sentences, std::size_t max_length,
                              const text::BeamOptions& beam) {
          return seq2seq::translate(translator, sentences, max_length, beam);
      })
{
}

} // namespace attn::seq2seq
