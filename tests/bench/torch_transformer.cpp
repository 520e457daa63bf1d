/// \file
/// \brief PyTorch's transformer: transformer_step() of torch_peers.hpp.
#include "tests/bench/torch_transformer.hpp"

#include <algorithm>

namespace attn::bench::torch_peer {

namespace {

/// The sinusoids of the first positions [n, 1, d].
Tensor sinusoids(std::int64_t n, std::int64_t d)
{
    Tensor table = torch::empty({n, 1, d});
    for (std::int64_t t = 0; t < n; ++t) {
        for (std::int64_t j = 0; j < d; ++j) {
            const double power = static_cast<double>(j / 2 * 2) / static_cast<double>(d);
            const double angle = static_cast<double>(t) / std::pow(10000.0, power);
            table[t][0][j] = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    }
    return table;
}

/// The transformer, steps before sentences.
struct PeerTransformer
{
    std::int64_t d;
    Tensor source;
    Tensor target;
    Heads encoder_self;
    Affine encoder_1;
    Affine encoder_2;
    Norm encoder_norm_1;
    Norm encoder_norm_2;
    Heads decoder_self;
    Heads decoder_source;
    Affine decoder_1;
    Affine decoder_2;
    Norm decoder_norm_1;
    Norm decoder_norm_2;
    Norm decoder_norm_3;
    Norm encoder_last;
    Norm decoder_last;
    Affine output;

    PeerTransformer(const TransformerSizes& s, AttentionForm form)
        : d(signed_size(s.d)),
          source((torch::randn({signed_size(s.n_source_words), d}) * 0.125).requires_grad_()),
          target((torch::randn({signed_size(s.n_target_words), d}) * 0.125).requires_grad_()),
          encoder_self(d, signed_size(s.n_heads), form), encoder_1(d, signed_size(s.d_ff)),
          encoder_2(signed_size(s.d_ff), d), encoder_norm_1(d), encoder_norm_2(d),
          decoder_self(d, signed_size(s.n_heads), form),
          decoder_source(d, signed_size(s.n_heads), form), decoder_1(d, signed_size(s.d_ff)),
          decoder_2(signed_size(s.d_ff), d), decoder_norm_1(d), decoder_norm_2(d),
          decoder_norm_3(d), encoder_last(d), decoder_last(d),
          output(d, signed_size(s.n_target_words))
    {
    }

    TwoLists parameters() const
    {
        TwoLists lists;
        lists.add("source", source);
        lists.add("target", target);
        lists.add_heads("encoder.self", encoder_self);
        lists.add_layer("encoder.1", encoder_1);
        lists.add_layer("encoder.2", encoder_2);
        lists.add_layer("encoder.norm_1", encoder_norm_1);
        lists.add_layer("encoder.norm_2", encoder_norm_2);
        lists.add_heads("decoder.self", decoder_self);
        lists.add_heads("decoder.source", decoder_source);
        lists.add_layer("decoder.1", decoder_1);
        lists.add_layer("decoder.2", decoder_2);
        lists.add_layer("decoder.norm_1", decoder_norm_1);
        lists.add_layer("decoder.norm_2", decoder_norm_2);
        lists.add_layer("decoder.norm_3", decoder_norm_3);
        lists.add_layer("encoder.last", encoder_last);
        lists.add_layer("decoder.last", decoder_last);
        lists.add_layer("output", output);
        return lists;
    }

    Tensor looked_up(const Tensor& table, const Tensor& words, const Tensor& places) const
    {
        return torch::embedding(table, words) * std::sqrt(static_cast<double>(d)) +
               places.narrow(0, 0, words.size(0));
    }

    /// Scores of every next word [n_target * batch, n_words].
    Tensor scores(const Tensor& source_words, const Tensor& target_words,
                  const Tensor& places) const
    {
        Tensor x = looked_up(source, source_words, places);
        x = x + encoder_self.of_self(encoder_norm_1(x));
        x = x + encoder_2(torch::relu(encoder_1(encoder_norm_2(x))));
        const Tensor memory = encoder_last(x);
        Tensor y = looked_up(target, target_words, places);
        y = y + decoder_self.of_self(decoder_norm_1(y), true);
        y = y + decoder_source.of_memory(decoder_norm_2(y), memory);
        y = y + decoder_2(torch::relu(decoder_1(decoder_norm_3(y))));
        return output(decoder_last(y)).flatten(0, 1);
    }
};

} // namespace

std::function<void()> transformer_step(const TransformerSizes& sizes, AttentionForm form,
                                       const std::int64_t* source,
                                       const std::int64_t* target_input,
                                       const std::int64_t* answers, const Report& report)
{
    torch::manual_seed(1);
    const PeerTransformer model(sizes, form);
    const TwoLists lists = model.parameters();
    if (report.initial != nullptr) {
        *report.initial = exported(lists.parts);
    }
    const Tensor source_words = words_by_step(source, sizes.batch, sizes.n_source);
    const Tensor target_words = words_by_step(target_input, sizes.batch, sizes.n_target);
    const Tensor targets = words_by_step(answers, sizes.batch, sizes.n_target).flatten();
    const auto n_target = signed_size(sizes.n_target);
    const Tensor places =
        sinusoids(std::max(n_target, signed_size(sizes.n_source)), signed_size(sizes.d));
    const double smoothing = sizes.label_smoothing;
    return training_step(lists.learnt,
                         [=] {
                             return torch::cross_entropy_loss(
                                 model.scores(source_words, target_words, places), targets, {},
                                 at::Reduction::Mean, -100, smoothing);
                         },
                         {report.loss, nullptr});
}

} // namespace attn::bench::torch_peer
