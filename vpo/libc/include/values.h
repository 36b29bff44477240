#ifndef _VALUES_H
#define _VALUES_H
#include <limits.h>
#include <float.h>
#define MAXINT INT_MAX
#define MAXLONG LONG_MAX
#define MAXSHORT SHRT_MAX
#define MAXDOUBLE DBL_MAX
#define MAXFLOAT FLT_MAX
#endif
