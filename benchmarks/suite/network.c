/* A small neural network in 8 bits: matrix by vector, requantisation, a convolution, the greatest of the outputs. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUTS 64
#define HIDDEN 32
#define OUTPUTS 10
#define SIDE 8
#define FILTERS 4

struct layer {
    int inputs, outputs, shift;
    int32_t multiplier;
    const int8_t *weights;
    const int32_t *biases;
};

static int8_t filters[FILTERS][3][3], weights1[HIDDEN * INPUTS], weights2[OUTPUTS * HIDDEN];
static int32_t biases1[HIDDEN], biases2[OUTPUTS];

static int8_t requantised(int32_t sum, int32_t multiplier, int shift, int32_t least)
{
    int64_t product = (int64_t)sum * multiplier + ((int64_t)1 << (shift - 1));
    int32_t value = (int32_t)(product / ((int64_t)1 << shift));

    return (int8_t)(value < least ? least : value > 127 ? 127 : value);
}

static void connect(const struct layer *layer, const int8_t *in, int8_t *out, int32_t least)
{
    for (int o = 0; o < layer->outputs; o++) {
        const int8_t *row = layer->weights + o * layer->inputs;
        int32_t sum = layer->biases[o];

        for (int i = 0; i < layer->inputs; i++)
            sum += row[i] * in[i];
        out[o] = requantised(sum, layer->multiplier, layer->shift, least);
    }
}

/* Convolves with one filter, edges repeated, and keeps the greatest of each square of four. */
static void convolve(int8_t filter[3][3], int8_t in[SIDE][SIDE], int8_t *out)
{
    for (int y = 0; y < SIDE; y += 2)
        for (int x = 0; x < SIDE; x += 2) {
            int32_t greatest = -128;

            for (int part = 0; part < 4; part++) {
                int32_t sum = 0;

                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        int row = y + part / 2 + dy, column = x + part % 2 + dx;

                        row = row < 0 ? 0 : row > SIDE - 1 ? SIDE - 1 : row;
                        column = column < 0 ? 0 : column > SIDE - 1 ? SIDE - 1 : column;
                        sum += in[row][column] * filter[dy + 1][dx + 1];
                    }
                sum /= 64;
                greatest = sum > greatest ? sum : greatest;
            }
            *out++ = (int8_t)(greatest > 127 ? 127 : greatest);
        }
}

static int answer(int8_t picture[SIDE][SIDE])
{
    const struct layer first = {INPUTS, HIDDEN, 20, 9000, weights1, biases1};
    const struct layer second = {HIDDEN, OUTPUTS, 20, 12000, weights2, biases2};
    int8_t features[INPUTS], hidden[HIDDEN], out[OUTPUTS];
    int best = 0;

    for (int f = 0; f < FILTERS; f++)
        convolve(filters[f], picture, features + f * (INPUTS / FILTERS));
    connect(&first, features, hidden, 0);
    connect(&second, hidden, out, -128);
    for (int o = 1; o < OUTPUTS; o++)
        if (out[o] > out[best])
            best = o;
    return best;
}

static uint32_t seed = 29;

static int random_byte(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 24) - 128;
}

int main(int argc, char **argv)
{
    int pictures = argc > 1 ? atoi(argv[1]) : 30, answers[OUTPUTS] = {0};

    for (int i = 0; i < FILTERS * 9; i++)
        filters[i / 9][i / 3 % 3][i % 3] = (int8_t)random_byte();
    for (int i = 0; i < HIDDEN * INPUTS; i++)
        weights1[i] = (int8_t)random_byte();
    for (int i = 0; i < OUTPUTS * HIDDEN; i++)
        weights2[i] = (int8_t)random_byte();
    for (int i = 0; i < HIDDEN; i++)
        biases1[i] = random_byte() * 8;
    for (int n = 0; n < pictures; n++) {
        int8_t picture[SIDE][SIDE];

        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                picture[y][x] = (int8_t)random_byte();
        answers[answer(picture)]++;
    }
    for (int o = 0; o < OUTPUTS; o++)
        printf("%d%c", answers[o], o + 1 < OUTPUTS ? ' ' : '\n');
    return 0;
}
