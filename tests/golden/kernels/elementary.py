"""Golden values of elementary functions of one number, computed by mpmath with 60 digits.

Run in any folder: python3 elementary.py (mpmath 1.2.1 or later)
It replaces elementary.csv beside it. Each row is a function, its arguments x and y (y is 0 where
there is none), the nearest double of the result, and what that lacks in units in its last place.
A third of the cases are hard to round: the result lies within a thousandth of the middle between
two doubles. Others are hard to compute: near a root, near a bound, near a multiple of pi / 2.
"""

import math
import pathlib
import random

import mpmath
from mpmath import mpf

SEED = 20240114
CASES = 200
FOLDER = pathlib.Path(__file__).resolve().parent
mpmath.mp.dps = 60


def nearest_and_rest(exact):
    """The nearest double, and what it lacks in its last place."""
    nearest = float(exact)
    return nearest, float((exact - mpf(nearest)) / mpf(math.ulp(nearest)))


def near(x, ulps):
    """The double some places beside x."""
    for _ in range(abs(ulps)):
        x = math.nextafter(x, math.inf if ulps > 0 else -math.inf)
    return x


def multiple_of_half_pi(rng, largest):
    return float(rng.randint(1, largest) * mpmath.pi / 2)


# function: (exact, ordinary arguments, arguments that are hard to compute with)
FUNCTIONS = {
    "exp": (
        lambda x, y: mpmath.exp(x),
        lambda rng: (rng.uniform(-1, 1) * rng.choice([1, 10, 700]), 0.0),
        lambda rng: (rng.choice([math.ldexp(rng.uniform(-1, 1), -rng.randint(1, 60)),
                                 rng.uniform(709, 709.78), rng.uniform(-708.39, -708),
                                 rng.randint(-1000, 1000) * math.log(2)]), 0.0),
    ),
    "log": (
        lambda x, y: mpmath.log(x),
        lambda rng: (math.ldexp(rng.uniform(1, 2), rng.choice([-1, 0, 1, 20, -900, 900])), 0.0),
        lambda rng: (rng.choice([near(1.0, rng.choice([-3, -2, -1, 1, 2, 3])),
                                 1 + math.ldexp(rng.uniform(-1, 1), -rng.randint(2, 50)),
                                 math.ldexp(rng.uniform(1, 2), -rng.randint(1023, 1070)),
                                 near(math.sqrt(0.5), rng.randint(-9, 9)),
                                 near(math.sqrt(2), rng.randint(-9, 9))]), 0.0),
    ),
    "log1p": (
        lambda x, y: mpmath.log1p(x),
        lambda rng: (rng.uniform(-1, 2), 0.0),
        lambda rng: (rng.choice([math.ldexp(rng.uniform(-1, 1), -rng.randint(1, 200)),
                                 near(-1.0, rng.randint(1, 9)),
                                 math.ldexp(rng.uniform(1, 2), rng.randint(1, 1000))]), 0.0),
    ),
    "tanh": (
        lambda x, y: mpmath.tanh(x),
        lambda rng: (rng.uniform(-3, 3), 0.0),
        lambda rng: (rng.choice([math.ldexp(rng.uniform(-1, 1), -rng.randint(1, 900)),
                                 rng.uniform(18, 20), rng.uniform(0.3, 0.4)]), 0.0),
    ),
    "sin": (
        lambda x, y: mpmath.sin(x),
        lambda rng: (rng.uniform(-1, 1) * rng.choice([1, 10, 1e5, 2.0**30]), 0.0),
        lambda rng: (rng.choice([near(multiple_of_half_pi(rng, 100000), rng.randint(-1, 1)),
                                 multiple_of_half_pi(rng, 600000000), math.pi,
                                 math.pi / 4 * rng.randint(1, 99),
                                 math.ldexp(rng.uniform(1, 2), -rng.randint(1, 900))]), 0.0),
    ),
    "cos": (
        lambda x, y: mpmath.cos(x),
        lambda rng: (rng.uniform(-1, 1) * rng.choice([1, 10, 1e5, 2.0**30]), 0.0),
        lambda rng: (rng.choice([near(multiple_of_half_pi(rng, 100000), rng.randint(-1, 1)),
                                 multiple_of_half_pi(rng, 600000000),
                                 math.pi / 4 * rng.randint(1, 99),
                                 math.ldexp(rng.uniform(1, 2), -rng.randint(1, 30))]), 0.0),
    ),
    "pow": (
        lambda x, y: mpmath.power(x, y),
        lambda rng: (rng.uniform(0, 10), rng.uniform(-20, 20)),
        lambda rng: rng.choice([
            (1 + rng.uniform(-1, 1) * 1e-6, rng.uniform(-7e8, 7e8)),
            (near(1.0, rng.choice([-2, -1, 1, 2])), rng.uniform(-1, 1) * 2.0**61),
            (math.ldexp(rng.uniform(1, 2), -rng.randint(1023, 1070)), rng.uniform(-0.9, 0.9)),
            (rng.uniform(0.5, 2) * 1e-300, rng.uniform(-1, 1)),
            (float(rng.randint(2, 50)), float(rng.randint(-20, 20))),
            (float(rng.randint(1, 1000))**2, 0.5),
            (10000.0, -rng.randint(0, 64) / 64)]),
    ),
    "hypot": (
        lambda x, y: mpmath.sqrt(mpf(x)**2 + mpf(y)**2),
        lambda rng: (rng.uniform(-10, 10), rng.uniform(-10, 10)),
        lambda rng: rng.choice([
            (3.0 * 2.0**1000, 4.0 * 2.0**1000), (5.0 * 2.0**-1060, 12.0 * 2.0**-1060),
            (rng.uniform(1, 2), math.ldexp(rng.uniform(1, 2), -rng.randint(20, 62))),
            (math.ldexp(rng.uniform(1, 2), 1022), math.ldexp(rng.uniform(1, 1.4), 1022)),
            (math.ldexp(rng.uniform(1, 2), -500), math.ldexp(rng.uniform(1, 2), -505))]),
    ),
}


def main():
    with open(FOLDER / "elementary.csv", "w", encoding="ascii") as file:
        file.write("function,x,y,nearest,rest\n")
        for name, (exact, ordinary, hard) in FUNCTIONS.items():
            rng = random.Random(f"{SEED} {name}")
            kinds = [0, 0, 0]
            while sum(kinds) < CASES:
                kind = kinds.index(min(kinds))
                x, y = (hard if kind == 2 else ordinary)(rng)
                nearest, rest = nearest_and_rest(exact(mpf(x), mpf(y)))
                if not (1e-307 < abs(nearest) < math.inf or nearest == x):
                    continue
                if kind == 1 and abs(abs(rest) - 0.5) > 0.001:
                    continue
                kinds[kind] += 1
                file.write(f"{name},{x!r},{y!r},{nearest!r},{rest:.6f}\n")


if __name__ == "__main__":
    main()
