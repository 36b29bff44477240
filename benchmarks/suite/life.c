/* Conway's Game of Life twice: by counting neighbours in bytes, and 32 cells at a time by adding bits. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 32
#define COLUMNS 32

static uint8_t cells[ROWS][COLUMNS];
static uint32_t words[ROWS];

static void step_bytes(void)
{
    static uint8_t next[ROWS][COLUMNS];

    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            int count = 0;

            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dy || dx)
                        count += cells[(y + dy + ROWS) % ROWS][(x + dx + COLUMNS) % COLUMNS];
            next[y][x] = count == 3 || (count == 2 && cells[y][x]);
        }
    memcpy(cells, next, sizeof cells);
}

static uint32_t left(uint32_t word)
{
    return word << 1 | word >> 31;
}

static uint32_t right(uint32_t word)
{
    return word >> 1 | word << 31;
}

static void step_words(void)
{
    uint32_t next[ROWS];

    for (int y = 0; y < ROWS; y++) {
        uint32_t around[8], ones = 0, twos = 0, fours = 0;
        uint32_t above = words[(y + ROWS - 1) % ROWS], here = words[y], below = words[(y + 1) % ROWS];

        around[0] = left(above);
        around[1] = above;
        around[2] = right(above);
        around[3] = left(here);
        around[4] = right(here);
        around[5] = left(below);
        around[6] = below;
        around[7] = right(below);
        for (int i = 0; i < 8; i++) {
            uint32_t carry = ones & around[i];

            ones ^= around[i];
            fours |= twos & carry;
            twos ^= carry;
        }
        next[y] = twos & ~fours & (ones | here);
    }
    memcpy(words, next, sizeof words);
}

static int same(void)
{
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            if (cells[y][x] != (words[y] >> x & 1))
                return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 10, wrong = 0;
    uint32_t seed = 53, sum = 0;

    for (int y = 0; y < ROWS; y++) {
        words[y] = 0;
        for (int x = 0; x < COLUMNS; x++) {
            seed = seed * 1664525u + 1013904223u;
            cells[y][x] = seed >> 30 == 0;
            words[y] |= (uint32_t)cells[y][x] << x;
        }
    }
    for (int i = 0; i < steps; i++) {
        step_bytes();
        step_words();
        wrong += !same();
        for (int more = 0; more < 20; more++) {
            uint32_t kept[ROWS];

            memcpy(kept, words, sizeof kept);
            step_words();
            for (int y = 0; y < ROWS; y++)
                sum = sum * 31 + words[y];
            memcpy(words, kept, sizeof words);
        }
    }
    printf("%08lx, %d wrong\n", (unsigned long)sum, wrong);
    return wrong;
}
