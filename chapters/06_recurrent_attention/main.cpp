#include "chapters/06_recurrent_attention/recall.hpp"
#include "chapters/06_recurrent_attention/forecasters.hpp"
#include "chapters/06_recurrent_attention/real_series.hpp"
#include <chrono>
#include <cstdio>
#include <cstdlib>
using namespace attn::recurrent_attention;
using namespace attn;
void run(const Problem& p, std::vector<std::size_t> sw, std::size_t steps, std::size_t look2)
{
    const Matrix truth = truth_of(p, p.test);
    auto say = [&](const char* n, const Predictor& f) {
        std::printf("  %-22s %.3f\n", n, rmse(in_own_units(p, f(p.test.inputs)), truth, 0));
    };
    std::printf("%s: %zu/%zu/%zu\n", p.series.name.c_str(), p.train.last.size(), p.validation.last.size(), p.test.last.size());
    say("persistence", persistence(p));
    if (p.plan.season) say("seasonal", seasonal_naive(p));
    say("mean", mean_rule(p));
    say("ridge", ridge_forecast(p));
    say("ridge x", ridge_forecast(p, sw));
    struct M { const char* n; MakeForecaster f; std::size_t l; };
    for (auto m : {M{"lstm", make_lstm<float>, 1}, M{"lstm+att", make_lstm_attention<float>, 1}, M{"att1", make_attention_only<float>, 1}, M{"att2", make_attention_only<float>, 2}}) {
        if (m.l == 2 && !look2) continue;
        for (int seed = 1; seed <= 3; ++seed) {
            auto t0 = std::chrono::steady_clock::now();
            ForecastTraining tr{m.f, 16, m.l, steps};
            auto r = train_forecaster(p, tr, seed);
            std::printf("  %-10s %.3f %.2fs ", m.n, rmse(in_own_units(p, r.predict(p.test.inputs)), truth, 0),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count());
            for (auto& w : r.weights) { std::printf(" |"); for (std::size_t j = 0; j < w.shape(1); ++j) { double s = 0; for (std::size_t i = 0; i < w.shape(0); ++i) s += w(i, j); std::printf(" %.2f", s / w.shape(0)); } }
            std::printf("\n");
            std::fflush(stdout);
        }
    }
}
int main(int, char** argv)
{
    if (argv[1][0] == 'c') {
        run(split_in_time(draw_series(Lags::switched, 3000, 1), {16, 1, 400, 600}), {2}, 1500, 0);
        run(split_in_time(draw_series(Lags::fixed, 3000, 1), {16, 1, 400, 600}), {}, 1500, 1);
    }
    if (argv[1][0] == 'r')
        for (auto& r : real_series()) { run(split_in_time(r.series, r.plan), {0}, 600, 0); }
    auto go = [&](CellOptions o, std::size_t q, std::size_t n) {
        for (int seed = 1; seed <= 3; ++seed) {
            auto t0 = std::chrono::steady_clock::now();
            RecallTraining tr{o};
            tr.task.n_query_steps = q;
            tr.n_steps = n;
            auto r = train_recall(tr, seed);
            std::printf("%s %s %s %s q%zu p%zu acc %.3f at95 %zu w %.2f share %.2f  %.2fs\n",
                        name_of(o.unit).c_str(), name_of(o.memory).c_str(),
                        o.context_to == ContextTo::input ? "in" : "st", name_of(o.score).c_str(), q,
                        r.n_parameters, r.accuracy, r.first_at_95, r.right_weight, r.right_share,
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count());
            std::fflush(stdout);
        }
    };
    if (argv[1][0] == 'm')
    for (Unit u : {Unit::rnn, Unit::gru, Unit::lstm})
        for (Memory m : {Memory::states_below, Memory::own_states, Memory::inputs})
            go({u, m, ContextTo::input, Score::sum}, 2, 600);
}
