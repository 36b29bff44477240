/* The lengths of integers in the formats of printf and scanf: hh h l ll. */

enum length { HALF_HALF = -2, HALF, PLAIN, LONG, LONG_LONG };

#define IS_WIDE(length) ((length) >= LONG_LONG && sizeof(long long) > sizeof(long))

/* %n */
void __store_count(void *, enum length, int);
