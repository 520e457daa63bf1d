/// \file
/// \brief How fast the matrix product of chapter 14 is: variant by variant, for large squares
/// and for the small shapes of chapter 12's training, as a share of the processor's peak
/// measured in the same run, beside OpenBLAS and oneDNN, if they are there. The factors stay
/// where they are from run to run, as a model's do.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"
#include "common/kernels/gemm.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/random.hpp"
#include "tests/bench/blas.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/turns.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <string>
#include <vector>

#ifdef ATTN_OPENBLAS
#include <cblas.h>
#endif
#ifdef ATTN_DNNL
#include <dnnl.h>
#include <omp.h>
#endif

namespace {

using namespace attn;
using namespace attn::simd_transformer;
using program::fixed;

/// How often, for a product of so many multiplications.
bench::Turns turns_for(double giga)
{
    return {.n_turns = 5, .n_samples = giga > 1 ? 2U : 5U};
}

/// One product of random factors, and a place for its result.
struct TimedProduct
{
    Transpose a_transposed, b_transposed;
    std::size_t m, n, k;
    std::vector<float> a, b, c;

    TimedProduct(Transpose ta, Transpose tb, std::size_t m_, std::size_t n_, std::size_t k_)
        : a_transposed(ta), b_transposed(tb), m(m_), n(n_), k(k_), a(m * k), b(k * n), c(m * n)
    {
        random::Generator generator(14);
        for (std::vector<float>* x : {&a, &b}) {
            for (float& number : *x) {
                number = static_cast<float>(generator.uniform(-1, 1));
            }
        }
    }

    std::size_t lda() const { return a_transposed == Transpose::yes ? m : k; }
    std::size_t ldb() const { return b_transposed == Transpose::yes ? k : n; }
    double giga() const { return 2e-9 * static_cast<double>(m * n * k); }

    std::function<void()> ours(const Execution& how)
    {
        return [this, how] {
            const kernels::ComputeWith these(how);
            gemm(a_transposed, b_transposed, m, n, k, 1.0F, a.data(), lda(), b.data(), ldb(),
                 0.0F, c.data(), n);
        };
    }

#ifdef ATTN_OPENBLAS
    std::function<void()> openblas()
    {
        const auto as_cblas = [](Transpose t) {
            return t == Transpose::yes ? CblasTrans : CblasNoTrans;
        };
        const auto size = [](std::size_t of) { return static_cast<blasint>(of); };
        return [=, this] {
            cblas_sgemm(CblasRowMajor, as_cblas(a_transposed), as_cblas(b_transposed), size(m),
                        size(n), size(k), 1.0F, a.data(), size(lda()), b.data(), size(ldb()),
                        0.0F, c.data(), size(n));
        };
    }
#endif

#ifdef ATTN_DNNL
    std::function<void()> onednn()
    {
        const auto letter = [](Transpose t) { return t == Transpose::yes ? 'T' : 'N'; };
        const auto size = [](std::size_t of) { return static_cast<dnnl_dim_t>(of); };
        return [=, this] {
            dnnl_sgemm(letter(a_transposed), letter(b_transposed), size(m), size(n), size(k),
                       1.0F, a.data(), size(lda()), b.data(), size(ldb()), 0.0F, c.data(),
                       size(n));
        };
    }
#endif

