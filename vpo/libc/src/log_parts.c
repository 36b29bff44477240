/* The natural logarithm as a sum of two doubles, of more than 64 bits together. */

#include "exact.h"
#include "log.h"

#define LN2 0.6931471805598903 /* a multiple of 2^-42, as are the logarithms in the table: their sums are exact */
#define LN2_TAIL 5.497923018708371e-14
#define TURN 13 /* from this row on, numbers are halved and one more LN2 is added */

/* For numbers from 1 + i/32: a factor of 9 bits that brings them near 1, and the logarithm of its inverse. */
static const struct {
    double factor, logarithm, tail;
} rows[] = {
    {1.0, 0.0, 0.0},
    {0.95703125, 0.04391923393473007, 1.0541743854342862e-13},
    {0.92578125, 0.07711730334449385, -6.255850200176405e-14},
    {0.90234375, 0.10275973395778237, -1.3438406228830954e-14},
    {0.875, 0.13353139262449076, 3.1859736349078334e-14},
    {0.8515625, 0.16068238169054894, -7.547106028244807e-14},
    {0.83203125, 0.1838852787700489, 8.84637355812087e-14},
    {0.80859375, 0.21245865121409224, 1.0115944196590467e-13},
    {0.7890625, 0.2369097470784709, -1.1318526912023687e-13},
    {0.76953125, 0.26197371574153294, 4.102651071698446e-14},
    {0.75390625, 0.28248725557477883, -1.0190482133505088e-13},
    {0.734375, 0.30873548164959175, 2.1522127491642888e-14},
    {0.71875, 0.33024168687052224, 5.4612144489920215e-14},
    {0.703125, -0.34092658697068146, 8.82452633212564e-14},
    {0.6875, -0.31845373111855224, 1.7625431312172662e-14},
    {0.671875, -0.2954642128938758, 3.993416384387844e-14},
    {0.66015625, -0.27786845100354185, 8.554360006566322e-14},
    {0.64453125, -0.25391520998095984, -3.600176732637335e-15},
    {0.6328125, -0.23556607131286, 9.30945949519689e-14},
    {0.62109375, -0.21687393830052315, -9.120937249914984e-14},
    {0.609375, -0.19782574332998593, 6.604544877082384e-14},
    {0.59765625, -0.17840765747291698, 9.86835038673495e-14},
    {0.5859375, -0.15860503017665906, 2.0472357800461955e-14},
    {0.578125, -0.14518200984457508, 7.718001336828099e-14},
    {0.56640625, -0.1247034785010328, 7.556920687451337e-14},
    {0.5546875, -0.10379679368156758, -7.598636597194141e-14},
    {0.546875, -0.08961215868976069, 7.355770219435029e-14},
    {0.5390625, -0.07522342123752424, -6.329065958724544e-14},
    {0.52734375, -0.053244514518837605, 2.532168943117445e-14},
    {0.51953125, -0.03831886430202758, -1.0902154302203302e-13},
    {0.51171875, -0.023167059281604452, 7.007359704310036e-14},
    {0.5, 0.0, 0.0},
};

/* A Chebyshev fit of (log(1 + r) - r + r^2 / 2) / r^3. */
static const double series[] = {
    0.3333333333333333,
    -0.25000000000000017,
    0.2000000000001046,
    -0.16666666666462887,
    0.14285714180448167,
    -0.12499999906161778,
    0.11111460763635263,
    -0.10004712629482264,
    0.08720650652810441
};

/* For finite x > 0. */
double __log_parts(double x, double *low)
{
    union double_bits number;
    int exponent = 0;
    int row;
    double z, z_head, r, r_tail, r_head, head, sum, error, tail, p;

    number.value = x;
    if (HIGH(number.bits) < 0x100000) {
        number.value *= 18014398509481984.0; /* 2^54 */
        exponent = -54;
    }
    exponent += (int)(HIGH(number.bits) >> 20) - BIAS;
    row = (int)(HIGH(number.bits) >> 15) & 31;
    number.bits = PAIR((HIGH(number.bits) & 0xfffff) | (uint32_t)BIAS << 20, LOW(number.bits));
    z = number.value;
    number.bits = PAIR(HIGH(number.bits), 0);
    z_head = number.value;
    TWO_SUM(r, r_tail, z_head * rows[row].factor - 1, (z - z_head) * rows[row].factor);
    exponent += row >= TURN;
    head = exponent * LN2 + rows[row].logarithm;
    p = series[4] + r * (series[5] + r * (series[6] + r * (series[7] + r * series[8])));
    p = r * r * r * (series[0] + r * (series[1] + r * (series[2] + r * (series[3] + r * p))));
    tail = exponent * LN2_TAIL + rows[row].tail;
    r_head = first_half(r);
    TWO_SUM(sum, error, head, r);
    tail += error + r_tail * (1 - r) + p;
    TWO_SUM(head, error, sum, -0.5 * r_head * r_head);
    tail += error - 0.5 * (r + r_head) * (r - r_head);
    sum = head + tail;
    *low = head - sum + tail;
    return sum;
}
