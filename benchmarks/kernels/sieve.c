/*
 * sieve - prime numbers by the sieve of Eratosthenes, a byte for each odd number.
 *
 * usage: sieve [LIMIT [REPEAT]]
 *
 * Long strides over an array that no small cache holds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int32_t limit = argc > 1 ? atol(argv[1]) : 10000, half = limit / 2;
    int repeat = argc > 2 ? atoi(argv[2]) : 1;
    unsigned char *composite = malloc((size_t)half + 1);
    int32_t primes = 0;
    uint32_t sum = 0;

    if (composite == NULL || limit < 3)
        return 1;
    for (int n = 0; n < repeat; n++) {
        memset(composite, 0, (size_t)half + 1);
        for (int32_t i = 3; i * i <= limit; i += 2)
            if (!composite[i / 2])
                for (int32_t j = i * i / 2; j <= half; j += i)
                    composite[j] = 1;
        for (int32_t i = 1; i <= half && 2 * i + 1 <= limit; i++)
            if (!composite[i]) {
                primes++;
                sum = sum * 31 + (uint32_t)(2 * i + 1);
            }
    }
    printf("sieve %ld: %ld odd primes, %08lx\n", (long)limit, (long)(primes / repeat), (unsigned long)sum);
    return 0;
}
