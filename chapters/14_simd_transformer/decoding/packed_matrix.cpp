#include "chapters/14_simd_transformer/decoding/packed_matrix.hpp"

#include "common/kernels/instruction_sets.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/storage/half_precision.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace attn::simd_transformer {

namespace {

constexpr float largest_integer = 127;
constexpr float highest_byte = 0x1p24F; ///< what an integer in the highest byte is times

/// A thread takes panels of about so many bytes at a time: large enough that handing them out
/// costs nothing beside them, and that memory delivers long runs.
constexpr std::size_t bytes_of_piece = std::size_t{1} << 18U;

std::size_t divided_up(std::size_t n, std::size_t unit)
{
    return (n + unit - 1) / unit;
}

/// From the weight of an input, or of an output, to that of the next.
struct Steps
{
    std::size_t of_input;
    std::size_t of_output;
};

Steps steps(const Array<float>& weights, bool is_transposed)
{
    return is_transposed ? Steps{1, weights.shape()[1]} : Steps{weights.shape()[1], 1};
}

float largest_magnitude(const float* weights, std::size_t n, std::size_t step)
{
    float largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        largest = std::max(largest, std::abs(weights[i * step]));
    }
    return largest;
}

// [quantise]
/// A weight as it is kept, in the lowest bits. A scale too small to be divided by makes it 0.
std::uint32_t bits_of(WeightFormat format, float weight, float scale)
{
    if (format == WeightFormat::float32) {
        return std::bit_cast<std::uint32_t>(weight);
    }
    if (format == WeightFormat::bf16) {
        return storage::bf16_of(weight);
    }
    const bool small = scale / highest_byte < std::numeric_limits<float>::min();
    const float integer = small ? 0.0F : std::nearbyint(weight / scale);
    return static_cast<std::uint8_t>(
        static_cast<int>(std::clamp(integer, -largest_integer, largest_integer)));
}
// [quantise]

} // namespace

std::string name_of(WeightFormat format)
{
    switch (format) {
    case WeightFormat::float32:
        return "float";
    case WeightFormat::bf16:
        return "bf16";
    default:
        return "int8";
    }
}

PackedMatrix::PackedMatrix(const Array<float>& weights, const Array<float>* bias,
                           WeightFormat format, bool is_transposed, Scales scales)
    : format_(format), n_in_(0), n_out_(0)
{
    expect(weights.dimension() == 2 && weights.size() > 0,
           "PackedMatrix: the weights must be a matrix with numbers in it, got shape {}",
           weights.shape());
    n_in_ = weights.shape()[is_transposed ? 1 : 0];
    n_out_ = weights.shape()[is_transposed ? 0 : 1];
    expect(bias == nullptr || bias->size() == n_out_,
           "PackedMatrix: the bias must have a number for each of {} outputs, got {}", n_out_,
           bias == nullptr ? 0 : bias->size());
    expect(std::all_of(weights.data(), weights.data() + weights.size(),
                       [](float w) { return std::isfinite(w); }),
           "PackedMatrix: a weight is not finite");
    bias_.resize(divided_up(n_out_, panel_columns) * panel_columns, 0.0F);
    if (bias != nullptr) {
        std::copy_n(bias->data(), n_out_, bias_.begin());
    }
    if (format == WeightFormat::int8) {
        scales_.resize(bias_.size(), 0.0F);
    }
    words_.resize(bias_.size() * words_of_output(), 0);
    const Steps step = steps(weights, is_transposed);
    const float of_all = largest_magnitude(weights.data(), weights.size(), 1);
    for (std::size_t j = 0; j < n_out_; ++j) {
        const float* const column = weights.data() + j * step.of_output;
        std::int32_t* const words = words_.data() +
                                    j / panel_columns * panel_columns * words_of_output() +
                                    j % panel_columns;
        float scale = 0;
        if (format == WeightFormat::int8) {
            scale = (scales == Scales::of_the_matrix
                         ? of_all
                         : largest_magnitude(column, n_in_, step.of_input)) /
                    largest_integer;
            scales_[j] = scale / highest_byte;
        }
        for (std::size_t i = 0; i < n_in_; ++i) {
            const std::size_t n = weights_in_word(format);
            const std::uint32_t bits = bits_of(format, column[i * step.of_input], scale);
            std::int32_t& word = words[i / n * panel_columns];
            word = static_cast<std::int32_t>(static_cast<std::uint32_t>(word) |
                                             bits << (32 / n * (i % n)));
        }
    }
}

