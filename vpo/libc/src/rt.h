/* What the run-time routines share: halves of wide numbers, without any wide operation but the taking apart.
   Wide numbers have 64 bits; sources that rt128.h comes before in have another form for those of 128. */

#include <stdint.h>

#ifndef BITS
#define BITS 32
typedef uint32_t word;
typedef uint64_t wide;
typedef int32_t signed_word;
typedef int64_t signed_wide;
#endif

#if BITS == 32 && defined(__SIZEOF_INT128__)
#define WIDE_IS_WORD /* of the machine: its routines have no narrower operation to be made of */
#endif

#define HIGH(value) ((word)((wide)(value) >> BITS))
#define LOW(value) ((word)(value))
#define PAIR(high, low) ((wide)(high) << BITS | (word)(low))

uint32_t __divmodsi(uint32_t, uint32_t, uint32_t *);
wide __divmoddi(wide, wide, wide *);
uint32_t __addsi3(uint32_t, uint32_t);
uint32_t __andsi3(uint32_t, uint32_t);
uint32_t __udivsi3(uint32_t, uint32_t);
uint32_t __umodsi3(uint32_t, uint32_t);
