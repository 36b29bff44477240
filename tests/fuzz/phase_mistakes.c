/* Small functions of many kinds, for `phase_mistakes.py`; main writes what all of them computed. */

#include <unistd.h>

typedef struct { short x, y; unsigned char kind; int weight; } point;

static unsigned total, table[16];
static unsigned char bytes[40] = "the quick brown fox jumps";
static short halves[12];
static point points[5] = {{3, -4, 1, 70}, {-9, 2, 0, -5}, {120, 7, 3, 12}, {-1, -1, 2, 900}, {6, 60, 1, -33}};
static int volatile device;

static void note(unsigned value)
{
    total = (total << 5 | total >> 27) ^ value;
}

int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

int narrow(int value)
{
    signed char small = value;
    unsigned short middle = value * 3;
    return small + middle - (short)(value * 8);
}

unsigned mixed(unsigned a, unsigned b)
{
    unsigned c = (a & 0xff00) >> 8 | b << 24, d = a / 10 + b % 7;
    if (a > b)
        c ^= d;
    else if ((int)a < (int)b)
        c += d >> 3;
    return c * 12 - (a ^ b);
}

int sum(int const *values, int count)
{
    int result = 0;
    for (int i = 0; i < count; i++)
        result += values[i] * (i + 1);
    return result;
}

void shift(int *to, int const *from, int count)
{
    for (int i = 0; i + 1 < count; i++) {
        to[i] = from[i + 1] + device;
        to[i + 1] ^= from[i] & 15;
    }
}

int length(char const *text)
{
    int count = 0;
    while (*text++)
        count += *text != ' ' || count % 3 == 0;
    return count;
}

int token(int letter)
{
    switch (letter) {
    case 'a': case 'e': case 'i': case 'o': case 'u':
        return 1;
    case ' ': case '\t':
        return 0;
    case '0': case '1': case '2': case '3':
        return letter - '0' + 10;
    case 'x':
        note(letter);
    default:
        return letter > 'm' ? 3 : 2;
    }
}

long long wide(long long a, int b)
{
    long long c = a * b + (a >> 9) - (unsigned)b;
    return c < 0 ? -c ^ a * 4 : c + (c > a);
}

int nested(int rows, int columns)
{
    int found = -1;
    for (int i = 0; i < rows; i++)
        for (int j = columns - 1; j >= 0; j -= 2) {
            table[(i + j) & 15] += i * j;
            if (i * j == 12 && found < 0)
                found = i << 4 | j;
        }
    return found;
}

int heaviest(point *of, int count)
{
    point *best = of;
    for (point *p = of; p != of + count; p++) {
        if (p->kind && p->weight > best->weight)
            best = p;
        p->x += p->y >> 1;
        p->kind ^= p->x < 0;
    }
    return best - of;
}

int power(int base, int exponent)
{
    return exponent == 0 ? 1 : exponent & 1 ? base * power(base, exponent - 1) : power(base * base, exponent / 2);
}

unsigned check(unsigned char const *data, int size)
{
    unsigned low = 1, high = 0;
    while (size--) {
        low = (low + *data++) % 251;
        high = (high + low) % 251;
    }
    return high << 8 | low;
}

int flags(int value, int *out)
{
    int changed = 0, kept = value;
    if (value & 4) {
        changed = 1;
        out[0]++;
    }
    if (value < 0 && changed)
        out[1] = kept - 1;
    else
        out[1] -= changed;
    for (int bit = 0; bit < 8; bit++)
        if (value >> bit & 1)
            kept = kept * 2 + changed;
    return changed ? kept : -kept;
}

