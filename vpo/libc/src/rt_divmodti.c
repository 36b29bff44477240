/* 128-bit division by 64-bit divisions. */

#ifdef __SIZEOF_INT128__
#include "rt128.h"
#include "rt_divmoddi.c"
#endif
