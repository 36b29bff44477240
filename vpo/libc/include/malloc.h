#ifndef _MALLOC_H
#define _MALLOC_H
#include <stdlib.h>
void *memalign(size_t, size_t), *valloc(size_t);
size_t malloc_usable_size(void *);
#include <stdio.h>
#define M_MXFAST 1
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
#define M_MMAP_THRESHOLD (-3)
#define M_MMAP_MAX (-4)
#define M_CHECK_ACTION (-5)
#define M_PERTURB (-6)
struct mallinfo {
    int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
struct mallinfo2 {
    size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
/* Settings change nothing, and nothing is counted. */
int mallopt(int, int), malloc_trim(size_t);
struct mallinfo mallinfo(void);
struct mallinfo2 mallinfo2(void);
void malloc_stats(void);
#endif
