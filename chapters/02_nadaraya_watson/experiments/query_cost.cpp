#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "common/kernels/elementary.hpp"
#include "common/program/number.hpp"

#include <algorithm>
#include <string>

namespace attn::nadaraya_watson {

using program::fixed;
using program::Frame;

namespace {

/// A number that counts what is done with it.
class Counted
{
public:
    /// Counts into a tally that the caller keeps.
    Counted(double value, Cost& cost) : value_(value), cost_(&cost) {}

    /// The number itself.
    double value() const { return value_; }

    friend Counted operator+(Counted a, Counted b) { return {a.value_ + b.value_, *a.cost_}; }
    friend Counted operator-(Counted a, Counted b) { return {a.value_ - b.value_, *a.cost_}; }
    friend Counted operator*(Counted a, Counted b)
    {
        ++a.cost_->multiplications;
        return {a.value_ * b.value_, *a.cost_};
    }
    friend Counted operator/(Counted a, Counted b)
    {
        ++a.cost_->multiplications;
        return {a.value_ / b.value_, *a.cost_};
    }
    friend Counted exp(Counted a)
    {
        ++a.cost_->exponentials;
        return {elementary::exp(a.value_), *a.cost_};
    }

private:
    double value_;
    Cost* cost_;
};

} // namespace

CountedPrediction count_gaussian(const Vector& query, const Matrix& keys, const Vector& values,
                                 double bandwidth)
{
    Cost cost;
    const Counted factor(-0.5 / (bandwidth * bandwidth), cost); // made once for all queries
    Counted weight_sum(0, cost);
    Counted value_sum(0, cost);
    for (std::size_t j = 0; j < values.size(); ++j) {
        Counted squared(0, cost);
        for (std::size_t m = 0; m < query.size(); ++m) {
            const Counted step = Counted(query(m), cost) - Counted(keys(j, m), cost);
            squared = squared + step * step;
        }
        const Counted weight = exp(factor * squared);
        weight_sum = weight_sum + weight;
        value_sum = value_sum + weight * Counted(values(j), cost);
    }
    const double prediction = (value_sum / weight_sum).value();
    cost.kept = keys.size() + values.size() + 1; // and the bandwidth
    return {prediction, cost};
}

CountedPrediction count_epanechnikov(double query, const Sample& sample, double bandwidth)
{
    Cost cost;
    const Counted factor(1 / (bandwidth * bandwidth), cost);
    const Counted one(1, cost);
    const auto first =
        std::lower_bound(sample.keys.begin(), sample.keys.end(), query - bandwidth);
    const auto end = std::upper_bound(first, sample.keys.end(), query + bandwidth);
    Counted weight_sum(0, cost);
    Counted value_sum(0, cost);
    for (auto key = first; key != end; ++key) {
        const auto j = static_cast<std::size_t>(key - sample.keys.begin());
        const Counted step = Counted(query, cost) - Counted(*key, cost);
        const Counted weight = one - factor * (step * step); // the factor 3/4 cancels
        weight_sum = weight_sum + weight;
        value_sum = value_sum + weight * Counted(sample.values(j), cost);
    }
    const double prediction = (value_sum / weight_sum).value();
    cost.kept = 2 * sample.keys.size() + 1;
    return {prediction, cost};
}

Line fit_line(const Sample& sample)
{
    expect_table(sample, 2, "fit_line");
    const auto n = static_cast<double>(sample.keys.size());
    double mean_key = 0;
    double mean_value = 0;
    for (std::size_t j = 0; j < sample.keys.size(); ++j) {
        mean_key += sample.keys(j) / n;
        mean_value += sample.values(j) / n;
    }
    double spread = 0;
    double together = 0;
    for (std::size_t j = 0; j < sample.keys.size(); ++j) {
        const double step = sample.keys(j) - mean_key;
        spread += step * step;
        together += step * (sample.values(j) - mean_value);
    }
    expect(spread > 0, "fit_line: keys must differ, got {} every time", sample.keys(0));
    return {together / spread, mean_value - together / spread * mean_key};
}

CountedPrediction count_line(const Vector& query, const Vector& slopes, double intercept)
{
    Cost cost;
    Counted sum(intercept, cost);
    for (std::size_t m = 0; m < query.size(); ++m) {
        sum = sum + Counted(slopes(m), cost) * Counted(query(m), cost);
    }
    cost.kept = slopes.size() + 1;
    return {sum.value(), cost};
}

double leave_one_out_error_of_line(const Sample& sample)
{
    double squared_error = 0;
    for (std::size_t i = 0; i < sample.keys.size(); ++i) {
        const Sample others{xt::view(sample.keys, xt::drop(i)),
                            xt::view(sample.values, xt::drop(i))};
        const Line line = fit_line(others);
        const double miss = line.intercept + line.slope * sample.keys(i) - sample.values(i);
        squared_error += miss * miss;
    }
    return squared_error / static_cast<double>(sample.keys.size());
}

void show_query_cost(Frame& frame, const Sample& real, const Sample& synthetic)
{
    frame.terminal.introduce(
        "What one prediction costs",
        "Counted in plain loops for one query: multiplications and divisions, exponentials, "
        "and the numbers that must be kept; and the leave-one-out error. Epanechnikov's "
        "kernel visits its window alone, here that of 4.5 minutes.");
    program::Table table(
        {"table", "method", "multiplications", "exponentials", "kept", "error"});
    const auto add_row = [&](const std::string& name, const std::string& method,
                             const Cost& cost, const std::string& error) {
        table.row({name, method, std::to_string(cost.multiplications),
                   std::to_string(cost.exponentials), std::to_string(cost.kept), error});
    };
    const Kernel& gaussian = kernel_named("gaussian");
    const Kernel& parabola = kernel_named("epanechnikov");
    const std::string faithful = "Old Faithful";
    const Choice of_gaussian = choose_bandwidth(real, gaussian);
    const Choice of_parabola = choose_bandwidth(real, parabola);
    add_row(
        faithful, "gaussian",
        count_gaussian({4.5}, as_column(real.keys), real.values, of_gaussian.bandwidth).cost,
        fixed(of_gaussian.error, 3));
    add_row(faithful, "epanechnikov",
            count_epanechnikov(4.5, sorted(real), of_parabola.bandwidth).cost,
            fixed(of_parabola.error, 3));
    const Line line = fit_line(real);
    add_row(faithful, "straight line", count_line({4.5}, {line.slope}, line.intercept).cost,
            fixed(leave_one_out_error_of_line(real), 3));

    const Choice choice = choose_bandwidth(synthetic, gaussian);
    const Line through = fit_line(synthetic);
    add_row("synthetic", "gaussian",
            count_gaussian({2.5}, as_column(synthetic.keys), synthetic.values, choice.bandwidth)
                .cost,
            fixed(choice.error, 3));
    add_row("synthetic", "straight line",
            count_line({2.5}, {through.slope}, through.intercept).cost,
            fixed(leave_one_out_error_of_line(synthetic), 3));

    const WideSample wide = wide_sample(frame.options.seed, 0, 200, 20, Matters::first);
    const Vector middle = 2.5 * xt::ones<double>({std::size_t{20}});
    add_row("20 numbers", "gaussian", count_gaussian(middle, wide.keys, wide.values, 1).cost,
            "");
    add_row("20 numbers", "straight line", count_line(middle, middle, 0).cost, "");
    frame.terminal.table(table);
}

} // namespace attn::nadaraya_watson
