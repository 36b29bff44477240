/* Where bit-fields lie with packed, #pragma pack and aligned; alignments of objects. */
#include "host.h"

#pragma pack(push, 1)
struct tight {
    unsigned x : 12;
    unsigned char y : 7;
    unsigned z : 28;
    unsigned a : 4;
};
#pragma pack(push, 8)
struct wide {
    unsigned char y : 7;
    int x : 20, z : 20;
    long long : 40;
};
#pragma pack(push, 4)
struct __attribute__((packed)) both {
    int x : 19;
};
#pragma pack(pop)
#pragma pack(pop)
#pragma pack(pop)
struct __attribute__((packed)) nine {
    unsigned char x : 3;
    long long y : 62, z : 7;
};
struct __attribute__((packed)) three {
    int x : 24;
};
struct apart {
    int x : 3;
    char y : 4 __attribute__((aligned(4)));
    int z : 5;
};

#define SHOW(type, ...)                                                                           \
    do {                                                                                          \
        struct type v;                                                                            \
        memset(&v, 0, sizeof v);                                                                  \
        v = (struct type){__VA_ARGS__};                                                           \
        show(#type, (unsigned char *)&v, sizeof v, __alignof__(v));                               \
    } while (0)

static void show(const char *name, const unsigned char *bytes, int size, int align)
{
    printf("%s %d %d:", name, size, align);
    for (int i = 0; i < size; i++)
        printf(" %02x", bytes[i]);
    puts("");
}

_Alignas(16) int global = 1;
static char common __attribute__((aligned(8)));

int main(void)
{
    static short inside __attribute__((aligned(32)));
    _Alignas(8) char local = 0;
    _Alignas(64) char far_apart = 0;

    SHOW(tight, 0x333, 0x44, 0x555555, 6);
    SHOW(wide, 0x55, 0x12345, -0x12345);
    SHOW(both, -3);
    SHOW(nine, 5, -0x123456789abcde5, -2);
    SHOW(three, -5);
    SHOW(apart, 3, 5, 15);
    printf("%d %d %d %d %d\n", (int)__alignof__(global), (int)__alignof__(common), (int)__alignof__(inside),
           (int)_Alignof(local), (int)__alignof__(far_apart));
    return local + far_apart;
}
