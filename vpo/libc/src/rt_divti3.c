/* 128-bit division with sign. */

#ifdef __SIZEOF_INT128__
#include "rt128.h"
#include "rt_divdi3.c"
#endif
