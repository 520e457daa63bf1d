/// \file
/// \brief The bodies of solutions_learning.hpp.
#include "chapters/04_backpropagation/exercises/solutions_learning.hpp"

#include <cmath>

namespace attn::backpropagation::solutions {

Lesson standardised(const Lesson& lesson)
{
    Lesson result = lesson;
    const std::size_t n = lesson.train.queries.shape()[0];
    const std::size_t d = lesson.train.queries.shape()[2];
    for (std::size_t m = 0; m < d; ++m) {
        double squares = 0; // the means are 0
        for (std::size_t i = 0; i < n; ++i) {
            const auto x = static_cast<double>(lesson.train.queries.data()[i * d + m]);
            squares += x * x / static_cast<double>(n);
        }
        for (Batch<float>* part : {&result.train, &result.validation, &result.fresh}) {
            for (std::size_t i = m; i < part->queries.size(); i += d) {
                part->queries.data()[i] /= static_cast<float>(std::sqrt(squares));
            }
        }
    }
    return result;
}

double lasting_rate(double rate, double momentum)
{
    return rate / (1 - momentum);
}

} // namespace attn::backpropagation::solutions
