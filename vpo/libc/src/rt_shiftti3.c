/* 128-bit shifts by 0 to 127. */

#ifdef __SIZEOF_INT128__
#include "rt128.h"
#include "rt_shiftdi3.c"
#endif
