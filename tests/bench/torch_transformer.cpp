/// \file
/// \brief PyTorch's transformer and its layer of an encoder, steps before sentences:
/// transformer_step(), layer_forward() and layer_step() of torch_peers.hpp.
#include "tests/bench/torch_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::bench::torch_peer {

// ---------------------------------------------------------------- the parts

namespace {

/// An affine map, a row of the weight for each output.
struct Affine
{
    Tensor weight;
    Tensor bias;

    Affine(std::int64_t n_in, std::int64_t n_out)
        : weight(uniform({n_out, n_in}, static_cast<std::size_t>(n_in))),
          bias(uniform({n_out}, static_cast<std::size_t>(n_in)))
    {
    }
    Tensor operator()(const Tensor& x) const { return torch::linear(x, weight, bias); }
};

/// Gain and bias of a layer norm.
struct Norm
{
    Tensor weight;
    Tensor bias;

    explicit Norm(std::int64_t d)
        : weight(torch::ones({d}).requires_grad_()), bias(torch::zeros({d}).requires_grad_())
    {
    }
    Tensor operator()(const Tensor& x) const
    {
        return torch::layer_norm(x, {weight.size(0)}, weight, bias);
    }
};

/// Attention with the three projections in one matrix, as PyTorch's layer keeps them.
struct Heads
{
    Affine in;
    Affine out;
    std::int64_t n_heads;
    AttentionForm form;
    mutable Tensor mask = {}; ///< of later keys, once it was asked for

    Heads(std::int64_t d, std::int64_t n_heads_, AttentionForm form_)
        : in(d, 3 * d), out(d, d), n_heads(n_heads_), form(form_)
    {
    }

    /// [n, batch, d] to [batch * heads, n, d / heads], without moving anything.
    Tensor split(const Tensor& x) const
    {
        return x.reshape({x.size(0), x.size(1) * n_heads, x.size(2) / n_heads}).transpose(0, 1);
    }
    /// Queries [n_q, batch, d] to keys and values.
    Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, bool causal) const
    {
#ifdef ATTN_TORCH_FUSED_ATTENTION
        if (form == AttentionForm::fused) {
            const auto split_in_four = [&](const Tensor& x) { // [batch, heads, n, d / heads]
                return x.view({x.size(0), x.size(1), n_heads, x.size(2) / n_heads})
                    .permute({1, 2, 0, 3});
            };
            const Tensor contexts = at::scaled_dot_product_attention(
                split_in_four(q), split_in_four(k), split_in_four(v), {}, 0.0, causal);
            return out(contexts.permute({2, 0, 1, 3}).reshape(q.sizes()));
        }
#endif
        const double scale = 1 / std::sqrt(static_cast<double>(q.size(2) / n_heads));
        const Tensor queries = split(q) * scale;
        const Tensor keys = split(k).transpose(1, 2);
        const Tensor scores = causal ? torch::baddbmm(later_keys(q.size(0)), queries, keys)
                                     : torch::bmm(queries, keys);
        const Tensor contexts = torch::bmm(torch::softmax(scores, -1), split(v));
        return out(contexts.transpose(0, 1).reshape(q.sizes()));
    }
    /// What a causal mask adds to the scores [n, n]; always of one size.
    Tensor later_keys(std::int64_t n) const
    {
        if (!mask.defined()) {
            mask = torch::full({n, n}, -std::numeric_limits<float>::infinity()).triu(1);
        }
        return mask;
    }
    Tensor of_self(const Tensor& x, bool causal = false) const
    {
        const auto parts = in(x).chunk(3, -1);
        return attend(parts[0], parts[1], parts[2], causal);
    }
    Tensor of_memory(const Tensor& x, const Tensor& memory) const
    {
        const std::int64_t d = x.size(2);
        const Tensor q = torch::linear(x, in.weight.narrow(0, 0, d), in.bias.narrow(0, 0, d));
        const auto parts =
            torch::linear(memory, in.weight.narrow(0, d, 2 * d), in.bias.narrow(0, d, 2 * d))
                .chunk(2, -1);
        return attend(q, parts[0], parts[1], false);
    }
};

/// The parameters, one by one: those that are learnt, and those that the other side has.
struct TwoLists
{
    Named learnt;
    Named parts;

    void add(const std::string& name, const Tensor& tensor)
    {
        learnt.emplace_back(name, tensor);
        parts.emplace_back(name, tensor);
    }
    template <typename Layer>
    void add_layer(const std::string& name, const Layer& layer)
    {
        add(name + ".weight", layer.weight);
        add(name + ".bias", layer.bias);
    }
    void add_heads(const std::string& name, const Heads& heads)
    {
        learnt.emplace_back(name + ".in.weight", heads.in.weight);
        learnt.emplace_back(name + ".in.bias", heads.in.bias);
        for (std::size_t part = 0; part < 3; ++part) {
            const std::string own = name + "." + std::to_string(part);
            parts.emplace_back(own + ".weight", heads.in.weight.chunk(3)[part]);
            parts.emplace_back(own + ".bias", heads.in.bias.chunk(3)[part]);
        }
        add_layer(name + ".out", heads.out);
    }
};

} // namespace

