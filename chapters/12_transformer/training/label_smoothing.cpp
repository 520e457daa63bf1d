#include "chapters/12_transformer/training/label_smoothing.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

namespace attn::transformer {

// [smoothing]
Vector smoothed_targets(std::size_t n_words, std::size_t right, double epsilon)
{
    expect(right < n_words && epsilon >= 0 && epsilon <= 1,
           "smoothed_targets: word {} of {}, epsilon {}", right, n_words, epsilon);
    Vector q = Vector::from_shape({n_words});
    q.fill(epsilon / static_cast<double>(n_words));
    q(right) += 1 - epsilon;
    return q;
}

double smoothing_floor(std::size_t n_words, double epsilon)
{
    double entropy = 0;
    for (const double q : smoothed_targets(n_words, 0, epsilon)) {
        entropy -= q > 0 ? q * elementary::log(q) : 0;
    }
    return entropy;
}
// [smoothing]

double smoothed_loss(std::size_t n_words, double epsilon, double p)
{
    expect(n_words >= 2 && p > 0 && p < 1, "smoothed_loss: {} words, p = {}", n_words, p);
    const Vector q = smoothed_targets(n_words, 0, epsilon);
    const double of_others = (1 - p) / static_cast<double>(n_words - 1);
    return -q(0) * elementary::log(p) - (1 - q(0)) * elementary::log(of_others);
}

} // namespace attn::transformer
