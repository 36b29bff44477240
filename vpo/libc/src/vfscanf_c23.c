/* vfscanf of C23: %i reads binary numbers, too */

#define BINARY_NUMBERS
#define vfscanf __isoc23_vfscanf
#define strtol __isoc23_strtol
#define strtoul __isoc23_strtoul
#define strtoll __isoc23_strtoll
#define strtoull __isoc23_strtoull
#include "vfscanf.c"
