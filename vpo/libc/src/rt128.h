/* Before the source of a routine for 64-bit numbers: makes it one for 128-bit numbers, under gcc's name of that. */

#include <stdint.h>

#define BITS 64
typedef uint64_t word;
typedef unsigned __int128 wide;
typedef int64_t signed_word;
typedef __int128 signed_wide;

#define __ashldi3 __ashlti3
#define __ashrdi3 __ashrti3
#define __lshrdi3 __lshrti3
#define __muldi3 __multi3
#define __divdi3 __divti3
#define __moddi3 __modti3
#define __udivdi3 __udivti3
#define __umoddi3 __umodti3
#define __divmoddi __divmodti
