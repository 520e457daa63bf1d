#include "chapters/06_recurrent_attention/experiments/contest.hpp"

#include "chapters/06_recurrent_attention/experiments/lstm_forecasters.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>

namespace attn::recurrent_attention {

namespace {

struct NamedNetwork
{
    const char* name;
    Forecaster<float> (*make)(const ForecasterSizes&, random::Generator&);
};

constexpr std::array<NamedNetwork, 3> networks = {
    {{"LSTM", make_lstm<float>},
     {"LSTM with attention", make_lstm_attention<float>},
     {"attention only", make_attention_only<float>}}};

void add_prediction(const Problem& problem, const Predictor& predict, Entry& entry)
{
    entry.predict.push_back(predict);
    entry.forecasts.push_back(in_own_units(problem, predict(problem.test.inputs)));
    entry.next.push_back(in_own_units(problem, predict(problem.next)));
}

/// What does not depend on a seed.
std::vector<Entry> fixed_entries(const Contest& contest)
{
    const Problem& problem = contest.problem;
    std::vector<Entry> entries;
    const auto add = [&](const char* name, const Predictor& predict) {
        entries.emplace_back();
        entries.back().name = name;
        add_prediction(problem, predict, entries.back());
    };
    add("persistence", persistence(problem));
    if (problem.series.of_changes) {
        add("level unchanged", unchanged_level(problem));
    }
    if (problem.plan.season > 0) {
        add("seasonal naive", seasonal_naive(problem));
    }
    add("mean", mean_rule(problem));
    add("ridge", ridge_forecast(problem));
    if (!contest.switches.empty()) {
        add("ridge with products", ridge_forecast(problem, contest.switches));
    }
    return entries;
}

} // namespace

std::vector<double> Entry::errors(const Problem& problem, std::size_t horizon) const
{
    const Matrix truth = truth_of(problem, problem.test);
    std::vector<double> result;
    for (const Matrix& forecast : forecasts) {
        result.push_back(rmse(forecast, truth, horizon));
    }
    return result;
}

Predictor predictor_of(const Forecaster<float>& network)
{
    return [network](const Array<float>& windows) {
        const autograd::NoGradient<float> evaluation;
        return as_matrix(network.read(windows).values.value());
    };
}

std::vector<std::vector<Entry>> hold_contests(const std::vector<Contest>& contests,
                                              const std::vector<std::uint64_t>& seeds,
                                              const ForEachIndex& for_each)
{
    const std::size_t n_each = networks.size() * seeds.size();
    std::vector<TrainedForecaster> trained(contests.size() * n_each);
    for_each(trained.size(), [&](std::size_t index) {
        const Contest& contest = contests[index / n_each];
        const NamedNetwork& network = networks[index % n_each / seeds.size()];
        trained[index] = train_forecaster(contest.problem,
                                          {network.make, contest.n_lookups, contest.n_steps},
                                          seeds[index % seeds.size()]);
    });

    std::vector<std::vector<Entry>> result;
    auto next = trained.begin();
    for (const Contest& contest : contests) {
        result.push_back(fixed_entries(contest));
        for (const NamedNetwork& network : networks) {
            Entry entry;
            entry.name = network.name;
            for (std::size_t seed = 0; seed < seeds.size(); ++seed) {
                add_prediction(contest.problem, predictor_of(next->network), entry);
                entry.trained.push_back(std::move(*next++));
            }
            result.back().push_back(std::move(entry));
        }
    }
    return result;
}

const Entry& entry_of(const std::vector<Entry>& entries, std::string_view name)
{
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const Entry& entry) { return entry.name == name; });
    expect(found != entries.end(), "entry_of: there is no '{}' among {} entries", name,
           entries.size());
    return *found;
}

Matrix weights_on(const Forecaster<float>& network, const Windows& windows, std::size_t lookup)
{
    const autograd::NoGradient<float> evaluation;
    return as_matrix(network.read(windows.inputs).weights.at(lookup).value());
}

Vector mean_weight_by_lag(const Matrix& weights, std::vector<bool> which)
{
    which.resize(which.empty() ? weights.shape(0) : which.size(), true);
    expect(which.size() == weights.shape(0),
           "mean_weight_by_lag: there must be an entry for each row of {}, got {}",
           shape_of(weights), which.size());
    const std::size_t window = weights.shape(1);
    Vector mean = xt::zeros<double>({window});
    double n = 0;
    for (std::size_t i = 0; i < which.size(); ++i) {
        if (which[i]) {
            n += 1;
            for (std::size_t lag = 1; lag <= window; ++lag) {
                mean(lag - 1) += weights(i, window - lag);
            }
        }
    }
    if (n > 0) {
        mean /= n;
    }
    return mean;
}

} // namespace attn::recurrent_attention
