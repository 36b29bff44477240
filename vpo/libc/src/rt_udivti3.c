/* 128-bit division without sign. */

#ifdef __SIZEOF_INT128__
#include "rt128.h"
#include "rt_udivdi3.c"
#endif
