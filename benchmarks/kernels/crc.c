/*
 * crc - bits: CRC-32 by table and bit by bit, population counts, reversal, Gray codes, Hamming codes.
 *
 * usage: crc [BYTES [REPEAT]]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define POLYNOMIAL UINT32_C(0xedb88320)

static uint32_t table[256];

static void make_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t rest = i;

        for (int bit = 0; bit < 8; bit++)
            rest = rest & 1 ? rest >> 1 ^ POLYNOMIAL : rest >> 1;
        table[i] = rest;
    }
}

static uint32_t crc_by_table(const unsigned char *data, int size)
{
    uint32_t crc = UINT32_C(0xffffffff);

    for (int i = 0; i < size; i++)
        crc = crc >> 8 ^ table[(crc ^ data[i]) & 255];
    return ~crc & UINT32_C(0xffffffff);
}

static uint32_t crc_by_bit(const unsigned char *data, int size)
{
    uint32_t crc = UINT32_C(0xffffffff);

    for (int i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (POLYNOMIAL & -((crc ^ (uint32_t)(data[i] >> bit)) & 1));
    return ~crc & UINT32_C(0xffffffff);
}

static uint32_t population(uint32_t x)
{
    x = x - (x >> 1 & UINT32_C(0x55555555));
    x = (x & UINT32_C(0x33333333)) + (x >> 2 & UINT32_C(0x33333333));
    x = (x + (x >> 4)) & UINT32_C(0x0f0f0f0f);
    return x * UINT32_C(0x01010101) >> 24;
}

static uint32_t reversed(uint32_t x)
{
    x = (x >> 1 & UINT32_C(0x55555555)) | (x & UINT32_C(0x55555555)) << 1;
    x = (x >> 2 & UINT32_C(0x33333333)) | (x & UINT32_C(0x33333333)) << 2;
    x = (x >> 4 & UINT32_C(0x0f0f0f0f)) | (x & UINT32_C(0x0f0f0f0f)) << 4;
    x = (x >> 8 & UINT32_C(0x00ff00ff)) | (x & UINT32_C(0x00ff00ff)) << 8;
    return x >> 16 | x << 16;
}

/* Four bits with three parity bits behind them. */
static uint32_t hamming(uint32_t x)
{
    uint32_t a = x & 1, b = x >> 1 & 1, c = x >> 2 & 1, d = x >> 3 & 1;

    return x | (a ^ b ^ d) << 4 | (a ^ c ^ d) << 5 | (b ^ c ^ d) << 6;
}

static uint32_t corrected(uint32_t code)
{
    static const unsigned char wrong[8] = {0, 0, 0, 1, 0, 2, 4, 8};
    uint32_t check = hamming(code & 15) ^ code;

    return (code ^ wrong[check >> 4 & 7]) & 15;
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 500, repeat = argc > 2 ? atoi(argv[2]) : 1, repaired = 0;
    unsigned char *data = malloc((size_t)size);
    uint32_t state = 19, sum = 0, crc = 0;

    if (data == NULL || size < 1)
        return 1;
    make_table();
    for (int n = 0; n < repeat; n++) {
        for (int i = 0; i < size; i++) {
            uint32_t gray, code;

            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            gray = state ^ state >> 1;
            sum += population(gray) * 3 + reversed(gray);
            code = hamming(gray & 15) ^ UINT32_C(1) << (gray >> 8) % 7;
            repaired += corrected(code) == (gray & 15);
            data[i] = (unsigned char)(gray >> 16);
        }
        crc = crc_by_table(data, size);
        if (crc != crc_by_bit(data, size)) {
            printf("crc: they differ\n");
            return 1;
        }
    }
    printf("crc %d: %08lx %08lx, %d repaired\n", size, (unsigned long)crc, (unsigned long)sum, repaired);
    return 0;
}
