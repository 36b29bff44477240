#ifndef _VALUES_H
#define _VALUES_H
#include <limits.h>
#include <float.h>
#define MAXINT INT_MAX
#define MAXLONG LONG_MAX
#define MAXSHORT SHRT_MAX
#define MAXDOUBLE DBL_MAX
#define MAXFLOAT FLT_MAX
#define CHARBITS CHAR_BIT
#define BITSPERBYTE CHAR_BIT
#define SHORTBITS (CHAR_BIT * sizeof(short))
#define INTBITS (CHAR_BIT * sizeof(int))
#define LONGBITS (CHAR_BIT * sizeof(long))
#define PTRBITS (CHAR_BIT * sizeof(char *))
#define FLOATBITS (CHAR_BIT * sizeof(float))
#define DOUBLEBITS (CHAR_BIT * sizeof(double))
#define MININT INT_MIN
#define MINLONG LONG_MIN
#define MINSHORT SHRT_MIN
#define MINDOUBLE DBL_MIN
#define MINFLOAT FLT_MIN
#define DMINEXP DBL_MIN_EXP
#define DMAXEXP DBL_MAX_EXP
#define FMINEXP FLT_MIN_EXP
#define FMAXEXP FLT_MAX_EXP
#endif
