/* Division for machines without, of numbers of the type `number`: a step for each bit of the quotient. */

number QUOTIENT(number dividend, number divisor, number *rest)
{
    number quotient = 0;
    number bit = 1;

    if (divisor > 1) {
        while (divisor <= dividend && !(divisor & TOP_BIT)) {
            divisor += divisor;
            bit += bit;
        }
        for (; bit; bit >>= 1) {
            if (dividend >= divisor) {
                dividend -= divisor;
                quotient |= bit;
            }
            divisor >>= 1;
        }
    } else {
        quotient = dividend; /* by 1; by 0, anything */
        dividend = 0;
    }
    *rest = dividend;
    return quotient;
}
