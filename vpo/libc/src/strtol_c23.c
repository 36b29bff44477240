/* strtol, strtoul of C23 */

#define BINARY_NUMBERS
#define strtol __isoc23_strtol
#define strtoul __isoc23_strtoul
#include "strtol.c"
