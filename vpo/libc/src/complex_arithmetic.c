/* Products and quotients of complex numbers, where the usual formulas give no number or would overflow. */

#include <float.h>
#include <math.h>

struct single { float real, imaginary; };
struct pair { double real, imaginary; };

static int is_number(double x)
{
    return fabs(x) < INFINITY;
}

/* 1 or 0 with the sign of x, for an infinity and for anything else (C11, G.5.1). */
static double boxed(double x)
{
    return copysign(isinf(x) ? 1.0 : 0.0, x);
}

struct pair __complex_multiply_d(double a, double b, double c, double d)
{
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    struct pair result = { ac - bd, ad + bc };
    int again = 0;
    if (!isnan(result.real) || !isnan(result.imaginary))
        return result;
    if (isinf(a) || isinf(b)) {
        a = boxed(a);
        b = boxed(b);
        c = isnan(c) ? copysign(0.0, c) : c;
        d = isnan(d) ? copysign(0.0, d) : d;
        again = 1;
    }
    if (isinf(c) || isinf(d)) {
        c = boxed(c);
        d = boxed(d);
        a = isnan(a) ? copysign(0.0, a) : a;
        b = isnan(b) ? copysign(0.0, b) : b;
        again = 1;
    }
    if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
        a = isnan(a) ? copysign(0.0, a) : a;
        b = isnan(b) ? copysign(0.0, b) : b;
        c = isnan(c) ? copysign(0.0, c) : c;
        d = isnan(d) ? copysign(0.0, d) : d;
        again = 1;
    }
    if (again) {
        result.real = INFINITY * (a * c - b * d);
        result.imaginary = INFINITY * (a * d + b * c);
    }
    return result;
}

/* Whether scaling up saves bits of a part x: it is subnormal, and neither the other part y nor c overflows. */
static int too_small(double x, double y, double c)
{
    const double large = DBL_MAX / 2 * DBL_EPSILON;
    return fabs(x) < DBL_MIN && fabs(y) < large && fabs(c) < large;
}

/* A quotient where |d| <= |c|: Smith's method, scaled where parts would overflow or underflow, and with the products in
   another order where d / c does (Baudin and Smith, "A Robust Complex Division in Scilab", arXiv 1210.4539). */
static struct pair quotient(double a, double b, double c, double d)
{
    struct pair result;
    double scale = 1.0, ratio, sum;
    if (d == 0.0)
        ;
    else if (fabs(c) >= DBL_MAX / 2)
        scale = 0.5;
    else if (fabs(c) < DBL_EPSILON || too_small(a, b, c) || too_small(b, a, c))
        scale = 1 / DBL_EPSILON;
    if (scale != 1.0) {
        a *= scale;
        b *= scale;
        c *= scale;
        d *= scale;
    }
    ratio = d / c;
    sum = d * ratio + c;
    if (fabs(ratio) > DBL_MIN || d == 0.0) {
        result.real = (b * ratio + a) / sum;
        result.imaginary = (b - a * ratio) / sum;
    } else {
        result.real = (d * (b / c) + a) / sum;
        result.imaginary = (b - d * (a / c)) / sum;
    }
    return result;
}

struct pair __complex_divide_d(double a, double b, double c, double d)
{
    struct pair result = fabs(c) < fabs(d) ? quotient(b, -a, d, -c) : quotient(a, b, c, d);
    if (!isnan(result.real) || !isnan(result.imaginary))
        return result;
    if (c == 0.0 && d == 0.0 && (!isnan(a) || !isnan(b))) {
        result.real = copysign(INFINITY, c) * a;
        result.imaginary = copysign(INFINITY, c) * b;
    } else if ((isinf(a) || isinf(b)) && is_number(c) && is_number(d)) {
        a = boxed(a);
        b = boxed(b);
        result.real = INFINITY * (a * c + b * d);
        result.imaginary = INFINITY * (b * c - a * d);
    } else if ((isinf(c) || isinf(d)) && is_number(a) && is_number(b)) {
        c = boxed(c);
        d = boxed(d);
        result.real = 0.0 * (a * c + b * d);
        result.imaginary = 0.0 * (b * c - a * d);
    }
    return result;
}

struct single __complex_multiply_s(float a, float b, float c, float d)
{
    struct pair wide = __complex_multiply_d(a, b, c, d);
    struct single result = { (float)wide.real, (float)wide.imaginary };
    return result;
}

struct single __complex_divide_s(float a, float b, float c, float d)
{
    struct pair wide = __complex_divide_d(a, b, c, d);
    struct single result = { (float)wide.real, (float)wide.imaginary };
    return result;
}
