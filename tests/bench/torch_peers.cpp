#include "tests/bench/torch_peers.hpp"

#include <ATen/Version.h>
#include <algorithm>
#include <cmath>
#include <dlfcn.h>
#include <limits>
#include <memory>
#include <torch/torch.h>
#include <utility>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attn::bench::torch_peer {

namespace {

using torch::Tensor;
using Named = std::vector<std::pair<std::string, Tensor>>;

constexpr std::int64_t signed_size(std::size_t n)
{
    return static_cast<std::int64_t>(n);
}

/// PyTorch's own copy of floats. (from_blob wants to be able to write, clone only reads.)
Tensor copied(const float* values, at::IntArrayRef shape)
{
    return torch::from_blob(const_cast<float*>(values), shape, torch::kFloat).clone();
}

/// PyTorch's own copy of class numbers.
Tensor copied(const std::int64_t* values, std::size_t n)
{
    return torch::from_blob(const_cast<std::int64_t*>(values), {signed_size(n)}, torch::kLong)
        .clone();
}

/// [batch, n_steps, n_features] as PyTorch's recurrent layers work on it:
/// [n_steps, batch, n_features].
Tensor steps_first(const float* x, const RecurrentSizes& sizes)
{
    return copied(x, {signed_size(sizes.batch), signed_size(sizes.n_steps),
                      signed_size(sizes.n_features)})
        .transpose(0, 1)
        .contiguous();
}

/// A parameter, uniform in ±1/sqrt(fan), as PyTorch's recurrent layers begin.
Tensor uniform(at::IntArrayRef shape, std::size_t fan)
{
    const double bound = 1 / std::sqrt(static_cast<double>(fan));
    return torch::empty(shape).uniform_(-bound, bound).requires_grad_();
}

std::vector<InitialValues> exported(const Named& parameters)
{
    std::vector<InitialValues> all;
    for (const auto& [name, tensor] : parameters) {
        const Tensor values = tensor.detach().contiguous();
        const float* data = values.data_ptr<float>();
        all.push_back({name,
                       {values.sizes().begin(), values.sizes().end()},
                       {data, data + values.numel()}});
    }
    return all;
}

std::vector<Tensor> tensors_of(const Named& parameters)
{
    std::vector<Tensor> tensors;
    for (const auto& [name, tensor] : parameters) {
        tensors.push_back(tensor);
    }
    return tensors;
}

/// Gradients become undefined, as zero_grad(set_to_none) makes them: the next backward pass
/// hands its own over instead of adding to zeros. (PyTorch 1.13's C++ optimisers can only
/// fill with zeros.)
void forget_gradients(const std::vector<Tensor>& parameters)
{
    for (const Tensor& parameter : parameters) {
        parameter.mutable_grad().reset();
    }
}

/// The training step that all models share.
/// \param parameters  whatever wants a gradient
/// \param loss_of     the forward pass
std::function<void()> training_step(const Named& parameters, std::function<Tensor()> loss_of,
                                    const Report& report)
{
    if (report.initial != nullptr) {
        *report.initial = exported(parameters);
    }
    const std::vector<Tensor> tensors = tensors_of(parameters);
    auto adam =
        std::make_shared<torch::optim::Adam>(tensors, torch::optim::AdamOptions(learning_rate));
    return [tensors, adam, loss_of = std::move(loss_of), target = report.loss] {
        const Tensor loss = loss_of();
        loss.backward();
        adam->step();
        forget_gradients(tensors);
        if (target != nullptr) {
            *target = loss.item<float>();
        }
    };
}

/// The two leaves of the smallest graph.
std::pair<Tensor, Tensor> leaves(const float* inputs, const Report& report)
{
    const Tensor a = copied(inputs, {1, 1}).requires_grad_();
    const Tensor b = copied(inputs + 1, {1, 1}).requires_grad_();
    if (report.initial != nullptr) {
        *report.initial = exported({{"a", a}, {"b", b}});
    }
    return {a, b};
}

} // namespace

void set_threads(int n)
{
    at::set_num_threads(n);
    // OpenBLAS's own function, if an OpenBLAS is what was loaded as BLAS.
    using Setter = void (*)(int);
    if (auto set = reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
        set(n);
    }
}

void keep_freed_memory()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25); // the most that every glibc accepts
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 1 << 26);
#endif
}

std::string version()
{
    const std::string config = at::show_config();
    const std::string key = "CPU capability usage: ";
    const std::size_t at = config.find(key);
    const std::string capability =
        at == std::string::npos
            ? "unknown kernels"
            : config.substr(at + key.size(), config.find('\n', at) - at - key.size());
    return std::string("PyTorch ") + TORCH_VERSION + ", " + capability;
}

