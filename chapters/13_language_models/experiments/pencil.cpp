#include "chapters/13_language_models/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/13_language_models/sampling.hpp"
#include "common/autograd/softmax.hpp"
#include "common/program/trace.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace attn::language_models {

void show_pencil_steps(program::Frame& frame)
{
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "The two queries of the example are the last two tokens of a text of three, whose keys "
        "are the example's. Under GPT's mask the first of them must not attend to the third "
        "token; BERT has no mask.");
    const Matrix queries = lookup::pencil_example::queries();
    const Matrix keys = lookup::pencil_example::keys();
    Matrix scores = xt::zeros<double>({queries.shape()[0], keys.shape()[0]});
    for (std::size_t q = 0; q < queries.shape()[0]; ++q) {
        for (std::size_t k = 0; k < keys.shape()[0]; ++k) {
            scores(q, k) =
                (queries(q, 0) * keys(k, 0) + queries(q, 1) * keys(k, 1)) / std::sqrt(2.0);
        }
    }
    trace(terminal, "scores", "q . k / root 2", "n_queries, n_keys", scores);
    const auto weights = [](const Matrix& of) {
        Matrix rows = of;
        for (std::size_t q = 0; q < of.shape()[0]; ++q) {
            const std::vector<float> row(of.data() + q * of.shape()[1],
                                         of.data() + (q + 1) * of.shape()[1]);
            const Vector p = next_probabilities(row, {});
            for (std::size_t k = 0; k < p.size(); ++k) {
                rows(q, k) = p(k);
            }
        }
        return rows;
    };
    trace(terminal, "a", "softmax of the scores: BERT's weights", "n_queries, n_keys",
          weights(scores));
    Matrix masked = scores;
    masked(0, 2) = -std::numeric_limits<double>::infinity();
    trace(terminal, "a, causal", "the same without later keys: GPT's weights",
          "n_queries, n_keys", weights(masked));

    terminal.introduce("The next token",
                       "The scores of the second query, now as those of three tokens that may "
                       "come next.");
    const std::vector<float> s(scores.data() + keys.shape()[0],
                               scores.data() + 2 * keys.shape()[0]);
    const auto show = [&](const char* name, const char* meaning, const Sampling& sampling) {
        trace(terminal, name, meaning, "n_tokens", next_probabilities(s, sampling));
    };
    show("p", "softmax(s), temperature tau = 1", {});
    show("p, tau = 0.5", "softmax(s / 0.5): sharper", {.temperature = 0.5});
    show("p, tau = 2", "softmax(s / 2): flatter", {.temperature = 2});
    show("p, top-k 2", "the two most probable tokens, over their sum", {.top_k = 2});
    show("p, top-p 0.7", "the fewest tokens with 0.7 or more together", {.top_p = 0.7});
}

} // namespace attn::language_models
