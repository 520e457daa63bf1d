#include "chapters/09_pointer_network/orientation.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace attn::pointer_network {

namespace {

/// A sum of products of doubles without rounding: a whole number of so many bits that every product
/// has its place, kept in words of 32 bits that may overflow into the upper half of theirs.
class ExactSum
{
public:
    /// Adds a product, or subtracts it.
    /// \param sign  1 or −1
    void add_product(double a, double b, int sign)
    {
        int exponent_a = 0;
        int exponent_b = 0;
        const std::uint64_t m = mantissa(a, exponent_a);
        const std::uint64_t n = mantissa(b, exponent_b);
        const int product_sign = std::signbit(a) == std::signbit(b) ? sign : -sign;
        const auto position = static_cast<std::size_t>(lowest_bit + exponent_a + exponent_b);
        for (const std::size_t i : {0U, 1U}) { // by halves: no product needs more than 64 bits
            for (const std::size_t j : {0U, 1U}) {
                add(half(m, i) * half(n, j), position + 32 * (i + j), product_sign);
            }
        }
    }

    /// \returns the sign of the sum: 1, 0 or −1
    int sign() const
    {
        std::int64_t carry = 0;
        bool zero = true;
        for (const std::int64_t word : words_) {
            const std::int64_t sum = word + carry;
            carry = sum >> 32; // rounds down, so what stays is from 0 to below 2^32
            zero = zero && (sum & 0xffffffff) == 0;
        }
        return carry < 0 ? -1 : zero ? 0 : 1;
    }

private:
    static constexpr int lowest_bit = 2304; ///< the smallest product ends at 2^-2252

    static std::uint64_t half(std::uint64_t m, std::size_t i)
    {
        return i == 0 ? m & 0xffffffff : m >> 32;
    }

    /// A number's 53 bits, and the power of two that they are multiplied with.
    static std::uint64_t mantissa(double x, int& exponent)
    {
        const double m = std::frexp(std::abs(x), &exponent);
        exponent -= 53;
        return static_cast<std::uint64_t>(std::ldexp(m, 53));
    }

    void add(std::uint64_t m, std::size_t position, int sign)
    {
        const std::size_t shift = position % 32;
        for (const std::size_t i : {0U, 1U}) {
            const std::uint64_t shifted = half(m, i) << shift;
            words_[position / 32 + i] += sign * static_cast<std::int64_t>(half(shifted, 0));
            words_[position / 32 + i + 1] += sign * static_cast<std::int64_t>(half(shifted, 1));
        }
    }

    std::array<std::int64_t, (lowest_bit + 2 * 1024) / 32 + 4> words_{};
};

} // namespace

int turn(const Point& a, const Point& b, const Point& c)
{
    const double left = (b.x - a.x) * (c.y - a.y);
    const double right = (b.y - a.y) * (c.x - a.x);
    const double both = std::abs(left) + std::abs(right);
    constexpr double unit = 0x1p-53;
    constexpr double smallest = 0x1p-900; // below it products may have lost bits
    if (both < HUGE_VAL && both > smallest &&
        std::abs(left - right) > (3 + 16 * unit) * unit * both) {
        return left > right ? 1 : -1;
    }
    ExactSum sum;
    sum.add_product(a.x, b.y, 1);
    sum.add_product(b.x, a.y, -1);
    sum.add_product(b.x, c.y, 1);
    sum.add_product(c.x, b.y, -1);
    sum.add_product(c.x, a.y, 1);
    sum.add_product(a.x, c.y, -1);
    return sum.sign();
}

} // namespace attn::pointer_network
