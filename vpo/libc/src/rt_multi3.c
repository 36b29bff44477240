/* 128-bit multiplication. */

#ifdef __SIZEOF_INT128__
#include "rt128.h"
#include "rt_muldi3.c"
#endif
