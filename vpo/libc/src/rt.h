/* What the run-time routines share: halves of 64-bit numbers, without any 64-bit operation but the taking apart. */

#include <stdint.h>

#define HIGH(value) ((uint32_t)((uint64_t)(value) >> 32))
#define LOW(value) ((uint32_t)(value))
#define PAIR(high, low) ((uint64_t)(high) << 32 | (uint32_t)(low))

uint32_t __divmodsi(uint32_t, uint32_t, uint32_t *);
uint64_t __divmoddi(uint64_t, uint64_t, uint64_t *);
uint32_t __addsi3(uint32_t, uint32_t);
uint32_t __andsi3(uint32_t, uint32_t);
uint32_t __udivsi3(uint32_t, uint32_t);
uint32_t __umodsi3(uint32_t, uint32_t);
