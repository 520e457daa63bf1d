/// \file
/// \brief On which side of a line a point lies: the one question of a convex hull, and one that
/// rounding answers wrongly where points are nearly on a line, or very large or small.
#pragma once

namespace attn::pointer_network {

/// A point of the plane.
struct Point
{
    double x; ///< to the right
    double y; ///< upwards

    /// \returns whether both numbers are equal
    friend bool operator==(const Point& a, const Point& b) = default;
};

/// Whether the way from a over b to c turns to the left: the sign of twice the triangle's area,
/// (b.x − a.x) (c.y − a.y) − (b.y − a.y) (c.x − a.x). It is exact for all finite numbers: a bound
/// on the rounding error decides where it can (\cite shewchuk1997, section 4.2), and where it cannot
/// the six products are added without any rounding.
/// \returns 1 to the left, −1 to the right, 0 on one line
int turn(const Point& a, const Point& b, const Point& c);

} // namespace attn::pointer_network