std::function<void()> gru_step(const float* x, const float* y, const Report& report)
{
    constexpr RecurrentSizes sizes = gru_sizes;
    const auto batch = signed_size(sizes.batch);
    const auto hidden = signed_size(sizes.hidden);
    const auto n_outputs = signed_size(sizes.n_outputs);

    torch::manual_seed(1);
    torch::nn::GRU gru(signed_size(sizes.n_features), hidden);
    torch::nn::Linear head(hidden, n_outputs);
    const std::vector<Tensor> weights = gru->all_weights();
    const Named parameters = {{"weight_ih", weights[0]},     {"weight_hh", weights[1]},
                              {"bias_ih", weights[2]},       {"bias_hh", weights[3]},
                              {"head.weight", head->weight}, {"head.bias", head->bias}};

    const Tensor steps = steps_first(x, sizes);                 // [n_steps, batch, n_features]
    const Tensor targets = copied(y, {batch, n_outputs});       // [batch, 1]
    const Tensor zero_state = torch::zeros({1, batch, hidden}); // [1, batch, hidden]
    return training_step(
        parameters,
        [=]() mutable {
            const Tensor last = std::get<1>(gru->forward(steps, zero_state))[0];
            return torch::mse_loss(head->forward(last), targets);
        },
        report);
}

// Of a dozen ways to write it this one took the least time among those that read like the
// formula; scores and context from torch::bmm, on stacked or on growing states, took more. At
// this size a call costs more than its arithmetic, and a product and a sum are cheap calls.
std::function<void()> attentive_rnn_step(const float* x, const std::int64_t* classes,
                                         const Report& report)
{
    constexpr RecurrentSizes sizes = attentive_rnn_sizes;
    const auto batch = signed_size(sizes.batch);
    const auto n_steps = signed_size(sizes.n_steps);
    const auto n_features = signed_size(sizes.n_features);
    const auto hidden = signed_size(sizes.hidden);
    const auto n_classes = signed_size(sizes.n_outputs);

    torch::manual_seed(1);
    const Tensor w_i = uniform({hidden, n_features}, sizes.hidden);
    const Tensor w_h = uniform({hidden, 2 * hidden}, sizes.hidden);
    const Tensor b = uniform({hidden}, sizes.hidden);
    const Tensor head_weight = uniform({n_classes, hidden}, sizes.hidden);
    const Tensor head_bias = uniform({n_classes}, sizes.hidden);

    const Tensor flat =
        steps_first(x, sizes).view({-1, n_features});        // [n_steps batch, n_features]
    const Tensor targets = copied(classes, sizes.batch);     // [batch]
    const Tensor zero_state = torch::zeros({batch, hidden}); // [batch, hidden]
    return training_step(
        {{"W_i", w_i},
         {"W_h", w_h},
         {"b", b},
         {"head.weight", head_weight},
         {"head.bias", head_bias}},
        [=] {
            // The inputs' share of all steps in one product.
            const std::vector<Tensor> inputs =
                torch::addmm(b, flat, w_i.t()).view({n_steps, batch, hidden}).unbind(0);
            const Tensor w_h_t = w_h.t();

            Tensor h = zero_state;          // [batch, hidden]
            Tensor states = h.unsqueeze(0); // [steps so far, batch, hidden]
            for (std::size_t t = 0; t < inputs.size(); ++t) {
                const Tensor scores = (states * h).sum(2, true);  // [steps so far, batch, 1]
                const Tensor weights = torch::softmax(scores, 0); // [steps so far, batch, 1]
                const Tensor context = (weights * states).sum(0); // [batch, hidden]
                h = torch::tanh(torch::addmm(inputs[t], torch::cat({h, context}, 1), w_h_t));
                if (t + 1 < inputs.size()) {
                    states = torch::cat({states, h.unsqueeze(0)}, 0);
                }
            }
            return torch::cross_entropy_loss(torch::linear(h, head_weight, head_bias), targets);
        },
        report);
}

