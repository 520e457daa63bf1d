/// \file
/// \brief How fast the matrix product of chapter 14 is: rung by rung, for large squares and for
/// the small shapes of chapter 12's training, as a share of the processor's peak measured in the
/// same run, beside OpenBLAS and, if it is there, oneDNN. Deliberately on factors that stay
/// where they are from run to run, as a model's do.
#include "chapters/14_simd_transformer/machine.hpp"
#include "chapters/14_simd_transformer/matrix_product.hpp"
#include "chapters/14_simd_transformer/matrix_product_ladder.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/random.hpp"
#include "tests/bench/machine.hpp"

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

#ifdef ATTN_DNNL
#include <dnnl.h>
#include <omp.h>
#endif

namespace {

using namespace attn;
using namespace attn::simd_transformer;
using program::fixed;

constexpr Patience patience{.seconds = 0.05, .n_runs = 2};

/// What is compared is timed in turns, so that a slow while of the machine is shared.
constexpr int n_rounds = 5;

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

    double ours(const Execution& how)
    {
        return giga() / best_seconds(
                            [&] {
                                multiply(how, a_transposed, b_transposed, m, n, k, 1.0F,
                                         a.data(), lda(), b.data(), ldb(), 0.0F, c.data(), n);
                            },
                            patience);
    }

    double openblas(std::size_t n_threads)
    {
        const auto as_cblas = [](Transpose t) {
            return t == Transpose::yes ? CblasTrans : CblasNoTrans;
        };
        openblas_set_num_threads(static_cast<int>(n_threads));
        const double seconds = best_seconds(
            [&] {
                cblas_sgemm(CblasRowMajor, as_cblas(a_transposed), as_cblas(b_transposed),
                            static_cast<blasint>(m), static_cast<blasint>(n),
                            static_cast<blasint>(k), 1.0F, a.data(),
                            static_cast<blasint>(lda()), b.data(), static_cast<blasint>(ldb()),
                            0.0F, c.data(), static_cast<blasint>(n));
            },
            patience);
        openblas_set_num_threads(1);
        return giga() / seconds;
    }

#ifdef ATTN_DNNL
    double onednn(std::size_t n_threads)
    {
        const auto letter = [](Transpose t) { return t == Transpose::yes ? 'T' : 'N'; };
        const auto size = [](std::size_t of) { return static_cast<dnnl_dim_t>(of); };
        omp_set_num_threads(static_cast<int>(n_threads));
        const double seconds = best_seconds(
            [&] {
                dnnl_sgemm(letter(a_transposed), letter(b_transposed), size(m), size(n),
                           size(k), 1.0F, a.data(), size(lda()), b.data(), size(ldb()), 0.0F,
                           c.data(), size(n));
            },
            patience);
        return giga() / seconds;
    }
#endif
};

std::string percent(double share)
{
    return fixed(100 * share, 0) + " %";
}

std::vector<std::string> header_behind(std::vector<std::string> first)
{
    first.insert(first.end(), {"ours", "of peak", "OpenBLAS", "ratio"});
#ifdef ATTN_DNNL
    first.insert(first.end(), {"oneDNN", "ratio"});
#endif
    return first;
}

/// The columns that every table of products ends with.
/// \returns  ours over OpenBLAS
double add_rates(std::vector<std::string>& row, TimedProduct& product, const Execution& how)
{
    double peak = 0;
    double ours = 0;
    double theirs = 0;
    [[maybe_unused]] double others = 0;
    for (int round = 0; round < n_rounds; ++round) {
        peak = std::max(peak, fma_peak(how, patience));
        ours = std::max(ours, product.ours(how));
        theirs = std::max(theirs, product.openblas(how.n_threads));
#ifdef ATTN_DNNL
        others = std::max(others, product.onednn(how.n_threads));
#endif
    }
    row.insert(row.end(), {fixed(ours, 1), percent(ours / peak), fixed(theirs, 1),
                           fixed(ours / theirs, 2)});
#ifdef ATTN_DNNL
    row.insert(row.end(), {fixed(others, 1), fixed(ours / others, 2)});
#endif
    return ours / theirs;
}

std::string ladder_report()
{
    program::Table table({"rung", "256", "of peak", "1024", "of peak", "idea"});
    const Execution how{};
    for (const MatrixProductRung& rung : matrix_product_ladder()) {
        const bool last = &rung == &matrix_product_ladder().back();
        const Execution own{how.kernels, last ? std::size_t{2} : std::size_t{1}};
        std::vector<std::string> row = {rung.name + (last ? ", 2" : "")};
        for (const std::size_t n : {256U, 1024U}) {
            TimedProduct x(Transpose::no, Transpose::no, n, n, n);
            const double seconds = best_seconds(
                [&] { rung.multiply(own, n, n, n, x.a.data(), x.b.data(), x.c.data()); },
                {.seconds = 0.2, .n_runs = 1});
            const double rate = x.giga() / seconds;
            row.insert(row.end(), {fixed(rate, 1), percent(rate / fma_peak(own))});
        }
        row.push_back(rung.idea);
        table.row(row);
    }
    return table.to_string();
}

/// \param goals  receives how the squares stand beside OpenBLAS
std::string squares_report(std::vector<bench::Goal>& goals)
{
    program::Table table(header_behind({"kernels", "threads", "square"}));
    for (const Kernels* kernels : instruction_sets()) {
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
                goal.measured.push_back(add_rates(row, product, {kernels, n_threads}));
                table.row(row);
            }
            if (kernels->lanes >= 8) {
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
    program::Table table(header_behind({"layer", "product", "m", "n", "k"}));
    double logarithm = 0;
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
            logarithm += std::log(add_rates(row, *product, {}));
            table.row(row);
            ++n_products;
        }
    }
    return table.to_string() + fmt::format("In the geometric mean {} times OpenBLAS.\n",
                                           fixed(std::exp(logarithm / n_products), 2));
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<bench::Goal> goals;
    std::string text = "GFLOP/s, of float; the peak is that of the kernels in the row, on as "
                       "many threads.\n\n";
    text += fmt::format("The ladder, {} kernels, products of squares.\n\n{}\n",
                        default_kernels().name, ladder_report());
    text += fmt::format("Squares; beside them the kernels that the peers choose.\n\n{}\n",
                        squares_report(goals));
    text += fmt::format("A linear layer forwards and backwards, 480 rows, {} kernels, one "
                        "thread.\n\n{}\n",
                        default_kernels().name, model_report());
    return bench::write_report(text, argc, argv, goals);
}
