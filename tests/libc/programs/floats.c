/* printf and strtod on doubles of all sizes. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "random.h"

static const double special[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 3.5, 0.125, 0.375, 9.5, 99.5, 999.5, 0.05, 0.95, 0.995, 0.9995, 9.9999995,
    999999.5, 9999995.0, 1e5, 1e6, 123456.0, 1234567.0, 1e-4, 1e-5, 0.0001234565, 1e15, 1e16, 1e17, 1e21, 1e22, 1e23,
    123456789012345678.0, DBL_MAX, DBL_MIN, 4.9406564584124654e-324, 1e-310, 2.2250738585072011e-308, 1e100, 1e-100,
    4503599627370496.5, 9007199254740993.0, 18446744073709551615.0, 4294967295.0, 4294967296.0, 1000000000.0,
    999999999.0, 0.1, 0.2, 0.3, 1.0 / 3, 2.0 / 3, 1e300, 1e-300, 5e-324, 0.5e-9, 1.0 / 1024 / 1024 / 1024 / 1024
};

static const char *const formats[] = {
    "%f", "%e", "%g", "%a", "%.0f", "%.0e", "%.0g", "%.0a", "%.1f", "%.2f", "%.3e", "%.3g", "%.5a", "%#.0f", "%#.0e",
    "%#g", "%#.3g", "%+f", "% e", "%012.3f", "%-15.4g|", "%15.4e|", "%+015.2f", "%.17g", "%.20f", "%.30e", "%G", "%E",
    "%A", "%+.3a", "%25a|", "%025a|", "%.1a", "%.14a", "%#.0a"
};

static void show(double value)
{
    unsigned i;

    for (i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!(formats[i][1] == '#' && (value == 999.5 || value == 999999.5))) { /* glibc errs there */
            printf(formats[i], value);
            putchar(' ');
        }
    printf("\n");
}

static const char *const texts[] = {
    "0", "-0", "1", "1.5", "  2.5e3xyz", "1e22", "1e23", "123456789012345678", "0x1.8p3", "0x.1", "0x1p-1074", "0x1.fffffffffffff8p0",
    "0x1.fffffffffffff7p0", "0x1.00000000000008p0", "0x1.00000000000018p0", "0x1p1024", "0x1p-1075", "0x1.8p-1075", "0x", "0xg", "1e", "1e+", "1e-x", ".", ".5", "5.", "-.5e1",
    "inf", "INFINITY", "infinit", "nan", "nan(12)x", "nan(", "1e400", "-1e400", "1e-400", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
    "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1.797693134862315708145274237317043567981e308",
    "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
    "2.2250738585072011e-308", "2.2250738585072014e-308", "9007199254740993", "9007199254740992.99999", "9007199254740993.00000000000000000000000000000000001",
    "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001e110",
    "1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000e-110",
    "6929495644600919.5", "6929495644600920.5", "1e99999999999", "1e-99999999999", "00001.5", "1.1754942807573642918278299103576651e-38", "1.1754943508222875e-38",
    "7.0064923216240853546186479164495807e-46", "7.0064923216240854e-46", "3.4028235677973366e38", "3.4028235677973365e38", "16777217", "16777217.0000000001", "16777219", "8388608.5", "8388609.5"
};

int main(void)
{
    unsigned i;
    double sum = 0;

    for (i = 0; i < sizeof special / sizeof *special; i++) {
        show(special[i]);
        printf("%.400f %.120e %.60g\n", special[i], special[i], special[i]);
    }
    show(HUGE_VAL);
    show(-HUGE_VAL);
    for (i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        double value = strtod(texts[i], &end);
        volatile float small;

        if (value == value)
            printf("%s: %a %d ", texts[i], value, (int)(end - texts[i]));
        small = strtof(texts[i], &end);
        if (value == value)
            printf("%a %d\n", small, (int)(end - texts[i]));
    }
    for (i = 0; i < 2500; i++) {
        char text[2000];
        double value = next_double();
        double back;
        volatile float small;

        printf("%.17g %e %.*g\n", value, value, (int)(next() % 25), value);
        if (i % 25 == 0) {
            int digits = next() % 800;
            int places = next() % 1200;

            printf("%f %.*e %.*f\n", value, digits, value, places, value);
        }
        sprintf(text, "%.17g", value);
        back = strtod(text, NULL);
        if (back != value)
            printf("strtod(%s) is %a instead of %a\n", text, back, value);
        sprintf(text, "%.*e", (int)(next() % 40), value);
        small = strtof(text, NULL);
        printf("%a %a\n", strtod(text, NULL), small);
        value = (double)(int32_t)next() / 1000.0;
        printf("%.3f %g %.1f %.2f %.0f %.10g\n", value, value, value, value, value, value);
        sprintf(text, "%.3f", value);
        sum += atof(text);
        value = (double)next64() / (1 << next() % 30);
        printf("%.0f %.4f %.16g\n", value, value, value);
    }
    printf("%.6f\n", sum);
    for (i = 0; i < 400; i++) {
        /* Halves between doubles, and a little more or less. */
        union {
            uint64_t bits;
            double value;
        } number;
        char text[1200];
        char *end;
        int length;

        number.value = fabs(next_double());
        number.bits += number.bits;
        number.bits >>= 1;
        if (number.value == 0 || number.value > 1e290)
            continue;
        {
            /* value + half a unit = (2 * m + 1) * 2^(e - 1), written exactly by printf in two parts */
            double up, half;
            uint64_t bits = number.bits;

            number.bits++;
            up = number.value;
            number.bits = bits;
            half = (up - number.value) / 2;
            if (half == 0 || number.value < 1 || number.value > 1e15)
                number.value = 1 + (double)(next64() >> 12) / 4503599627370496.0, half = 1.1102230246251565e-16;
            length = sprintf(text, "%.60f", number.value);
            if (half == 1.1102230246251565e-16 && number.value < 2) {
                /* add 2^-53 to the decimal text by hand */
                static const char add[] = "0.00000000000000011102230246251565404236316680908203125";
                int carry = 0, k;

                for (k = 54; k > 1; k--) {
                    int digit = text[k] - '0' + add[k] - '0' + carry;

                    text[k] = '0' + digit % 10;
                    carry = digit / 10;
                }
                text[0] += carry;
                printf("%a ", strtod(text, &end));
                text[length] = '1';
                text[length + 1] = 0;
                printf("%a ", strtod(text, NULL));
                text[54]--;
                printf("%a\n", strtod(text, NULL));
            }
        }
    }
    return 0;
}