std::function<void()> perceptron_step(const float* x, const std::int64_t* classes,
                                      const Report& report)
{
    constexpr PerceptronSizes sizes = perceptron_sizes;
    const auto n_features = signed_size(sizes.n_features);
    const auto n_hidden = signed_size(sizes.hidden);

    torch::manual_seed(1);
    torch::nn::Linear hidden(n_features, n_hidden);
    torch::nn::Linear head(n_hidden, signed_size(sizes.n_classes));

    const Tensor inputs =
        copied(x, {signed_size(sizes.batch), n_features}); // [batch, n_features]
    const Tensor targets = copied(classes, sizes.batch);   // [batch]
    return training_step(
        {{"hidden.weight", hidden->weight},
         {"hidden.bias", hidden->bias},
         {"head.weight", head->weight},
         {"head.bias", head->bias}},
        [=]() mutable {
            const Tensor logits = head->forward(torch::relu(hidden->forward(inputs)));
            return torch::cross_entropy_loss(logits, targets);
        },
        report);
}

namespace {

/// [batch, n] of word numbers as [n, batch].
Tensor words_by_step(const std::int64_t* words, std::size_t batch, std::size_t n)
{
    return copied(words, batch * n).view({signed_size(batch), signed_size(n)}).t().contiguous();
}

/// The translator's decoder: its step is written out, so that the words' share of the gates is
/// one product for all steps, and so is the readout.
struct TranslatorDecoder
{
    Tensor embedding;
    Tensor first_weight, first_bias, word_weight, word_bias, context_weight, weight_hh, bias_hh;
    Tensor readout_weight, readout_bias, output_weight, output_bias;
    Tensor keys_weight, keys_bias, query_weight, score_weight;
    bool attends;

    explicit TranslatorDecoder(const TranslatorSizes& sizes) : attends(sizes.attends)
    {
        const auto e = signed_size(sizes.d_embedding);
        const auto h = signed_size(sizes.hidden);
        const auto n_words = signed_size(sizes.n_target_words);
        embedding = torch::randn({n_words, e}).requires_grad_();
        first_weight = uniform({h, h}, sizes.hidden);
        first_bias = uniform({h}, sizes.hidden);
        word_weight = uniform({3 * h, e}, sizes.hidden);
        word_bias = uniform({3 * h}, sizes.hidden);
        context_weight = uniform({3 * h, h}, sizes.hidden);
        weight_hh = uniform({3 * h, h}, sizes.hidden);
        bias_hh = uniform({3 * h}, sizes.hidden);
        readout_weight = uniform({h, 2 * h + e}, sizes.hidden);
        readout_bias = uniform({h}, sizes.hidden);
        output_weight = uniform({n_words, h}, sizes.hidden);
        output_bias = uniform({n_words}, sizes.hidden);
        keys_weight = uniform({h, h}, sizes.hidden);
        keys_bias = uniform({h}, sizes.hidden);
        query_weight = uniform({h, h}, sizes.hidden);
        score_weight = uniform({1, h}, sizes.hidden);
    }

    Named parameters() const
    {
        Named all = {{"decoder.embedding", embedding},   {"first.weight", first_weight},
                     {"first.bias", first_bias},         {"word.weight", word_weight},
                     {"word.bias", word_bias},           {"context.weight", context_weight},
                     {"weight_hh", weight_hh},           {"bias_hh", bias_hh},
                     {"readout.weight", readout_weight}, {"readout.bias", readout_bias},
                     {"output.weight", output_weight},   {"output.bias", output_bias}};
        if (attends) {
            all.insert(all.end(), {{"keys.weight", keys_weight},
                                   {"keys.bias", keys_bias},
                                   {"query.weight", query_weight},
                                   {"score.weight", score_weight}});
        }
        return all;
    }

    /// states [n_source, batch, hidden], last [batch, hidden], words [n_target, batch]
    /// -> logits [n_target * batch, n_words]
    Tensor write(const Tensor& states, const Tensor& last, const Tensor& words) const
    {
        const Tensor embedded = torch::embedding(embedding, words);
        const std::vector<Tensor> projected =
            torch::linear(embedded, word_weight, word_bias).unbind(0);
        const Tensor values = states.transpose(0, 1).contiguous(); // [batch, n_source, hidden]
        const Tensor keys = attends ? torch::linear(values, keys_weight, keys_bias) : Tensor();
        const Tensor fixed = attends ? Tensor() : torch::linear(last, context_weight);

        Tensor state = torch::tanh(torch::linear(last, first_weight, first_bias));
        std::vector<Tensor> written;
        std::vector<Tensor> contexts;
        for (const Tensor& word : projected) {
            Tensor context = last;
            Tensor gates = word;
            if (attends) {
                const Tensor query = torch::linear(state, query_weight).unsqueeze(1);
                const Tensor scores = torch::linear(torch::tanh(keys + query), score_weight);
                const Tensor weights = torch::softmax(scores, 1); // [batch, n_source, 1]
                context = torch::bmm(weights.transpose(1, 2), values).squeeze(1);
                gates = gates + torch::linear(context, context_weight);
            } else {
                gates = gates + fixed;
            }
            const Tensor own = torch::linear(state, weight_hh, bias_hh);
            const std::vector<Tensor> g = gates.chunk(3, 1);
            const std::vector<Tensor> o = own.chunk(3, 1);
            const Tensor reset = torch::sigmoid(g[0] + o[0]);
            const Tensor update = torch::sigmoid(g[1] + o[1]);
            const Tensor candidate = torch::tanh(g[2] + reset * o[2]);
            state = candidate + update * (state - candidate);
            written.push_back(state);
            contexts.push_back(context);
        }
        const Tensor seen = torch::cat(
            {torch::cat(written, 0), torch::cat(contexts, 0), embedded.flatten(0, 1)}, 1);
        return torch::linear(torch::tanh(torch::linear(seen, readout_weight, readout_bias)),
                             output_weight, output_bias);
    }
};

} // namespace

