float planted(float x)
{
    return expf(x);
}