void sort(short *values, int count)
{
    for (int i = 1; i < count; i++) {
        short value = values[i];
        int j = i;
        for (; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    int p = a * b, q = c * d, r = e * f, s = g * h, t = i * j, u = a ^ j, v = b | i, w = c & h;
    note(p);
    return p + q * 2 + r * 3 + s * 4 + t * 5 - u - v - w + device;
}

double real(double x, float y, int n)
{
    double result = x < y ? x : y;
    for (int i = 0; i < n; i++)
        result = result * 0.5 + x / (i + 1);
    return result;
}

int overlap(unsigned char *to, unsigned char const *from, int count)
{
    int before = from[0] << 8 | from[1];
    to[1] = count;
    for (int i = 0; i < count; i++)
        to[i] = from[i] + from[0];
    return before + from[1] * 3 + to[0];
}

unsigned rotated(unsigned value, int by)
{
    unsigned one = value << (by & 31) | value >> (-by & 31), other = value << 7 | value >> 25;
    return one - (other & 0x00ffff00) + (value >> 24) + (signed char)(value >> 8);
}

int shares(int a, unsigned b)
{
    int low = a % 8 + a / 16 * 3 + a / -7, high = b / 1000 + b % 24;
    if (a >= 10 && a <= 20)
        low += b > 77u;
    if (a == 3 || a == 4 || a == 6 || a == 40)
        high -= low;
    return low * 31 - high;
}

unsigned long long far(unsigned long long a, int by)
{
    unsigned long long b = a << (by & 63) ^ a >> 33;
    if ((long long)b < (long long)a)
        b -= a * 0x100000001ull;
    return b > 0xffffffffu ? b >> 3 : ~b + by;
}

int first(int const *values, int count, int wanted)
{
    int seen = 0;
    for (int i = 0; i < count; i++) {
        if (values[i] < 0)
            continue;
        if (values[i] == wanted)
            return i + seen * 100;
        seen++;
    }
    return seen ? -seen : -1000;
}

struct packed { unsigned kind : 3; int delta : 5; unsigned rest : 24; };

int fields(struct packed *of, int delta)
{
    struct packed copy = *of;
    copy.delta += delta;
    of->kind = copy.delta < 0 ? copy.kind + 1 : copy.kind ^ 5;
    of->rest = copy.rest * 3 + copy.delta;
    return copy.delta * 8 + of->kind;
}

int order(float a, float b, double c)
{
    int result = (a < b) + (a <= b) * 2 + (a == b) * 4 + (a != b) * 8;
    return !(c > a) ? result * 2 : result - (int)(c * 8);
}

static int (*const chosen[])(int) = {narrow, token};

int main(void)
{
    int values[8] = {5, -2, 77, 30000, -40000, 9, 0, 1}, out[2] = {3, -3};
    for (int i = -3; i < 4; i++) {
        note(clamp(i * 50, -70, 99) + narrow(i * 77777));
        note(mixed(i * 1000003, 99 - i * 5));
        note(wide(i * 123456789123LL, i + 2));
        note(flags(i * 13, out) + out[0] + out[1]);
        note(chosen[i & 1](i + 'a'));
        note(power(i, 5 + i) + (int)real(i * 3, 7.5f, i + 3));
        note(many(i, 2, 3, i * i, 5, 6, i - 7, 8, 9, i));
    }
    shift(values + 1, values, 7);
    note(sum(values, 8));
    note(length((char *)bytes) + nested(6, 9));
    note(heaviest(points, 5) + points[1].x + points[3].kind);
    for (int i = 0; bytes[i]; i++)
        note(token(bytes[i]));
    for (int i = 0; i < 12; i++)
        halves[i] = (i * 7919) ^ (i << 13);
    sort(halves, 12);
    note(check(bytes, 25) + check((unsigned char *)halves, sizeof halves));
    struct packed packed = {5, -3, 99};
    for (int i = -4; i < 5; i++) {
        note(rotated(i * 0x9e3779b1u, i + 6) + shares(i * 5, i * 40 - 7) + shares(i + 3, 7 - i));
        note(far(i * 0x123456789abcULL, i * 9 + 40) + first(values, 8, i * 3));
        note(fields(&packed, i * 7) + packed.rest + order(i, 2, i / 2.0) + order(i * 0.0f / i, i, 1));
    }
    note(overlap(bytes + 3, bytes + 2, 9) + overlap(bytes, bytes + 20, 5) + bytes[7]);
    note(first(values, 8, values[3]) + first(out, 2, 1));
    for (int i = 0; i < 16; i++)
        note(table[i]);
    return write(1, &total, sizeof total) != sizeof total;
}
