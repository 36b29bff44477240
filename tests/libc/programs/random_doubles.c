/* Doubles written and read in many ways: random_doubles SEED BLOCKS [SHOW].  A line for each block of 1,000 numbers has
   checksums of all texts and of all numbers read; for the block SHOW, each of them.  One seed is one block. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 1000

static uint64_t state;
static int shown;
static uint64_t sums[8];

static const char *const kinds[] = {"%.17g", "shortest", "%a", "%e", "%f", "%g", "strtod", "scanf"};

static uint64_t next64(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static int below(int bound)
{
    return (int)((next64() >> 32) * (uint64_t)bound >> 32);
}

static double of_bits(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Any double but a NaN, whose sign we do not print. */
static double any_double(void)
{
    uint64_t bits = next64();
    int length;
    double divisor;

    switch (below(8)) {
    case 0: return (double)(int64_t)(bits >> below(64));
    case 1:
        for (divisor = 1, length = below(23); length > 0; length--)
            divisor *= 10;
        return (double)(bits >> (11 + below(53))) / divisor;
    case 2: return of_bits(bits >> (12 + below(51)) | (bits & 1) << 63);
    case 3: length = below(53); return of_bits((bits >> length << length) & 0xbfffffffffffffff | (bits & 3) << 61);
    case 4: return ldexp(1.0 + ((int)(bits & 7) - 4) * 0x1p-52, below(2100) - 1074);
    case 5: return ldexp((double)(bits >> 11), below(140) - 120);
    default:
        while ((bits >> 52 & 0x7ff) == 0x7ff)
            bits = next64();
        return of_bits(bits);
    }
}

static double some_double(void)
{
    double x;

    do
        x = any_double();
    while (isnan(x));
    return x;
}

static void note(int kind, const char *text)
{
    uint64_t sum = sums[kind];

    if (shown)
        printf("%s %s\n", kinds[kind], text);
    for (; *text != '\0'; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3;
    sums[kind] = (sum ^ '\n') * 0x100000001b3;
}

static void note_number(int kind, const char *text, double x, int length)
{
    char line[64];

    if (shown)
        printf("%s of %s\n", kinds[kind], text);
    sprintf(line, "%016llx %d", (unsigned long long)bits_of(x), length);
    note(kind, line);
}

static void read_back(const char *text)
{
    char *end;
    double x = strtod(text, &end);
    int length = -1;

    note_number(6, text, x, (int)(end - text));
    if (below(4) == 0) {
        x = 0;
        sscanf(text, "%lf%n", &x, &length);
        note_number(7, text, x, length);
    }
}

static void write_shortest(double x)
{
    char text[40];
    int digits;

    for (digits = below(4) == 0 ? 1 : 15; digits < 17; digits++) {
        sprintf(text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    sprintf(text, "%.*g", digits, x);
    note(1, text);
    if (strtod(text, NULL) != x)
        note(1, "does not come back");
}

static void write_formatted(double x)
{
    static const char *const flags[] = {"", "+", "#", " ", "0", "-", "+#0", "-#"};
    static const char letters[] = "aefgAEG";
    char format[20], text[1800];
    int letter = letters[below(7)];
    int digits = letter == 'a' || letter == 'A' ? below(16) : below(64) == 0 ? below(1200) : below(40);

    int width = below(3) == 0 ? below(60) : 1;

    sprintf(format, "%%%s%d.%d%c", flags[below(8)], width, digits, letter);
    sprintf(text, format, x);
    note(letter == 'a' || letter == 'A' ? 2 : letter == 'f' ? 4 : letter == 'e' || letter == 'E' ? 3 : 5, text);
}

/* Write the exact middle between two doubles, or a number that differs from it in some late digit. */
static void middle(char *text, double x)
{
    uint64_t bits = bits_of(x) & 0x7fffffffffffffff;
    uint64_t mantissa = bits & 0xfffffffffffff;
    int exponent = (int)(bits >> 52), scale, digits = 0, i, carry;
    static unsigned char decimal[1200];

    if (exponent == 0)
        exponent = 1;
    else
        mantissa |= 0x10000000000000;
    mantissa = 2 * mantissa + 1;
    scale = exponent - 1076;
    for (; mantissa != 0; mantissa /= 10)
        decimal[digits++] = (unsigned char)(mantissa % 10);
    for (i = scale; i != 0; i += i < 0 ? 1 : -1) { /* times 5 and an exponent of ten, or times 2 */
        int j, factor = scale < 0 ? 5 : 2;
        for (carry = 0, j = 0; j < digits || carry; j++) {
            carry += (j < digits ? decimal[j] : 0) * factor;
            decimal[j] = (unsigned char)(carry % 10);
            carry /= 10;
            if (j == digits)
                digits++;
        }
    }
    for (i = digits - 1; i >= 0; i--)
        *text++ = (char)('0' + decimal[i]);
    *text = '\0';
    i = below(4);
    if (i == 1)
        text[-1]++; /* the middle ends in 5 or an even digit */
    else if (i == 2)
        text[-1]--, *text++ = '9';
    else if (i == 3)
        text += sprintf(text, "000000000000000000000000000%d", below(2));
    sprintf(text, "e%d", (scale < 0 ? scale : 0) - (i == 2) - (i == 3 ? 28 : 0));
}

static void some_text(char *text)
{
    int length = 1 + (below(64) == 0 ? below(700) : below(25)), point = below(length + 1), exponent, i;

    if (below(3) == 0)
        *text++ = "+-"[below(2)];
    if (below(5) == 0) {
        text += sprintf(text, below(2) ? "0x" : "0X");
        length = 1 + below(20);
        point = below(length + 1);
        for (i = 0; i < length; i++) {
            if (i == point)
                *text++ = '.';
            *text++ = "0123456789abcdefABCDEF000008"[below(28)];
        }
        exponent = below(2300) - 1150;
        if (below(4) != 0)
            text += sprintf(text, "%c%+d", "pP"[below(2)], exponent);
    } else {
        for (i = 0; i < length; i++) {
            if (i == point)
                *text++ = '.';
            *text++ = "0123456789000999555"[below(19)];
        }
        exponent = below(5) ? below(60) - 30 : below(720) - 360 - length;
        if (below(4) != 0)
            text += sprintf(text, "%c%d", "eE"[below(2)], exponent);
    }
    strcpy(text, below(6) ? "" : below(2) ? "e+" : "q");
}

static void try_one(void)
{
    static char text[2400];
    double x = some_double();

    sprintf(text, "%.17g", x);
    note(0, text);
    read_back(text);
    write_shortest(x);
    write_formatted(x);
    sprintf(text, "%a", x);
    note(2, text);
    read_back(text);
    sprintf(text, "%.*e", below(64) == 0 ? below(800) : 10 + below(20), x);
    note(3, text);
    read_back(text);
    some_text(text);
    read_back(text);
    if (below(128) == 0) {
        middle(text, x);
        read_back(text);
    }
}

int main(int argc, char **argv)
{
    int first = atoi(argv[1]), blocks = atoi(argv[2]), block, i;

    for (block = first; block < first + blocks; block++) {
        state = (uint64_t)block * 0x9e3779b97f4a7c15 * 3;
        shown = argc > 3 && atoi(argv[3]) == block;
        memset(sums, 0, sizeof sums);
        for (i = 0; i < BLOCK; i++)
            try_one();
        printf("%d", block);
        for (i = 0; i < 8; i++)
            printf(" %016llx", (unsigned long long)sums[i]);
        printf("\n");
    }
    return 0;
}
