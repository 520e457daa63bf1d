#include "chapters/02_nadaraya_watson/kernels.hpp"

#include "common/tensor/check.hpp"
#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::nadaraya_watson;
using attn::testing::gaussian;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// The area under a function from -limit to limit, by the midpoint rule. The grid is even,
/// so that 0 and the edges 1 and -1 are boundaries of cells.
template <typename Function>
double area(const Function& function, double limit)
{
    constexpr std::size_t n_cells = 200000;
    const double step = 2 * limit / n_cells;
    double sum = 0;
    for (std::size_t i = 0; i < n_cells; ++i) {
        sum += function(-limit + (static_cast<double>(i) + 0.5) * step);
    }
    return sum * step;
}

} // namespace

TEST_CASE("every kernel but the constant one integrates to 1", "[02][claim]")
{
    for (const Kernel& kernel : kernels()) {
        CAPTURE(kernel.name);
        const double wanted = kernel.name == "constant" ? 20 : 1; // from -10 to 10
        CHECK_THAT(area(kernel, 10), WithinAbs(wanted, 1e-6));
    }
}

TEST_CASE("kernels are symmetric, never larger farther from 0 and never negative",
          "[02][property]")
{
    for (const Kernel& kernel : kernels()) {
        for (double u = 0; u < 12; u += 0.01) {
            CAPTURE(kernel.name, u);
            CHECK(kernel(u) == kernel(-u));
            CHECK(kernel(u) >= kernel(u + 0.01));
            CHECK(kernel(u) >= 0);
            CHECK(kernel.in_window(u) == kernel.in_window(-u));
        }
    }
}

TEST_CASE("the logarithm of a kernel is the logarithm of its value", "[02][identity]")
{
    for (const Kernel& kernel : kernels()) {
        for (const double u : {0.0, 0.3, -0.5, 0.999, 1.0, -1.0, 1.001, 2.0, 30.0}) {
            CAPTURE(kernel.name, u);
            CHECK_THAT(std::exp(kernel.log_value(u)), WithinRel(kernel(u), 1e-12));
            CHECK((kernel.log_value(u) > -std::numeric_limits<double>::infinity()) ==
                  kernel.in_window(u));
        }
    }
    // Where the Gaussian underflows, its logarithm does not.
    CHECK(gaussian(100) == 0);
    CHECK(gaussian.in_window(100));
    CHECK(gaussian.in_window(std::numeric_limits<double>::infinity()));
    CHECK_THAT(gaussian.log_value(100) - gaussian.log_value(0), WithinAbs(-5000, 1e-9));
}

TEST_CASE("the edge belongs to the boxcar and to no other window", "[02]")
{
    CHECK(kernel_named("boxcar")(1) == 0.5);
    CHECK(kernel_named("boxcar")(-1) == 0.5);
    CHECK(kernel_named("boxcar")(std::nextafter(1.0, 2.0)) == 0);
    CHECK(kernel_named("boxcar").in_window(1));
    for (const char* name : {"epanechnikov", "triangular"}) {
        CAPTURE(name);
        CHECK(kernel_named(name)(1) == 0);
        CHECK_FALSE(kernel_named(name).in_window(1));
        CHECK(kernel_named(name)(std::nextafter(1.0, 0.0)) > 0);
        CHECK(kernel_named(name).in_window(std::nextafter(1.0, 0.0)));
    }
}

// [claim_epanechnikov]
TEST_CASE("Epanechnikov's kernel is a parabola, the triangular one is not", "[02][claim]")
{
    const Kernel& parabola = kernel_named("epanechnikov");
    const Kernel& tent = kernel_named("triangular");
    CHECK_THAT(parabola(0), WithinAbs(0.75, 1e-15));
    CHECK_THAT(tent(0), WithinAbs(1, 1e-15));
    CHECK_THAT(parabola(0.5), WithinAbs(0.5625, 1e-15));
    CHECK_THAT(tent(0.5), WithinAbs(0.5, 1e-15));

    // Of a key half a width away the parabola keeps 75 % of the largest weight, the tent 50 %.
    CHECK_THAT(parabola(0.5) / parabola(0), WithinAbs(0.75, 1e-15));
    CHECK_THAT(tent(0.5) / tent(0), WithinAbs(0.5, 1e-15));
}
// [claim_epanechnikov]

// [claim_efficiency]
TEST_CASE("no kernel is far behind the best", "[02][claim]")
{
    // Of kernels that are nowhere negative Epanechnikov's makes the product of spread and roughness smallest; the
    // others reach a density estimate as good as its from 1 / efficiency times the data.
    const auto cost = [](const Kernel& kernel) {
        const double spread = area([&](double u) { return u * u * kernel(u); }, 10);
        const double roughness = area([&](double u) { return kernel(u) * kernel(u); }, 10);
        return std::sqrt(spread) * roughness;
    };
    const double best = cost(kernel_named("epanechnikov"));
    CHECK_THAT(best / cost(kernel_named("triangular")), WithinAbs(0.986, 5e-4));
    CHECK_THAT(best / cost(kernel_named("gaussian")), WithinAbs(0.951, 5e-4));
    CHECK_THAT(best / cost(kernel_named("boxcar")), WithinAbs(0.930, 5e-4));
}
// [claim_efficiency]

TEST_CASE("a cut kernel is the whole one up to the radius and zero beyond", "[02]")
{
    const Kernel whole = kernel_named("gaussian");
    const Kernel shorter = cut(whole, 4);
    CHECK(shorter.name == "gaussian cut at 4");
    for (const double u : {0.0, 1.0, -3.5, 4.0, -4.0}) {
        CHECK(shorter(u) == whole(u));
        CHECK(shorter.log_value(u) == whole.log_value(u));
        CHECK(shorter.in_window(u));
    }
    const double beyond = std::nextafter(4.0, 5.0);
    CHECK(shorter(beyond) == 0);
    CHECK(shorter.log_value(beyond) == -std::numeric_limits<double>::infinity());
    CHECK_FALSE(shorter.in_window(-beyond));

    // A cut at the edge or beyond it takes nothing away.
    CHECK(cut(kernel_named("boxcar"), 1)(1) == 0.5);
    CHECK(cut(kernel_named("boxcar"), 1).in_window(1));
    CHECK_FALSE(cut(kernel_named("triangular"), 1).in_window(1));
    CHECK(cut(kernel_named("triangular"), 5).name == "triangular");
    CHECK(cut(kernel_named("epanechnikov"), 0.5)(0.6) == 0);
    for (const double radius :
         {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        CHECK_THROWS_AS(cut(whole, radius), ContractError);
    }
}

TEST_CASE("kernels are found by name, and a wrong name lists the right ones", "[02]")
{
    std::vector<std::string> names;
    for (const Kernel& kernel : kernels()) {
        CHECK(kernel_named(kernel.name).idea == kernel.idea);
        names.push_back(kernel.name);
    }
    CHECK(names == std::vector<std::string>{"gaussian", "boxcar", "epanechnikov", "triangular",
                                            "constant"});
    CHECK_THROWS_WITH(kernel_named("Epanechikov"),
                      attn::testing::contains("gaussian, boxcar, epanechnikov, triangular"));
}
