/* A bit of everything that is counted; ends by exit, deep in calls. */
#include <stdlib.h>

static short table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static double sums[4];
static unsigned char bytes[16];

static int choose(int n)
{
    switch (n & 7) {
    case 0: return 10;
    case 1: return 21;
    case 2: return 32;
    case 3: return 43;
    case 4: return 54;
    case 6: return 65;
    default: return 7;
    }
}

static int twice(int n)
{
    return n + n;
}

static int (*const functions[])(int) = {choose, twice};

static void descend(int depth, int stop)
{
    int i;
    for (i = 0; i < 4; i++) {
        sums[i] += depth * 0.5;
        bytes[(depth + i) & 15] += functions[i & 1](table[i + (depth & 3)]);
        if (depth == stop && i == 2)
            exit(bytes[3] & 0x7f);
    }
    if (depth < 12)
        descend(depth + 1, stop);
    sums[depth & 3] = 0;
}

int main(int argc, char **argv)
{
    descend(0, argc > 1 ? atoi(argv[1]) : 9);
    descend(5, 11);
    return argv[0] ? 3 : 4;
}
