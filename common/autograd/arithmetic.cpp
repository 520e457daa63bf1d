#include "common/autograd/arithmetic.hpp"

#include "common/autograd/broadcast.hpp"
#include "common/autograd/rule.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace attn::autograd {

namespace {

// ---------------------------------------------------------------- the four operations

/// Each operation with its value and its slopes with respect to a and to b.
struct Addition
{
    static constexpr const char* name = "add";
    template <typename T>
    static T value(T a, T b)
    {
        return a + b;
    }
    template <typename T>
    static T slope_a(T /*a*/, T /*b*/)
    {
        return T(1);
    }
    template <typename T>
    static T slope_b(T /*a*/, T /*b*/)
    {
        return T(1);
    }
};

struct Subtraction
{
    static constexpr const char* name = "subtract";
    template <typename T>
    static T value(T a, T b)
    {
        return a - b;
    }
    template <typename T>
    static T slope_a(T /*a*/, T /*b*/)
    {
        return T(1);
    }
    template <typename T>
    static T slope_b(T /*a*/, T /*b*/)
    {
        return T(-1);
    }
};

struct Multiplication
{
    static constexpr const char* name = "multiply";
    template <typename T>
    static T value(T a, T b)
    {
        return a * b;
    }
    template <typename T>
    static T slope_a(T /*a*/, T b)
    {
        return b;
    }
    template <typename T>
    static T slope_b(T a, T /*b*/)
    {
        return a;
    }
};

struct Division
{
    static constexpr const char* name = "divide";
    template <typename T>
    static T value(T a, T b)
    {
        return a / b;
    }
    template <typename T>
    static T slope_a(T /*a*/, T b)
    {
        return T(1) / b;
    }
    template <typename T>
    static T slope_b(T a, T b)
    {
        return -a / (b * b);
    }
};

// ---------------------------------------------------------------- along one run

/// Calls f(i, a_i, b_i) along a run. The steps, 0 or 1, are known to the compiler in each branch,
/// so that each loop becomes vector code.
template <typename T, typename F>
void for_each_pair(std::size_t n, const T* a, std::size_t step_a, const T* b,
                   std::size_t step_b, F f)
{
    if (step_a == 1 && step_b == 1) {
        for (std::size_t i = 0; i < n; ++i) {
            f(i, a[i], b[i]);
        }
    } else if (step_a == 1) {
        for (std::size_t i = 0; i < n; ++i) {
            f(i, a[i], *b);
        }
    } else if (step_b == 1) {
        for (std::size_t i = 0; i < n; ++i) {
            f(i, *a, b[i]);
        }
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            f(i, *a, *b);
        }
    }
}

/// Which of the two inputs a gradient is for.
enum class Side
{
    a,
    b
};

/// Adds dy times a slope to the gradient of one input, summed over where it was repeated.
template <Side side, typename T, typename Slope>
void add_side(const Variable<T>& a, const Variable<T>& b, const Broadcast& pairs, const T* dy,
              Slope slope)
{
    const Variable<T>& x = side == Side::a ? a : b;
    if (!x.needs_gradient()) {
        return;
    }
    const bool repeated = x.size() != pairs.size();
    const bool replaces = !repeated && !x.has_gradient();
    T* const gradient = replaces ? open_gradient(x).data : zeroed_gradient(x);
    const std::size_t step = side == Side::a ? pairs.step_a() : pairs.step_b();
    const T* const a_data = a.value().data();
    const T* const b_data = b.value().data();

    pairs.for_each_run([&](const Broadcast::Run& run) {
        T* const dx = gradient + (side == Side::a ? run.a : run.b);
        const T* const dy_run = dy + run.result;
        const auto along = [&](auto f) {
            for_each_pair(run.n, a_data + run.a, pairs.step_a(), b_data + run.b, pairs.step_b(),
                          f);
        };
        if (replaces) {
            along([=](std::size_t i, T a_i, T b_i) { dx[i] = dy_run[i] * slope(a_i, b_i); });
        } else if (step == 1) {
            along([=](std::size_t i, T a_i, T b_i) { dx[i] += dy_run[i] * slope(a_i, b_i); });
        } else {
            T sum = 0;
            along([&](std::size_t i, T a_i, T b_i) { sum += dy_run[i] * slope(a_i, b_i); });
            *dx += sum;
        }
    });
}