std::function<void()> translator_step(const TranslatorSizes& sizes, const std::int64_t* source,
                                      const std::int64_t* target_input,
                                      const std::int64_t* answers, const Report& report)
{
    torch::manual_seed(1);
    const auto e = signed_size(sizes.d_embedding);
    const Tensor embedding =
        torch::randn({signed_size(sizes.n_source_words), e}).requires_grad_();
    torch::nn::GRU encoder(
        torch::nn::GRUOptions(e, signed_size(sizes.hidden / 2)).bidirectional(true));
    const TranslatorDecoder decoder(sizes);

    Named parameters = {{"encoder.embedding", embedding}};
    for (const Tensor& weight : encoder->all_weights()) {
        parameters.emplace_back("encoder." + std::to_string(parameters.size()), weight);
    }
    const Named of_decoder = decoder.parameters();
    parameters.insert(parameters.end(), of_decoder.begin(), of_decoder.end());

    const Tensor source_words = words_by_step(source, sizes.batch, sizes.n_source);
    const Tensor target_words = words_by_step(target_input, sizes.batch, sizes.n_target);
    const Tensor targets = words_by_step(answers, sizes.batch, sizes.n_target).flatten();
    return training_step(
        parameters,
        [=]() mutable {
            const auto [states, final] =
                encoder->forward(torch::embedding(embedding, source_words));
            const Tensor last = torch::cat({final[0], final[1]}, 1); // [batch, hidden]
            return torch::cross_entropy_loss(decoder.write(states, last, target_words),
                                             targets);
        },
        report);
}

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

    Heads(std::int64_t d, std::int64_t n_heads_) : in(d, 3 * d), out(d, d), n_heads(n_heads_) {}

    /// [n, batch, d] to [batch * heads, n, d / heads], without moving anything.
    Tensor split(const Tensor& x) const
    {
        const std::int64_t d_head = x.size(2) / n_heads;
        return x.reshape({x.size(0), x.size(1) * n_heads, d_head}).transpose(0, 1);
    }
    /// Queries [n_q, batch, d] to keys and values, with what is added to the scores, if defined.
    Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) const
    {
        const double scale = 1 / std::sqrt(static_cast<double>(q.size(2) / n_heads));
        const Tensor queries = split(q) * scale;
        const Tensor turned = split(k).transpose(1, 2);
        const Tensor scores = mask.defined() ? torch::baddbmm(mask, queries, turned)
                                             : torch::bmm(queries, turned);
        const Tensor contexts = torch::bmm(torch::softmax(scores, -1), split(v));
        return out(contexts.transpose(0, 1).reshape(q.sizes()));
    }
    Tensor of_self(const Tensor& x, const Tensor& mask) const
    {
        const auto parts = in(x).chunk(3, -1);
        return attend(parts[0], parts[1], parts[2], mask);
    }
    Tensor of_memory(const Tensor& x, const Tensor& memory) const
    {
        const std::int64_t d = x.size(2);
        const Tensor q = torch::linear(x, in.weight.narrow(0, 0, d), in.bias.narrow(0, 0, d));
        const auto parts =
            torch::linear(memory, in.weight.narrow(0, d, 2 * d), in.bias.narrow(0, d, 2 * d))
                .chunk(2, -1);
        return attend(q, parts[0], parts[1], {});
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

/// The sinusoids of the first places [n, 1, d].
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

    explicit PeerTransformer(const TransformerSizes& s)
        : d(signed_size(s.d)),
          source((torch::randn({signed_size(s.n_source_words), d}) * 0.125).requires_grad_()),
          target((torch::randn({signed_size(s.n_target_words), d}) * 0.125).requires_grad_()),
          encoder_self(d, signed_size(s.n_heads)), encoder_1(d, signed_size(s.d_ff)),
          encoder_2(signed_size(s.d_ff), d), encoder_norm_1(d), encoder_norm_2(d),
          decoder_self(d, signed_size(s.n_heads)), decoder_source(d, signed_size(s.n_heads)),
          decoder_1(d, signed_size(s.d_ff)), decoder_2(signed_size(s.d_ff), d),
          decoder_norm_1(d), decoder_norm_2(d), decoder_norm_3(d), encoder_last(d),
          decoder_last(d), output(d, signed_size(s.n_target_words))
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
    Tensor scores(const Tensor& source_words, const Tensor& target_words, const Tensor& places,
                  const Tensor& causal) const
    {
        Tensor x = looked_up(source, source_words, places);
        x = x + encoder_self.of_self(encoder_norm_1(x), {});
        x = x + encoder_2(torch::relu(encoder_1(encoder_norm_2(x))));
        const Tensor memory = encoder_last(x);
        Tensor y = looked_up(target, target_words, places);
        y = y + decoder_self.of_self(decoder_norm_1(y), causal);
        y = y + decoder_source.of_memory(decoder_norm_2(y), memory);
        y = y + decoder_2(torch::relu(decoder_1(decoder_norm_3(y))));
        return output(decoder_last(y)).flatten(0, 1);
    }
};

} // namespace

