/* Digital filters in 16 bits: a finite one with a ring of samples, a cascade of second order, a moving mean, saturation. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TAPS 24
#define SECTIONS 3

struct section {
    int16_t b[3], a[2];
    int32_t x[2], y[2];
};

static int16_t taps[TAPS], ring[TAPS];
static int place;
static struct section sections[SECTIONS] = {
    {{1638, 3276, 1638}, {-12000, 4200}, {0}, {0}},
    {{4096, -2048, 4096}, {-9000, 6100}, {0}, {0}},
    {{8192, 0, -8192}, {3000, 5000}, {0}, {0}},
};

static int16_t saturated(int32_t value)
{
    return (int16_t)(value > 32767 ? 32767 : value < -32768 ? -32768 : value);
}

static int16_t finite(int16_t sample)
{
    int32_t sum = 8192;
    int at = place;

    ring[place] = sample;
    for (int i = 0; i < TAPS; i++) {
        sum += taps[i] * ring[at];
        at = at ? at - 1 : TAPS - 1;
    }
    place = place + 1 < TAPS ? place + 1 : 0;
    return saturated(sum / 16384);
}

static int16_t cascade(int16_t sample)
{
    int32_t value = sample;

    for (struct section *s = sections; s < sections + SECTIONS; s++) {
        int32_t out = s->b[0] * value + s->b[1] * s->x[0] + s->b[2] * s->x[1];

        out = (out / 2 - (s->a[0] * s->y[0] + s->a[1] * s->y[1]) / 2) / 8192;
        s->x[1] = s->x[0];
        s->x[0] = value;
        s->y[1] = s->y[0];
        s->y[0] = saturated(out) / 2;
        value = saturated(out);
    }
    return (int16_t)value;
}

static void mean(const int16_t *in, int16_t *out, int count, int width)
{
    int32_t sum = 0;

    for (int i = 0; i < count; i++) {
        sum += in[i];
        if (i >= width)
            sum -= in[i - width];
        out[i] = (int16_t)(sum / width);
    }
}

/* The distance at which a signal is most like itself. */
static int period(const int16_t *in, int count, int most)
{
    int32_t best = INT32_MIN;
    int found = 0;

    for (int lag = 2; lag < most; lag++) {
        int32_t sum = 0;

        for (int i = lag; i < count; i++)
            sum += (in[i] / 64) * (in[i - lag] / 64);
        if (sum > best) {
            best = sum;
            found = lag;
        }
    }
    return found;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 2000;
    int16_t *in = malloc(2 * (size_t)count), *out = malloc(2 * (size_t)count), *smooth = malloc(2 * (size_t)count);
    uint32_t seed = 37, sum = 0;

    for (int i = 0; i < TAPS; i++)
        taps[i] = (int16_t)((i < TAPS / 2 ? i + 1 : TAPS - i) * 100);
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        in[i] = (int16_t)((i % 40 < 20 ? 6000 : -6000) + (int)(seed >> 21) - 1024);
    }
    for (int i = 0; i < count; i++)
        out[i] = cascade(finite(in[i]));
    mean(out, smooth, count, 9);
    for (int i = 0; i < count; i++)
        sum = sum * 31 + (uint32_t)out[i] + 7 * (uint32_t)smooth[i];
    printf("%08lx, period %d\n", (unsigned long)sum, period(in, count < 400 ? count : 400, 60));
    free(in);
    free(out);
    free(smooth);
    return 0;
}
