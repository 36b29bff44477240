/* Bessel functions j0, j1, jn, y0, y1, yn: absolute errors below 1e-15 as far as the functions are of the size of 1.

   Up to FAR, Jn by Miller's algorithm: the recurrence Jn-1 = 2n/x Jn - Jn+1 downwards from an order so high that
   Jn is 0, scaled by J0 + 2 J2 + 2 J4 + ... = 1; Y0 and Y1 by Neumann's series of these.  Beyond, Hankel's
   asymptotic series.
   (Abramowitz and Stegun, 9.1.27, 9.1.46, 9.1.88, 9.2.5-10, 9.12.) */

#include <math.h>

#define FAR 25.0
#define ORDERS 96 /* J of this order is nothing below FAR */
#define EULER 0.57721566490153286061

/* Fills values[0..ORDERS] with the Jn(x) for 0 < x < FAR. */
static void all_orders(double x, double *values)
{
    double above = 0, here = 1e-300, below, sum = 0;
    int n, k;

    values[ORDERS] = 0;
    for (n = ORDERS; n > 0; n--) {
        below = 2 * n / x * here - above;
        above = here;
        here = below;
        values[n - 1] = here;
        if (fabs(here) > 1e200) { /* scaled now, that it does not overflow */
            above *= 1e-200;
            here *= 1e-200;
            sum *= 1e-200;
            for (k = n - 1; k < ORDERS; k++)
                values[k] *= 1e-200;
        }
        if ((n - 1) % 2 == 0)
            sum += n == 1 ? values[0] : 2 * values[n - 1];
    }
    for (n = 0; n < ORDERS; n++)
        values[n] /= sum;
}

/* The amplitudes of cosine and sine at the angle x - (n/2 + 1/4) pi, n of which is 0 or 1. */
static void amplitudes(int n, double x, double *p, double *q)
{
    double term = 1, mu = 4.0 * n * n, last = 1;
    int k;

    *p = 1;
    *q = 0;
    for (k = 1; k < 60; k++) {
        term *= (mu - (2.0 * k - 1) * (2 * k - 1)) / (k * 8 * x);
        if (fabs(term) > last || fabs(term) < 1e-18)
            break;
        last = fabs(term);
        if (k % 2)
            *q += k % 4 == 1 ? term : -term;
        else
            *p += k % 4 == 0 ? term : -term;
    }
}

/* Jn(x), or Yn(x) if `second`, for x >= FAR and n of 0 or 1. */
static double far(int n, double x, int second)
{
    double p, q, s, c, sine, cosine;

    if (isinf(x))
        return 0;
    amplitudes(n, x, &p, &q);
    sincos(x, &s, &c);
    cosine = (n ? s - c : c + s) * M_SQRT1_2; /* of the angle */
    sine = (n ? -s - c : s - c) * M_SQRT1_2;
    return sqrt(M_2_PI / x) * (second ? p * sine + q * cosine : p * cosine - q * sine);
}

static double first_kind(int n, double x)
{
    double values[ORDERS + 1];
    double size = fabs(x);

    if (isnan(x))
        return x;
    if (size < 1e-9)
        return n ? x / 2 : 1;
    if (size >= FAR)
        size = far(n, size, 0);
    else {
        all_orders(size, values);
        size = values[n];
    }
    return n && x < 0 ? -size : size;
}

static double second_kind(int n, double x)
{
    double values[ORDERS + 1];
    double sum = 0;
    int k;

    if (isnan(x))
        return x;
    if (x <= 0)
        return x == 0 ? -HUGE_VAL : NAN;
    if (x >= FAR)
        return far(n, x, 1);
    if (x < 1e-9)
        return n ? -M_2_PI / x : M_2_PI * (log(x / 2) + EULER);
    all_orders(x, values);
    if (n == 0) {
        for (k = (ORDERS - 2) / 2; k >= 1; k--)
            sum += (k % 2 ? -1 : 1) * values[2 * k] / k;
        return M_2_PI * ((log(x / 2) + EULER) * values[0] - 2 * sum);
    }
    for (k = (ORDERS - 2) / 2; k >= 1; k--)
        sum += (k % 2 ? -1 : 1) * (2 * k + 1) * values[2 * k + 1] / ((double)k * (k + 1));
    return M_2_PI * ((log(x / 2) + EULER - 1) * values[1] - values[0] / x - sum);
}

double j0(double x) { return first_kind(0, x); }
double j1(double x) { return first_kind(1, x); }
double y0(double x) { return second_kind(0, x); }
double y1(double x) { return second_kind(1, x); }

/* By the recurrence: downwards from above both the order and the argument if the order is the larger, else upwards. */
double jn(int n, double x)
{
    int sign = 1, k, start;
    double size = fabs(x), above = 0, here = 1e-280, below, wanted = 0, sum = 0;

    if (n < 0) {
        n = -n;
        sign = n % 2 ? -1 : 1;
    }
    if (x < 0 && n % 2)
        sign = -sign;
    if (n < 2 || isnan(x))
        return sign * (n ? j1(size) : j0(size)) + (isnan(x) ? x : 0);
    if (size == 0 || isinf(x))
        return sign * 0.0;
    if (size > n) {
        below = j0(size);
        here = j1(size);
        for (k = 1; k < n; k++) {
            above = 2 * k / size * here - below;
            below = here;
            here = above;
        }
        return sign * here;
    }
    start = 2 * ((n + (int)sqrt(60.0 * n) + 20) / 2);
    for (k = start; k > 0; k--) {
        below = 2 * k / size * here - above;
        above = here;
        here = below;
        if (fabs(here) > 1e200) {
            above *= 1e-200;
            here *= 1e-200;
            sum *= 1e-200;
            wanted *= 1e-200;
        }
        if (k - 1 == n)
            wanted = here;
        if ((k - 1) % 2 == 0)
            sum += k == 1 ? here : 2 * here;
    }
    return sign * wanted / sum;
}

double yn(int n, double x)
{
    int sign = 1, k;
    double below, here, above;

    if (n < 0) {
        n = -n;
        sign = n % 2 ? -1 : 1;
    }
    if (n < 2)
        return sign * (n ? y1(x) : y0(x));
    below = y0(x);
    here = y1(x);
    for (k = 1; k < n && here > -HUGE_VAL && !isnan(here); k++) {
        above = 2 * k / x * here - below;
        below = here;
        here = above;
    }
    return sign * here;
}

float j0f(float x) { return j0(x); }
float j1f(float x) { return j1(x); }
float y0f(float x) { return y0(x); }
float y1f(float x) { return y1(x); }
float jnf(int n, float x) { return jn(n, x); }
float ynf(int n, float x) { return yn(n, x); }

long double j0l(long double x) { return j0(x); }
long double j1l(long double x) { return j1(x); }
long double y0l(long double x) { return y0(x); }
long double y1l(long double x) { return y1(x); }
long double jnl(int n, long double x) { return jn(n, x); }
long double ynl(int n, long double x) { return yn(n, x); }
