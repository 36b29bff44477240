"""What tools are tried on."""

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int table[700];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int twice(int n) { return 2 * n; }
static int square(int n) { return n * n; }
static int (*const choices[])(int) = { fib, twice, square };
static int choose(int n) {
    switch (n % 6) {
    case 0: return choices[n % 3](n % 9);
    case 1: return n;
    case 2: n ^= 9;
    case 3: return n + 1;
    case 4: return -n;
    default: return twice(n);
    }
}
int main(int argc, char **argv) {
    int i, sum = 0;
    char *text = malloc(100);
    strcpy(text, "a line of text");
    for (i = 0; i < 700; i++)
        table[i] = (i * 7919) & 1023;
    for (i = 0; i < 400; i++) {
        if (table[i] & 4)
            sum += choose(table[(i * 13) % 700]);
        table[(sum & 0x7fffffff) % 700] = i;
    }
    free(text);
    text = calloc(3, 7);
    printf("%d %d %s\n", sum, fib(9), argc > 1 ? argv[1] : "nothing");
    return sum & 63;
}
"""
