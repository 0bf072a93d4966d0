"""exp and log of nothing but sums, products and quotients: the same bits compiled for any machine and as plain Python.

Those of C libraries differ from one machine to another in the last bit, and a player's choice could too. Errors are
below one unit of the last place.
"""

from dawn_env.support.compiling import jit

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # their sum is log(2)
_PER_LN2 = 1.44269504088896338700
_LEAST, _MOST = -745.0, 709.0  # beyond: 0 and infinity
_SQRT2, _INFINITY = 1.41421356237309504880, float("inf")


@jit
def _power_of_two(exponent):
    """2.0 ** exponent, exact; 0 below the range."""
    result, factor = 1.0, 2.0 if exponent >= 0 else 0.5
    for _ in range(abs(exponent)):
        result *= factor
    return result


@jit
def exp(x):
    """Exponential function of a float. With x = k log(2) + r it is 2 ** k times a continued fraction of exp(r)."""
    if x < _LEAST:
        return 0.0
    if x > _MOST:
        return _INFINITY
    k = int(x * _PER_LN2 + (0.5 if x >= 0 else -0.5))
    high, low = x - k * _LN2_HIGH, k * _LN2_LOW
    r = high - low
    t = r * r
    series = 1.66666666666666019037e-01 + t * (
        -2.77777777770155933842e-03
        + t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))
    )
    c = r - t * series
    return (1.0 + (r * c / (2.0 - c) - low + high)) * _power_of_two(k)


@jit
def log(x):
    """Natural logarithm of a float above 0: for x = 2 ** k (1 + f) the series of log(1 + f) in f / (2 + f)."""
    k = 0
    while x < _SQRT2 / 2:
        x *= 2.0
        k -= 1
    while x > _SQRT2:
        x *= 0.5
        k += 1
    f = x - 1.0
    s, half = f / (2.0 + f), 0.5 * f * f
    z = s * s
    series = z * (
        6.666666666666735130e-01
        + z * (3.999999999940941908e-01 + z * (2.857142874366239149e-01 + z * (2.222219843214978396e-01
        + z * (1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01)))))
    )  # fmt: skip
    return k * _LN2_HIGH - (half - (s * (half + series) + k * _LN2_LOW) - f)