std::function<void()> transformer_step(const TransformerSizes& sizes,
                                       const std::int64_t* source,
                                       const std::int64_t* target_input,
                                       const std::int64_t* answers, const Report& report)
{
    torch::manual_seed(1);
    const PeerTransformer model(sizes);
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
    const Tensor causal =
        torch::full({n_target, n_target}, -std::numeric_limits<float>::infinity()).triu(1);
    const double smoothing = sizes.label_smoothing;
    return training_step(lists.learnt,
                         [=] {
                             return torch::cross_entropy_loss(
                                 model.scores(source_words, target_words, places, causal),
                                 targets, {}, at::Reduction::Mean, -100, smoothing);
                         },
                         {report.loss, nullptr});
}

namespace {

/// A parameter of the other side: a matrix turned round, or a row.
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

    PeerLayer(const LayerSizes& s, const std::vector<InitialValues>& initial)
        : d(signed_size(s.d)), self(d, signed_size(s.n_heads)), dense_1(d, signed_size(s.d_ff)),
          dense_2(signed_size(s.d_ff), d), norm_1(d), norm_2(d)
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
        const Tensor informed = x + self.of_self(norm_1(x), {});
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
                                    bool in_one, float* y)
{
    const PeerLayer layer(sizes, initial);
    const Tensor sentences = sentences_first(sizes, x);
    const Tensor rows = in_one ? sentences : sentences.transpose(0, 1).contiguous();
    return [=] {
        const torch::NoGradGuard looking;
        const Tensor result = in_one ? layer.in_one(rows) : layer(rows);
        if (y != nullptr) {
            const Tensor out = (in_one ? result : result.transpose(0, 1)).contiguous();
            std::copy_n(out.data_ptr<float>(), out.numel(), y);
        }
    };
}

std::function<void()> layer_step(const LayerSizes& sizes,
                                 const std::vector<InitialValues>& initial, const float* x,
                                 const float* target, float* loss)
{
    const PeerLayer layer(sizes, initial);
    const Tensor rows = sentences_first(sizes, x).transpose(0, 1).contiguous();
    const Tensor targets = sentences_first(sizes, target).transpose(0, 1).contiguous();
    return training_step(layer.parameters(),
                         [=] { return torch::mse_loss(layer(rows), targets); },
                         {loss, nullptr});
}

std::function<void()> add_step(const float* inputs, const Report& report)
{
    const auto [a, b] = leaves(inputs, report);
    return [a = a, b = b, target = report.loss] {
        const Tensor sum = a + b;
        sum.backward();
        a.mutable_grad().reset();
        b.mutable_grad().reset();
        if (target != nullptr) {
            *target = sum.item<float>();
        }
    };
}

std::function<void()> add_step_without_leaves(const float* inputs, const Report& report)
{
    const auto [a, b] = leaves(inputs, report);
    return [a = a, b = b, target = report.loss] {
        const Tensor sum = a + b;
        torch::autograd::grad({sum}, {a, b});
        if (target != nullptr) {
            *target = sum.item<float>();
        }
    };
}

} // namespace attn::bench::torch_peer
