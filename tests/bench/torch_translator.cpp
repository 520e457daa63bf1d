/// \file
/// \brief PyTorch's translator: translator_step() of torch_peers.hpp.
#include "tests/bench/torch_training.hpp"

namespace attn::bench::torch_peer {

namespace {

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

    /// With additive scores before each step. The context is a product and a sum over the steps,
    /// which takes less time than `torch::bmm` on these sizes.
    void write_attending(const Tensor& states, const Tensor& first, const Tensor& projected,
                         std::vector<Tensor>& written, std::vector<Tensor>& contexts) const
    {
        const Tensor values = states.transpose(0, 1).contiguous(); // [batch, n_source, hidden]
        const Tensor keys = torch::linear(values, keys_weight, keys_bias);
        Tensor state = first;
        for (const Tensor& word : projected.unbind(0)) {
            const Tensor query = torch::linear(state, query_weight).unsqueeze(1);
            const Tensor scores = torch::linear((keys + query).tanh_(), score_weight);
            const Tensor weights = torch::softmax(scores, 1); // [batch, n_source, 1]
            contexts.push_back((weights * values).sum(1));
            const Tensor gates = torch::addmm(word, contexts.back(), context_weight.t());
            state = step_of_gru(gates, state, weight_hh, bias_hh);
            written.push_back(state);
        }
    }

    /// states [n_source, batch, hidden], last [batch, hidden], words [n_target, batch]
    /// -> logits [n_target * batch, n_words]
    Tensor write(const Tensor& states, const Tensor& last, const Tensor& words) const
    {
        const Tensor embedded = torch::embedding(embedding, words);
        const Tensor projected = torch::linear(embedded, word_weight, word_bias);
        const Tensor first = torch::tanh(torch::linear(last, first_weight, first_bias));
        std::vector<Tensor> written;
        std::vector<Tensor> contexts;
        if (attends) {
            write_attending(states, first, projected, written, contexts);
        } else {
            written = gru_states(projected + torch::linear(last, context_weight), first,
                                 weight_hh, bias_hh);
            contexts.assign(written.size(), last);
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
    const auto half = signed_size(sizes.hidden / 2);
    // Of each direction: the weights to the gates from words and state, and their biases.
    const std::vector<Tensor> of_encoder =
        torch::nn::GRU(torch::nn::GRUOptions(e, half).bidirectional(true))->all_weights();
    const Tensor zero = torch::zeros({signed_size(sizes.batch), half});
    const TranslatorDecoder decoder(sizes);

    Named parameters = {{"encoder.embedding", embedding}};
    for (const Tensor& weight : of_encoder) {
        parameters.emplace_back("encoder." + std::to_string(parameters.size()), weight);
    }
    const Named of_decoder = decoder.parameters();
    parameters.insert(parameters.end(), of_decoder.begin(), of_decoder.end());

    const Tensor source_words = words_by_step(source, sizes.batch, sizes.n_source);
    const Tensor target_words = words_by_step(target_input, sizes.batch, sizes.n_target);
    const Tensor targets = words_by_step(answers, sizes.batch, sizes.n_target).flatten();
    return training_step(
        parameters,
        [=] {
            const Tensor words = torch::embedding(embedding, source_words);
            const auto read = [&](const Tensor* weights, bool backward) {
                return gru_states(torch::linear(words, weights[0], weights[2]), zero,
                                  weights[1], weights[3], backward);
            };
            const std::vector<Tensor> there = read(&of_encoder[0], false);
            const std::vector<Tensor> back = read(&of_encoder[4], true);
            const Tensor states = torch::cat({torch::stack(there), torch::stack(back)}, 2);
            const Tensor last = torch::cat({there.back(), back.front()}, 1); // [batch, hidden]
            return torch::cross_entropy_loss(decoder.write(states, last, target_words),
                                             targets);
        },
        report);
}

} // namespace attn::bench::torch_peer
