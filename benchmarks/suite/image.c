/* Works on a grey picture: edges after Sobel, a median filter, a histogram, areas that hang together. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int width, height;

static int clamped(int value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

static void edges(const uint8_t *in, uint8_t *out)
{
    static const int8_t across[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};

    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            int horizontal = 0, vertical = 0;

            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++) {
                    int value = in[(y + dy - 1) * width + x + dx - 1];

                    horizontal += value * across[dy][dx];
                    vertical += value * across[dx][dy];
                }
            out[y * width + x] = (uint8_t)clamped(abs(horizontal) + abs(vertical));
        }
}

static void median(const uint8_t *in, uint8_t *out)
{
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            uint8_t around[9];
            int count = 0;

            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    uint8_t value = in[(y + dy) * width + x + dx];
                    int place = count++;

                    for (; place > 0 && around[place - 1] > value; place--)
                        around[place] = around[place - 1];
                    around[place] = value;
                }
            out[y * width + x] = around[4];
        }
}

/* Returns the level that best divides the histogram in two (Otsu). */
static int threshold(const uint8_t *in)
{
    int32_t histogram[256] = {0}, below = 0, sum_below = 0, sum = 0, count = width * height;
    int best = 0;
    double greatest = -1.0;

    for (int i = 0; i < count; i++)
        histogram[in[i]]++;
    for (int i = 0; i < 256; i++)
        sum += i * histogram[i];
    for (int level = 0; level < 256; level++) {
        double difference, between;

        below += histogram[level];
        sum_below += level * histogram[level];
        if (below == 0 || below == count)
            continue;
        difference = (double)sum_below / below - (double)(sum - sum_below) / (count - below);
        between = (double)below * (count - below) * difference * difference;
        if (between > greatest * 1.000001) {
            greatest = between;
            best = level;
        }
    }
    return best;
}

static int root(int16_t *parents, int area)
{
    while (parents[area] != area)
        area = parents[area] = parents[parents[area]];
    return area;
}

static int areas(const uint8_t *in, int level, int16_t *labels, int16_t *parents)
{
    int used = 1, count = 0;

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int here = y * width + x, left, above;

            labels[here] = 0;
            if (in[here] <= level)
                continue;
            left = x ? labels[here - 1] : 0;
            above = y ? labels[here - width] : 0;
            if (!left && !above) {
                parents[used] = (int16_t)used;
                labels[here] = (int16_t)used++;
            } else {
                labels[here] = (int16_t)(left ? left : above);
                if (left && above && root(parents, left) != root(parents, above))
                    parents[root(parents, left)] = (int16_t)root(parents, above);
            }
        }
    for (int i = 1; i < used; i++)
        count += parents[i] == i;
    return count;
}

int main(int argc, char **argv)
{
    uint8_t *picture, *other;
    int16_t *labels, *parents;
    uint32_t seed = 61, sum = 0;
    size_t size;

    width = argc > 1 ? atoi(argv[1]) : 48;
    height = width;
    size = (size_t)(width * height);
    picture = malloc(size);
    other = calloc(size, 1);
    labels = malloc(2 * size);
    parents = malloc(2 * size + 2);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            seed = seed * 1664525u + 1013904223u;
            picture[y * width + x] = (uint8_t)clamped((x / 12 + y / 9) % 3 * 80 + (int)(seed >> 26) - (seed >> 20 & 31 ? 0 : 200));
        }
    median(picture, other);
    printf("level %d, %d areas\n", threshold(other), areas(other, threshold(other), labels, parents));
    edges(other, picture);
    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + picture[i] + other[i];
    printf("%08lx\n", (unsigned long)sum);
    free(picture);
    free(other);
    free(labels);
    free(parents);
    return 0;
}
