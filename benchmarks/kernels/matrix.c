/*
 * matrix - powers of a matrix of integers modulo 2 to the 32, by squaring and multiplying.
 *
 * usage: matrix [SIZE]   how many rows and columns
 *
 * One factor is read by columns, whose elements lie in different lines: in a small cache nearly each is a miss.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POWER 5

static void multiply(const uint32_t *a, const uint32_t *b, uint32_t *product, int size)
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            uint32_t sum = 0;

            for (int k = 0; k < size; k++)
                sum += a[i * size + k] * b[k * size + j];
            product[i * size + j] = sum;
        }
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 20, cells = size * size;
    size_t bytes = (size_t)cells * sizeof(uint32_t);
    uint32_t *square = malloc(bytes), *result = malloc(bytes), *product = malloc(bytes);
    uint32_t state = 5, trace = 0, sum = 0;

    if (square == NULL || result == NULL || product == NULL || size < 1)
        return 1;
    for (int i = 0; i < cells; i++) {
        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        square[i] = state >> 20;
        result[i] = i % (size + 1) == 0;
    }
    for (int power = POWER; power > 0; power >>= 1) {
        if (power & 1) {
            multiply(result, square, product, size);
            memcpy(result, product, bytes);
        }
        multiply(square, square, product, size);
        memcpy(square, product, bytes);
    }
    for (int i = 0; i < cells; i++) {
        sum = sum * 33 + result[i];
        if (i % (size + 1) == 0)
            trace += result[i];
    }
    printf("matrix %d: trace %08lx, checksum %08lx\n", size, (unsigned long)trace, (unsigned long)sum);
    return 0;
}
