/* rand, srand: the numbers of random, as in other C libraries; their upper bits where an int has 16. */

#include <limits.h>
#include <stdlib.h>

int rand(void)
{
#if RAND_MAX == 0x7fffffff
    return (int)random();
#else
    return (int)(random() >> 16);
#endif
}

void srand(unsigned seed)
{
    srandom(seed);
}