template <typename Operation, typename T>
Variable<T> combine(const Variable<T>& a, const Variable<T>& b)
{
    const Broadcast pairs(a.shape(), b.shape(), Operation::name);
    Array<T> y = pairs.equal_shapes() ? Array<T>(a.shape())
                                      : Array<T>(broadcast_shape(a.shape(), b.shape()));
    pairs.for_each_run([&](const Broadcast::Run& run) {
        T* const y_run = y.data() + run.result;
        for_each_pair(run.n, a.value().data() + run.a, pairs.step_a(), b.value().data() + run.b,
                      pairs.step_b(), [=](std::size_t i, T a_i, T b_i) {
                          y_run[i] = Operation::value(a_i, b_i);
                      });
    });
    return record(std::move(y), a.needs_gradient() || b.needs_gradient(),
                  [a, b, pairs](const Array<T>& /*y*/, const Array<T>& dy) {
                      add_side<Side::a>(a, b, pairs, dy.data(), [](T a_i, T b_i) {
                          return Operation::slope_a(a_i, b_i);
                      });
                      add_side<Side::b>(a, b, pairs, dy.data(), [](T a_i, T b_i) {
                          return Operation::slope_b(a_i, b_i);
                      });
                  });
}

/// Applies f entry by entry.
template <typename T, typename F>
Array<T> mapped(const Array<T>& x, F f)
{
    Array<T> y(x.shape());
    const T* const from = x.data();
    T* const to = y.data();
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
        to[i] = f(from[i]);
    }
    return y;
}

} // namespace

template <typename T>
Variable<T> add(const Variable<T>& a, const Variable<T>& b)
{
    return combine<Addition>(a, b);
}

template <typename T>
Variable<T> subtract(const Variable<T>& a, const Variable<T>& b)
{
    return combine<Subtraction>(a, b);
}

template <typename T>
Variable<T> multiply(const Variable<T>& a, const Variable<T>& b)
{
    return combine<Multiplication>(a, b);
}

template <typename T>
Variable<T> divide(const Variable<T>& a, const Variable<T>& b)
{
    return combine<Division>(a, b);
}

template <typename T>
Variable<T> scale_and_shift(const Variable<T>& x, double factor, double offset)
{
    const T m = static_cast<T>(factor);
    const T c = static_cast<T>(offset);
    return record(mapped(x.value(), [m, c](T x_i) { return m * x_i + c; }), x.needs_gradient(),
                  [x, m](const Array<T>& /*y*/, const Array<T>& dy) {
                      add_to_gradient(x,
                                      [=, g = dy.data()](std::size_t i) { return m * g[i]; });
                  });
}

template <typename T>
Variable<T> squared(const Variable<T>& x)
{
    return record(mapped(x.value(), [](T x_i) { return x_i * x_i; }), x.needs_gradient(),
                  [x](const Array<T>& /*y*/, const Array<T>& dy) {
                      add_to_gradient(x, [x_data = x.value().data(), g = dy.data()](
                                             std::size_t i) { return 2 * x_data[i] * g[i]; });
                  });
}

template <typename T>
Variable<T> square_root(const Variable<T>& x)
{
    return record(mapped(x.value(), [](T x_i) { return std::sqrt(x_i); }), x.needs_gradient(),
                  [x](const Array<T>& y, const Array<T>& dy) {
                      add_to_gradient(x, [y_data = y.data(), g = dy.data()](std::size_t i) {
                          return g[i] / (2 * y_data[i]);
                      });
                  });
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> add(const Variable<T>&, const Variable<T>&);                          \
    template Variable<T> subtract(const Variable<T>&, const Variable<T>&);                     \
    template Variable<T> multiply(const Variable<T>&, const Variable<T>&);                     \
    template Variable<T> divide(const Variable<T>&, const Variable<T>&);                       \
    template Variable<T> scale_and_shift(const Variable<T>&, double, double);                  \
    template Variable<T> squared(const Variable<T>&);                                          \
    template Variable<T> square_root(const Variable<T>&);

ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
