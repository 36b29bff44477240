#ifndef __C23_NUMBERS
#if __STDC_VERSION__ > 201710L /* numbers may be binary in C23: other functions, under the same names */
#define __C23_NUMBERS(name) __asm__("__isoc23_" #name)
#else
#define __C23_NUMBERS(name)
#endif
#endif
