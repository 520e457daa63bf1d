// std::log in a comment is no call, and std::sqrt is allowed.
double planted(double x)
{
    return std::sqrt(x) + std::exp(x);
}
