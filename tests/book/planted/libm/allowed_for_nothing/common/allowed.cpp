double planted(double x)
{
    return attn::elementary::exp(x) + autograd::tanh(x);
}
