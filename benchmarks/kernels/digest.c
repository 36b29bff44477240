/*
 * digest - SHA-256 (FIPS 180-4) of a message, with the 64 rounds written out.
 *
 * usage: digest [BYTES [REPEAT]]
 *
 * A block is worked off in one long stretch of code without branches, which no small instruction cache holds.  The
 * constants are computed: the first bits of the fractions of square and cube roots of primes.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROTATE(x, n) ((x) >> (n) | (x) << (32 - (n)))

static uint32_t initial[8], constants[64];

/* Returns the first 32 bits of a fraction. */
static uint32_t fraction(double number)
{
    return (uint32_t)((number - floor(number)) * 4294967296.0);
}

static void make_constants(void)
{
    int found = 0;

    for (uint32_t n = 2; found < 64; n++) {
        uint32_t divisor = 2;

        while (divisor * divisor <= n && n % divisor != 0)
            divisor++;
        if (divisor * divisor <= n)
            continue;
        if (found < 8)
            initial[found] = fraction(sqrt(n));
        constants[found++] = fraction(cbrt(n));
    }
}

#define ROUND(a, b, c, d, e, f, g, h, i) \
    h += (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + (g ^ (e & (f ^ g))) + constants[(i) + start] + w[i]; \
    d += h; \
    h += (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + ((a & b) | (c & (a | b)))

#define EIGHT_ROUNDS(i) \
    ROUND(a, b, c, d, e, f, g, h, (i)); \
    ROUND(h, a, b, c, d, e, f, g, (i) + 1); \
    ROUND(g, h, a, b, c, d, e, f, (i) + 2); \
    ROUND(f, g, h, a, b, c, d, e, (i) + 3); \
    ROUND(e, f, g, h, a, b, c, d, (i) + 4); \
    ROUND(d, e, f, g, h, a, b, c, (i) + 5); \
    ROUND(c, d, e, f, g, h, a, b, (i) + 6); \
    ROUND(b, c, d, e, f, g, h, a, (i) + 7)

#define EXTEND(i) \
    w[i] += (ROTATE(w[((i) + 1) & 15], 7) ^ ROTATE(w[((i) + 1) & 15], 18) ^ w[((i) + 1) & 15] >> 3) + \
            w[((i) + 9) & 15] + \
            (ROTATE(w[((i) + 14) & 15], 17) ^ ROTATE(w[((i) + 14) & 15], 19) ^ w[((i) + 14) & 15] >> 10)

#define EXTEND_FOUR(i) EXTEND(i); EXTEND((i) + 1); EXTEND((i) + 2); EXTEND((i) + 3)

static void block(uint32_t *hash, const unsigned char *bytes)
{
    uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4], f = hash[5], g = hash[6], h = hash[7];
    uint32_t w[16];

    for (int i = 0; i < 16; i++, bytes += 4)
        w[i] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    for (int start = 0;; start += 16) {
        EIGHT_ROUNDS(0);
        EIGHT_ROUNDS(8);
        if (start == 48)
            break;
        EXTEND_FOUR(0);
        EXTEND_FOUR(4);
        EXTEND_FOUR(8);
        EXTEND_FOUR(12);
    }
    hash[0] += a, hash[1] += b, hash[2] += c, hash[3] += d;
    hash[4] += e, hash[5] += f, hash[6] += g, hash[7] += h;
}

static void digest(uint32_t *hash, const unsigned char *bytes, uint32_t size)
{
    unsigned char end[128] = {0};
    uint32_t rest = size % 64, length = rest < 56 ? 64 : 128;

    memcpy(hash, initial, sizeof initial);
    for (uint32_t at = 0; at + 64 <= size; at += 64)
        block(hash, bytes + at);
    memcpy(end, bytes + size - rest, rest);
    end[rest] = 0x80;
    for (uint32_t i = 0; i < 4; i++)
        end[length - 1 - i] = (unsigned char)(size << 3 >> 8 * i & 255);
    for (uint32_t at = 0; at < length; at += 64)
        block(hash, end + at);
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 500, repeat = argc > 2 ? atoi(argv[2]) : 1;
    unsigned char *message = malloc((size_t)size + 32);
    uint32_t hash[8];

    if (message == NULL || size < 32)
        return 1;
    make_constants();
    digest(hash, (const unsigned char *)"abc", 3);
    printf("digest abc: %08lx...%08lx\n", (unsigned long)hash[0], (unsigned long)hash[7]);
    for (int i = 0; i < size; i++)
        message[i] = (unsigned char)(i % 251);
    for (int n = 0; n < repeat; n++) { /* each message has the digest of the last */
        digest(hash, message, (uint32_t)size);
        for (int i = 0; i < 32; i++)
            message[i] = (unsigned char)(hash[i / 4] >> 8 * (i % 4) & 255);
    }
    printf("digest %d: %08lx...%08lx\n", size, (unsigned long)hash[0], (unsigned long)hash[7]);
    return 0;
}
