/* Adaptive differential coding of sound in 4 bits for each sample, and back. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct coder {
    int predicted, index;
};

static const int8_t index_steps[8] = {-1, -1, -1, -1, 2, 4, 6, 8};
static int16_t steps[89];

static void make_steps(void)
{
    int32_t step = 7 * 256;

    for (int i = 0; i < 89; i++) {
        steps[i] = (int16_t)(step / 256 > 32767 ? 32767 : step / 256);
        if (step < 32767 * 256)
            step += step / 10 + 1;
    }
}

static int limited(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static void advance(struct coder *coder, int code, int difference)
{
    coder->predicted = limited(code & 8 ? coder->predicted - difference : coder->predicted + difference, -32768, 32767);
    coder->index = limited(coder->index + index_steps[code & 7], 0, 88);
}

static int encoded(struct coder *coder, int sample)
{
    int step = steps[coder->index], difference = sample - coder->predicted, code = 0, taken = step >> 3;

    if (difference < 0) {
        code = 8;
        difference = -difference;
    }
    for (int bit = 4; bit; bit >>= 1) {
        if (difference >= step) {
            code |= bit;
            difference -= step;
            taken += step;
        }
        step >>= 1;
    }
    advance(coder, code, taken);
    return code;
}

static int decoded(struct coder *coder, int code)
{
    int step = steps[coder->index], difference = step >> 3;

    if (code & 4)
        difference += step;
    if (code & 2)
        difference += step >> 1;
    if (code & 1)
        difference += step >> 2;
    advance(coder, code, difference);
    return coder->predicted;
}

static void encode_all(const int16_t *in, uint8_t *out, int count)
{
    struct coder coder = {0, 0};

    for (int i = 0; i < count; i += 2) {
        int low = encoded(&coder, in[i]);

        *out++ = (uint8_t)(low | encoded(&coder, in[i + 1]) << 4);
    }
}

static void decode_all(const uint8_t *in, int16_t *out, int count)
{
    struct coder coder = {0, 0};

    for (int i = 0; i < count; i += 2, in++) {
        out[i] = (int16_t)decoded(&coder, *in & 15);
        out[i + 1] = (int16_t)decoded(&coder, *in >> 4);
    }
}

int main(int argc, char **argv)
{
    int count = 2 * (argc > 1 ? atoi(argv[1]) : 2000), level = 0, slope = 300;
    int16_t *sound = malloc(2 * (size_t)count), *back = malloc(2 * (size_t)count);
    uint8_t *codes = malloc((size_t)count / 2);
    uint32_t seed = 41, sum = 0;
    long error = 0;

    make_steps();
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        slope += level > 0 ? -17 : 17;
        level += slope + (int)(seed >> 26) - 32;
        sound[i] = (int16_t)limited(level, -32768, 32767);
    }
    for (int round = 0; round < 4; round++) {
        encode_all(sound, codes, count);
        decode_all(codes, back, count);
        for (int i = 0; i < count; i++)
            error += abs(sound[i] - back[i]);
        for (int i = 0; i < count / 2; i++)
            sum = sum * 31 + codes[i];
        for (int i = 0; i < count; i++)
            sound[i] = back[i];
    }
    printf("%d samples, error %ld, %08lx\n", count, error, (unsigned long)sum);
    free(sound);
    free(back);
    free(codes);
    return 0;
}
