/* Arithmetic on types narrower than int: promotion, wrapping on assignment, increments, shifts, comparison. */
#include <stdio.h>

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;

static unsigned sum;
static void add(int x) { sum = (sum << 3 | sum >> 29) + x; }

static s8 g8 = -128;
static u8 gu8 = 255;
static s16 g16 = 32767;
static u16 gu16 = 65535;
static volatile s8 v8 = 100;
static volatile u16 vu16 = 65000;

static void all(int a, int b)
{
    s8 c = a; u8 d = b; s16 e = a * b; u16 f = a - b;

    add(c + d); add(c - d); add(c * e); add(e * f); add(-c); add(~d); add(!e); add(-f); add(+c);
    if (d) { add(c / d); add(c % d); add(f % d); add(e / d); }
    add(c << (b & 7)); add(d >> (a & 3)); add(e >> 2); add(f >> 3); add(f << 3); add((u8)(d << 3)); add((s8)(c << 1));
    add(c < d); add(c == d); add(e > f); add((u8)c == (u8)d); add(c < 0); add(d < 0); add(f > 65000); add(e >= -32768);
    c++; d--; ++e; --f; add(c); add(d); add(e); add(f);
    add(c--); add(d++); add(e--); add(f++);
    c += d; d -= e; e *= 3; f /= 7; add(c); add(d); add(e); add(f);
    c <<= 2; d >>= 1; e ^= 0x1234; f |= 0x8001; add(c); add(d); add(e); add(f);
    c &= 0x5a; d %= 10; e >>= 1; f ^= e; add(c); add(d); add(e); add(f);
    add((c = a) == a); add((d = b) == b); add((e = a * 999) != a * 999); add((f = -b) < 0);
    add(c ? d : e); add((s8)(u8)a); add((u8)(s8)b); add((s16)(u8)c); add((u16)(s8)c);
    g8 += c; gu8 ^= d; g16 -= e; gu16 = gu16 * f; add(g8); add(gu8); add(g16); add(gu16);
    v8++; vu16 += v8; add(v8); add(vu16);
}

static void arrays(void)
{
    s8 a[5] = {-1, 127, -128}; u8 b[5] = {255, 128, 1}; s16 c[5] = {-1, 32767, -32768}; u16 d[5] = {65535, 32768, 1};
    int i;

    for (i = 0; i < 5; i++) {
        a[i] -= i; b[i] += i; c[i] <<= i; d[i] >>= i;
        add(a[i]); add(b[i]); add(c[i]); add(d[i]);
        add(a[i] < b[i]); add(c[i] < d[i]);
        a[4 - i] += b[i]; c[4 - i] -= d[i];
    }
    for (i = 0; i < 5; i++)
        printf("%d %d %d %d ", a[i], b[i], c[i], d[i]);
    printf("\n");
}

int main(void)
{
    static const int values[] = {0, 1, -1, 2, 5, 100, 127, 128, -128, -129, 255, 256, 1000, 32767, 32768, -32768, 65535, 65536, -70000};
    int i, j, count = sizeof values / sizeof *values;
    u8 counter;
    s8 down;
    u16 hash = 5381;
    const char *text = "any text, with \377 and \200 too";

    for (i = 0; i < count; i++) {
        for (j = 0; j < count; j++)
            all(values[i], values[j]);
        printf("%08x ", sum);
    }
    printf("\n");
    arrays();
    for (counter = 250, i = 0; counter > 5; counter++)
        i += counter;
    for (down = -120; down < 0; down--)
        i -= down;
    while (*text)
        hash = hash * 33 ^ (u8)*text++;
    printf("%d %u %08x\n", i, hash, sum);
    return g8 & 0x7f;
}