    /// Ours, and whoever is there beside it.
    std::vector<bench::Candidate> candidates(const Execution& how)
    {
        std::vector<bench::Candidate> all = {{"ours", how.n_threads, ours(how)}};
        [[maybe_unused]] const int n_threads = static_cast<int>(how.n_threads);
#ifdef ATTN_OPENBLAS
        all.push_back({"OpenBLAS", how.n_threads, openblas(),
                       [n_threads] { bench::set_blas_threads(n_threads); }});
#endif
#ifdef ATTN_DNNL
        all.push_back({"oneDNN", how.n_threads, onednn(),
                       [n_threads] { omp_set_num_threads(n_threads); }});
#endif
        return all;
    }
};

/// The peers that are there.
const std::vector<std::string> peers = {
#ifdef ATTN_OPENBLAS
    "OpenBLAS",
#endif
#ifdef ATTN_DNNL
    "oneDNN",
#endif
};

/// Ours over a peer, by its name.
using Ratios = std::map<std::string, double>;

std::vector<std::string> header_after(std::vector<std::string> first)
{
    first.insert(first.end(), {"ours", "of peak"});
    for (const std::string& peer : peers) {
        first.insert(first.end(), {peer, "ratio"});
    }
    return first;
}

/// The columns that every table of products ends with.
/// \returns  ours over each peer
Ratios add_rates(std::vector<std::string>& row, TimedProduct& product, const Execution& how)
{
    std::vector<bench::Candidate> all = product.candidates(how);
    double peak = 0;
    all.front().prepare = [&] {
        peak = std::max(peak, fma_peak(how, {.seconds = 0.02, .n_runs = 1}));
    };
    bench::time_in_turns(all, turns_for(product.giga()));
    const double ours = 1e3 * product.giga() / all.front().best();
    row.insert(row.end(), {fixed(ours, 1), percent(ours / peak)});
    Ratios ratios;
    for (const std::string& peer : peers) {
        const double theirs = bench::fastest(all, peer).best();
        ratios[peer] = theirs / all.front().best();
        row.insert(row.end(),
                   {fixed(1e3 * product.giga() / theirs, 1), fixed(ratios[peer], 2)});
    }
    return ratios;
}

/// The variants in turns, on one pair of factors a size; the last one on two threads.
std::string ladder_report()
{
    const std::vector<MatrixProductVariant>& variants = matrix_product_variants();
    std::vector<std::vector<std::string>> rows;
    for (const MatrixProductVariant& variant : variants) {
        rows.push_back({variant.name + (&variant == &variants.back() ? ", 2" : "")});
    }
    for (const std::size_t n : {256U, 1024U}) {
        TimedProduct x(Transpose::no, Transpose::no, n, n, n);
        std::vector<bench::Candidate> candidates;
        for (const MatrixProductVariant& variant : variants) {
            const Execution how{.n_threads = &variant == &variants.back() ? std::size_t{2} : 1};
            candidates.push_back({variant.name, how.n_threads, [&variant, &x, how, n] {
                                      variant.multiply(how, n, n, n, x.a.data(), x.b.data(),
                                                       x.c.data());
                                  }});
        }
        bench::time_in_turns(candidates, {.n_turns = 3, .n_samples = 1});
        for (std::size_t i = 0; i < variants.size(); ++i) {
            const double rate = 1e3 * x.giga() / candidates[i].best();
            const double peak = fma_peak({.n_threads = candidates[i].n_threads});
            rows[i].insert(rows[i].end(), {fixed(rate, 1), percent(rate / peak)});
        }
    }
    program::Table table({"rung", "256", "of peak", "1024", "of peak", "idea"});
    for (std::size_t i = 0; i < variants.size(); ++i) {
        rows[i].push_back(variants[i].idea);
        table.row(rows[i]);
    }
    return table.to_string();
}

/// \param goals  receives how the squares stand beside OpenBLAS
std::string squares_report(std::vector<bench::Goal>& goals)
{
    program::Table table(header_after({"kernels", "threads", "square"}));
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n_threads : {1U, 2U}) {
            bench::Goal goal{.what = fmt::format("matrix product; {}; threads: {}",
                                                 kernels->name, n_threads),
                             .sizes = "512 1024 2048 square",
                             .unit = "times OpenBLAS",
                             .bound = 1,
                             .measured = {}};
            for (const std::size_t n : {512U, 1024U, 2048U}) {
                if (kernels->lanes < 8 && (n > 512 || n_threads > 1)) {
                    continue; // long, and the share is that of the smaller one
                }
                TimedProduct product(Transpose::no, Transpose::no, n, n, n);
                std::vector<std::string> row = {kernels->name, std::to_string(n_threads),
                                                std::to_string(n)};
                const Ratios ratios = add_rates(row, product, {kernels, n_threads});
                table.row(row);
                if (const auto found = ratios.find("OpenBLAS"); found != ratios.end()) {
                    goal.measured.push_back(found->second);
                }
            }
            if (kernels->lanes >= 8 && !goal.measured.empty()) {
                goals.push_back(goal);
            }
        }
    }
    return table.to_string();
}

/// The three products of a linear layer from n_in to n_out numbers, for so many rows.
std::string model_report()
{
    struct Layer
    {
        const char* name;
        std::size_t n_in, n_out;
    };
    const std::vector<Layer> layers = {{"projection", 64, 64},
                                       {"keys and values", 64, 128},
                                       {"queries, keys, values", 64, 192},
                                       {"inner", 128, 64},
                                       {"words", 64, 270}};
    program::Table table(header_after({"layer", "product", "m", "n", "k"}));
    Ratios logarithms;
    double n_products = 0;
    constexpr std::size_t rows = 480;
    for (const Layer& layer : layers) {
        TimedProduct forward(Transpose::no, Transpose::no, rows, layer.n_out, layer.n_in);
        TimedProduct to_rows(Transpose::no, Transpose::yes, rows, layer.n_in, layer.n_out);
        TimedProduct to_weights(Transpose::yes, Transpose::no, layer.n_in, layer.n_out, rows);
        for (const auto& [name, product] :
             {std::pair("X W", &forward), std::pair("dY W^T", &to_rows),
              std::pair("X^T dY", &to_weights)}) {
            std::vector<std::string> row = {layer.name, name, std::to_string(product->m),
                                            std::to_string(product->n),
                                            std::to_string(product->k)};
            for (const auto& [peer, ratio] : add_rates(row, *product, {})) {
                logarithms[peer] += std::log(ratio);
            }
            table.row(row);
            ++n_products;
        }
    }
    std::string text = table.to_string();
    for (const auto& [peer, logarithm] : logarithms) {
        text += fmt::format("In the geometric mean {} times {}.\n",
                            fixed(std::exp(logarithm / n_products), 2), peer);
    }
    return text;
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<bench::Goal> goals;
    std::string text = "GFLOP/s, of float; the peak is that of the kernels in the row, on as "
                       "many threads. One thread: the processor's\ntime; two: the time that "
                       "passes.\n\n";
    text += fmt::format("The ladder, {} kernels, products of squares.\n\n{}\n",
                        kernels::default_kernels().name, ladder_report());
    text += fmt::format("Squares; beside them the kernels that the peers choose.\n\n{}\n",
                        squares_report(goals));
    text += fmt::format("A linear layer forwards and backwards, 480 rows, {} kernels, one "
                        "thread.\n\n{}\n",
                        kernels::default_kernels().name, model_report());
#ifdef ATTN_OPENBLAS
    text += "peer: " + bench::blas_version() + "\n";
#endif
#ifdef ATTN_DNNL
    const dnnl_version_t& dnnl = *dnnl_version();
    text += fmt::format("peer: oneDNN {}.{}.{}\n", dnnl.major, dnnl.minor, dnnl.patch);
#endif
    return bench::write_report(text, argc, argv, goals);
}