std::size_t PackedMatrix::words_of_output() const
{
    return divided_up(n_in_, weights_in_word(format_));
}

std::size_t PackedMatrix::bytes() const
{
    const std::size_t n = n_in_ * n_out_;
    switch (format_) {
    case WeightFormat::float32:
        return n * sizeof(float);
    case WeightFormat::bf16:
        return n * sizeof(std::uint16_t);
    default:
        return n + n_out_ * sizeof(float);
    }
}

WeightPanel PackedMatrix::panel(std::size_t index) const
{
    const std::size_t first = index * panel_columns;
    return {.format = format_,
            .n_in = n_in_,
            .words = words_.data() + first * words_of_output(),
            .scale = scales_.empty() ? nullptr : scales_.data() + first,
            .bias = bias_.data() + first};
}

// [packed_multiply]
void PackedMatrix::multiply(std::size_t n_rows, const float* x, std::size_t ldx, float* y,
                            std::size_t ldy) const
{
    const Execution& how = kernels::execution();
    const DecodingPanelKernels& by = ladder_kernels(how).panels;
    const std::size_t n_panels = bias_.size() / panel_columns;
    const auto multiply_panel = [&](std::size_t index) {
        const std::size_t first = index * panel_columns;
        const std::size_t n_columns = std::min(panel_columns, n_out_ - first);
        if (n_columns == panel_columns) {
            by.multiply(panel(index), {n_rows, x, ldx, y + first, ldy});
            return;
        }
        std::vector<float> whole(n_rows * panel_columns); // the last one is less than a panel
        by.multiply(panel(index), {n_rows, x, ldx, whole.data(), panel_columns});
        for (std::size_t r = 0; r < n_rows; ++r) {
            std::copy_n(whole.data() + r * panel_columns, n_columns, y + r * ldy + first);
        }
    };
    const std::size_t at_once = std::clamp<std::size_t>(
        bytes_of_piece * n_panels / (bytes() + 1), 1, divided_up(n_panels, how.n_threads));
    const std::size_t n_pieces = divided_up(n_panels, at_once);
    const auto multiply_piece = [&](std::size_t piece) {
        const std::size_t end = std::min(n_panels, (piece + 1) * at_once);
        for (std::size_t index = piece * at_once; index < end; ++index) {
            multiply_panel(index);
        }
    };
    parallel::for_each_index(n_pieces, how.n_threads, multiply_piece);
}
// [packed_multiply]

void PackedMatrix::weights_of(std::size_t output, float* to) const
{
    expect(output < n_out_, "PackedMatrix: output {} of {}", output, n_out_);
    const std::size_t n = weights_in_word(format_);
    const std::int32_t* const words =
        words_.data() + output / panel_columns * panel_columns * words_of_output() +
        output % panel_columns;
    for (std::size_t i = 0; i < n_in_; ++i) {
        const auto word = static_cast<std::uint32_t>(words[i / n * panel_columns]);
        // The weight in the highest bits, zeros below.
        const std::uint32_t bits = word >> (32 / n * (i % n)) << (32 - 32 / n);
        to[i] = format_ == WeightFormat::int8
                    ? static_cast<float>(static_cast<std::int32_t>(bits)) * scales_[output]
                    : std::bit_cast<float>(bits);
    }
}

} // namespace attn::simd_transformer
