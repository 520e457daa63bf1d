#include "chapters/08_bahdanau/alignment_kinds.hpp"

#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <utility>

namespace attn::bahdanau {

namespace {

// Adam's learning rates. Tried on one seed, the additive score translates better at the higher one,
// the general score at the lower one, whichever state is the query; alignments are a little better at the
// lower one with both.
constexpr double fast = 1e-2;
constexpr double usual = 5e-3;

/// Positions alone, in one decoder or another.
AlignmentKind by_position(const char* name, const char* short_name,
                          std::optional<seq2seq::DecoderArchitecture> architecture)
{
    return {name,
            short_name,
            true,
            {},
            fast,
            [](const TranslatorSizes& sizes, std::size_t n_positions,
               random::Generator& generator) {
                return location_only<float>(sizes.hidden, sizes.d_embedding, n_positions,
                                            generator);
            },
            architecture};
}

AlignmentKind aligned(const char* name, const char* short_name, const Score& score,
                      QueryState query_state, double peak_rate)
{
    return {name,
            short_name,
            true,
            {},
            peak_rate,
            [score, query_state](const TranslatorSizes& sizes, std::size_t,
                                 random::Generator& generator) {
                return alignment_model<float>(score, query_state, sizes.hidden, sizes.hidden,
                                              generator);
            }};
}

} // namespace

const std::vector<AlignmentKind>& alignment_kinds()
{
    static const std::vector<AlignmentKind> kinds = {
        {"no attention",
         "none",
         false,
         {64, 128},
         usual,
         [](const TranslatorSizes&, std::size_t, random::Generator&) {
             return seq2seq::last_state<float>();
         }},
        aligned("additive, s_{t-1} (Bahdanau)", "additive_before", Score::additive,
                QueryState::previous, fast),
        aligned("general, s_{t-1}", "general_before", Score::general, QueryState::previous,
                usual),
        aligned("additive, s_t", "additive_after", Score::additive, QueryState::current, fast),
        aligned("general, s_t (Luong)", "general_after", Score::general, QueryState::current,
                usual),
        aligned("dot, s_t (Luong)", "dot_after", Score::dot, QueryState::current, usual),
        aligned("concat, s_t (Luong)", "concat_after", Score::concat, QueryState::current,
                fast),
        by_position("location only", "location", {}),
        by_position("location only (tutorial)", "tutorial", seq2seq::tutorial_architecture),
    };
    return kinds;
}

const AlignmentKind& kind_named(std::string_view short_name)
{
    const auto& kinds = alignment_kinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const AlignmentKind& kind) {
        return kind.short_name == short_name;
    });
    expect(found != kinds.end(), "kind_named: there is no kind '{}'", short_name);
    return *found;
}

Translator<float> make_translator(const AlignmentKind& kind, const TranslatorSizes& sizes,
                                  std::size_t n_source, std::size_t n_target,
                                  std::size_t n_positions, random::Generator& generator)
{
    ContextFunction<float> context = kind.make(sizes, n_positions, generator);
    seq2seq::TranslatorOptions options{n_source, n_target, sizes.d_embedding, sizes.hidden};
    options.architecture = kind.architecture;
    return {options, std::move(context), generator};
}

Translator<float> make_translator(const AlignmentKind& kind, const TranslationTask& task,
                                  std::uint64_t seed)
{
    random::Generator generator(seed, random::Stream::alignment_parameters);
    std::size_t n_positions = 1;
    for (const auto* part : {&task.train, &task.validation, &task.test}) {
        for (const text::NumberedPair& pair : *part) {
            n_positions = std::max(n_positions, pair.source.size());
        }
    }
    return make_translator(kind, kind.sizes, task.source.size(), task.target.size(),
                           n_positions, generator);
}

} // namespace attn::bahdanau
