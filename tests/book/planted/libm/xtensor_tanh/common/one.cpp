double planted(const Vector& x)
{
    return xt::tanh(x)(0) + xt::pow<2>(x)(0); // a whole power is a product
}
