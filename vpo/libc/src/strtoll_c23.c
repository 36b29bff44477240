/* strtoll, strtoull, strtoimax, strtoumax of C23 */

#define BINARY_NUMBERS
#define strtol __isoc23_strtol
#define strtoul __isoc23_strtoul
#define strtoll __isoc23_strtoll
#define strtoull __isoc23_strtoull
#define strtoimax __isoc23_strtoimax
#define strtoumax __isoc23_strtoumax
#include "strtoll.c"
