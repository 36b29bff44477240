/* Vectors whose elements are moved about by masks and by constants, and converted. */

#include "host.h"

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));

static void show(const char *name, v4 v)
{
    printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]);
}

static v4 calls(int first)
{
    static int count;

    printf("call %d\n", ++count);
    return (v4){first, first + 1, first + 2, first + 3};
}

int main(void)
{
    v4 a = {10, 11, 12, 13}, b = {20, 21, 22, 23}, mask = {3, 6, -1, 8};
    v16 bytes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    f4 numbers = {1.75f, -2.5f, 1e9f, 0.0f};

    show("one", __builtin_shuffle(a, mask));
    show("two", __builtin_shuffle(a, b, mask));
    show("calls", __builtin_shuffle(calls(1), calls(5), calls(2)));
    a = __builtin_shuffle(a, (v4){1, 0, 3, 2}); /* of what it is stored into */
    show("itself", a);
    bytes = __builtin_shuffle(bytes, 15 - bytes);
    printf("%d %d\n", bytes[0], bytes[15]);
    show("constants", __builtin_shufflevector(a, b, 7, 0, 4, 3));
    show("halves", __builtin_shufflevector(__builtin_shufflevector(a, a, 2, 3), __builtin_shufflevector(b, b, 0, 1), 0, 1, 2, 3));
    show("converted", __builtin_convertvector(numbers, v4));
    d4 wide = __builtin_convertvector(a, d4);
    printf("%g %g\n", wide[0], wide[3]);
    return 0;
}