// ---------------------------------------------------------------- the whole

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
    Tensor logits(const Tensor& source_words, const Tensor& target_words,
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
                                 model.logits(source_words, target_words, places), targets, {},
                                 at::Reduction::Mean, -100, smoothing);
                         },
                         {report.loss, nullptr});
}

// ---------------------------------------------------------------- a layer alone

namespace {

/// A parameter of the other side: a matrix transposed, or a row.
Tensor taken(const InitialValues& values)
{
    const bool matrix = values.shape.size() == 2;
    std::vector<std::int64_t> shape;
    for (const std::size_t n : values.shape) {
        shape.push_back(signed_size(n));
    }
    const Tensor tensor = copied(values.values.data(), shape);
    return matrix ? tensor.t().contiguous() : tensor;
}

/// One layer of an encoder, steps before sentences.
struct PeerLayer
{
    std::int64_t d;
    Heads self;
    Affine dense_1;
    Affine dense_2;
    Norm norm_1;
    Norm norm_2;

    PeerLayer(const LayerSizes& s, const std::vector<InitialValues>& initial,
              AttentionForm form)
        : d(signed_size(s.d)), self(d, signed_size(s.n_heads), form),
          dense_1(d, signed_size(s.d_ff)), dense_2(signed_size(s.d_ff), d), norm_1(d), norm_2(d)
    {
        std::vector<Tensor> given;
        for (const InitialValues& one : initial) {
            given.push_back(taken(one));
        }
        const auto learnt = [](const Tensor& tensor) { return tensor.requires_grad_(); };
        self.in.weight = learnt(torch::cat({given[0], given[2], given[4]}));
        self.in.bias = learnt(torch::cat({given[1], given[3], given[5]}));
        std::size_t next = 6;
        for (Affine* const affine : {&self.out, &dense_1, &dense_2}) {
            affine->weight = learnt(given[next++]);
            affine->bias = learnt(given[next++]);
        }
        for (Norm* const norm : {&norm_1, &norm_2}) {
            norm->weight = learnt(given[next++]);
            norm->bias = learnt(given[next++]);
        }
    }

    Named parameters() const
    {
        TwoLists lists;
        lists.add_layer("in", self.in);
        lists.add_layer("out", self.out);
        lists.add_layer("dense_1", dense_1);
        lists.add_layer("dense_2", dense_2);
        lists.add_layer("norm_1", norm_1);
        lists.add_layer("norm_2", norm_2);
        return lists.learnt;
    }

    /// [n, batch, d] to the same.
    Tensor operator()(const Tensor& x) const
    {
        const Tensor informed = x + self.of_self(norm_1(x));
        return informed + dense_2(torch::relu(dense_1(norm_2(informed))));
    }

    /// [batch, n, d] to the same, in PyTorch's one call.
    Tensor in_one(const Tensor& x) const
    {
        return torch::_transformer_encoder_layer_fwd(
            x, d, self.n_heads, self.in.weight, self.in.bias, self.out.weight, self.out.bias,
            false, true, 1e-5, norm_1.weight, norm_1.bias, norm_2.weight, norm_2.bias,
            dense_1.weight, dense_1.bias, dense_2.weight, dense_2.bias);
    }
};

/// Sentences before steps [batch, n, d].
Tensor sentences_first(const LayerSizes& sizes, const float* x)
{
    return copied(
        x, {signed_size(sizes.batch), signed_size(sizes.n_tokens), signed_size(sizes.d)});
}

} // namespace

std::function<void()> layer_forward(const LayerSizes& sizes,
                                    const std::vector<InitialValues>& initial, const float* x,
                                    AttentionForm form, float* y)
{
    const PeerLayer layer(sizes, initial, form);
    const bool in_one = form == AttentionForm::whole_layer;
    const Tensor sentences = sentences_first(sizes, x);
    const Tensor rows = in_one ? sentences : sentences.transpose(0, 1).contiguous();
    return [=] {
        const c10::InferenceMode no_gradient;
        const Tensor result = in_one ? layer.in_one(rows) : layer(rows);
        if (y != nullptr) {
            const Tensor out = (in_one ? result : result.transpose(0, 1)).contiguous();
            std::copy_n(out.data_ptr<float>(), out.numel(), y);
        }
    };
}

std::function<void()> layer_step(const LayerSizes& sizes,
                                 const std::vector<InitialValues>& initial, const float* x,
                                 const float* target, AttentionForm form, float* loss)
{
    const PeerLayer layer(sizes, initial, form);
    const Tensor rows = sentences_first(sizes, x).transpose(0, 1).contiguous();
    const Tensor targets = sentences_first(sizes, target).transpose(0, 1).contiguous();
    return training_step(layer.parameters(),
                         [=] { return torch::mse_loss(layer(rows), targets); },
                         {loss, nullptr});
}

} // namespace attn::bench::torch_peer
