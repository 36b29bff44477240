/* What a coder of pictures does: cosine transform of blocks in whole numbers, quantisation, zigzag, lengths of runs. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 8
#define ONE 4096 /* of a fixed-point number */

static const int16_t cosines[SIDE][SIDE] = {
    {1448, 1448, 1448, 1448, 1448, 1448, 1448, 1448},     {2009, 1703, 1138, 400, -400, -1138, -1703, -2009},
    {1892, 784, -784, -1892, -1892, -784, 784, 1892},     {1703, -400, -2009, -1138, 1138, 2009, 400, -1703},
    {1448, -1448, -1448, 1448, 1448, -1448, -1448, 1448}, {1138, -2009, 400, 1703, -1703, -400, 2009, -1138},
    {784, -1892, 1892, -784, -784, 1892, -1892, 784},     {400, -1138, 1703, -2009, 2009, -1703, 1138, -400},
};
static uint8_t zigzag[SIDE * SIDE];

static int rounded(int32_t value)
{
    return value < 0 ? -((ONE / 2 - value) / ONE) : (value + ONE / 2) / ONE;
}

static void make_zigzag(void)
{
    int row = 0, column = 0;

    for (int i = 0; i < SIDE * SIDE; i++) {
        zigzag[i] = (uint8_t)(row * SIDE + column);
        if ((row + column) % 2 == 0) {
            if (column == SIDE - 1)
                row++;
            else {
                column++;
                row -= row > 0;
            }
        } else if (row == SIDE - 1)
            column++;
        else {
            row++;
            column -= column > 0;
        }
    }
}

static void transform(const int16_t in[SIDE][SIDE], int16_t out[SIDE][SIDE])
{
    int16_t rows[SIDE][SIDE];

    for (int y = 0; y < SIDE; y++)
        for (int u = 0; u < SIDE; u++) {
            int32_t sum = 0;

            for (int x = 0; x < SIDE; x++)
                sum += in[y][x] * cosines[u][x];
            rows[y][u] = (int16_t)rounded(sum);
        }
    for (int v = 0; v < SIDE; v++)
        for (int u = 0; u < SIDE; u++) {
            int32_t sum = 0;

            for (int y = 0; y < SIDE; y++)
                sum += rows[y][u] * cosines[v][y];
            out[v][u] = (int16_t)rounded(sum);
        }
}

static void transform_back(const int16_t in[SIDE][SIDE], int16_t out[SIDE][SIDE])
{
    int16_t columns[SIDE][SIDE];

    for (int y = 0; y < SIDE; y++)
        for (int u = 0; u < SIDE; u++) {
            int32_t sum = 0;

            for (int v = 0; v < SIDE; v++)
                sum += in[v][u] * cosines[v][y];
            columns[y][u] = (int16_t)rounded(sum);
        }
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int32_t sum = 0;

            for (int u = 0; u < SIDE; u++)
                sum += columns[y][u] * cosines[u][x];
            out[y][x] = (int16_t)rounded(sum);
        }
}

/* Divides by steps that grow with the frequency, and multiplies again; returns the bits that runs of zeros and values take. */
static long quantise(int16_t block[SIDE][SIDE], int quality)
{
    int16_t *values = block[0];
    long bits = 0;
    int zeros = 0;

    for (int i = 0; i < SIDE * SIDE; i++) {
        int place = zigzag[i], step = quality + place / SIDE + place % SIDE;
        int value = values[place] / step, size = 0;

        values[place] = (int16_t)(value * step);
        if (value == 0) {
            zeros++;
            continue;
        }
        for (int rest = abs(value); rest; rest >>= 1)
            size++;
        for (; zeros > 15; zeros -= 16)
            bits += 11;
        bits += 4 + zeros / 4 + 2 * size;
        zeros = 0;
    }
    return bits + 4;
}

int main(int argc, char **argv)
{
    int width = 8 * (argc > 1 ? atoi(argv[1]) : 4), worst = 0;
    uint8_t *picture = malloc((size_t)(width * width));
    long bits = 0, error = 0;

    make_zigzag();
    for (int y = 0; y < width; y++)
        for (int x = 0; x < width; x++)
            picture[y * width + x] = (uint8_t)(x * 3 + y * 2 + (x * y / 16) % 32 + ((x ^ y) & 8 ? 40 : 0));
    for (int top = 0; top < width; top += SIDE)
        for (int left = 0; left < width; left += SIDE) {
            int16_t block[SIDE][SIDE], changed[SIDE][SIDE];

            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++)
                    block[y][x] = (int16_t)(picture[(top + y) * width + left + x] - 128);
            transform((const int16_t(*)[SIDE])block, changed);
            bits += quantise(changed, 6);
            transform_back((const int16_t(*)[SIDE])changed, block);
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) {
                    int difference = abs(block[y][x] + 128 - picture[(top + y) * width + left + x]);

                    error += difference;
                    worst = difference > worst ? difference : worst;
                }
        }
    printf("%d: %ld bits, error %ld, at most %d\n", width, bits, error, worst);
    free(picture);
    return 0;
}
