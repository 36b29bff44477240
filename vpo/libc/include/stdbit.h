#ifndef _STDBIT_H
#define _STDBIT_H

/* Bits of unsigned numbers (C23, 7.18).  The functions are those of __STDBIT for each type; the macros choose by type. */

#include <stdint.h>
#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ __ORDER_LITTLE_ENDIAN__
#define __STDC_ENDIAN_BIG__ __ORDER_BIG_ENDIAN__
#define __STDC_ENDIAN_NATIVE__ __BYTE_ORDER__

#define __STDBIT(suffix, type)                                                                                 \
    static inline unsigned stdc_leading_zeros_##suffix(type value)                                             \
    {                                                                                                          \
        unsigned width = 8 * sizeof(type);                                                                     \
        return value ? (unsigned)__builtin_clzll(value) - (8 * sizeof(long long) - width) : width;             \
    }                                                                                                          \
    static inline unsigned stdc_leading_ones_##suffix(type value)                                              \
    {                                                                                                          \
        return stdc_leading_zeros_##suffix((type)~value);                                                      \
    }                                                                                                          \
    static inline unsigned stdc_trailing_zeros_##suffix(type value)                                            \
    {                                                                                                          \
        return value ? (unsigned)__builtin_ctzll(value) : 8 * sizeof(type);                                    \
    }                                                                                                          \
    static inline unsigned stdc_trailing_ones_##suffix(type value)                                             \
    {                                                                                                          \
        return stdc_trailing_zeros_##suffix((type)~value);                                                     \
    }                                                                                                          \
    static inline unsigned stdc_first_leading_zero_##suffix(type value)                                        \
    {                                                                                                          \
        return (type)~value ? stdc_leading_ones_##suffix(value) + 1 : 0;                                       \
    }                                                                                                          \
    static inline unsigned stdc_first_leading_one_##suffix(type value)                                         \
    {                                                                                                          \
        return value ? stdc_leading_zeros_##suffix(value) + 1 : 0;                                             \
    }                                                                                                          \
    static inline unsigned stdc_first_trailing_zero_##suffix(type value)                                       \
    {                                                                                                          \
        return (type)~value ? stdc_trailing_ones_##suffix(value) + 1 : 0;                                      \
    }                                                                                                          \
    static inline unsigned stdc_first_trailing_one_##suffix(type value)                                        \
    {                                                                                                          \
        return value ? stdc_trailing_zeros_##suffix(value) + 1 : 0;                                            \
    }                                                                                                          \
    static inline unsigned stdc_count_ones_##suffix(type value)                                                \
    {                                                                                                          \
        return (unsigned)__builtin_popcountll(value);                                                          \
    }                                                                                                          \
    static inline unsigned stdc_count_zeros_##suffix(type value)                                               \
    {                                                                                                          \
        return stdc_count_ones_##suffix((type)~value);                                                         \
    }                                                                                                          \
    static inline _Bool stdc_has_single_bit_##suffix(type value)                                               \
    {                                                                                                          \
        return value && !(value & (value - 1));                                                                \
    }                                                                                                          \
    static inline unsigned stdc_bit_width_##suffix(type value)                                                 \
    {                                                                                                          \
        return 8 * sizeof(type) - stdc_leading_zeros_##suffix(value);                                          \
    }                                                                                                          \
    static inline type stdc_bit_floor_##suffix(type value)                                                     \
    {                                                                                                          \
        return value ? (type)((type)1 << (stdc_bit_width_##suffix(value) - 1)) : 0;                            \
    }                                                                                                          \
    static inline type stdc_bit_ceil_##suffix(type value)                                                      \
    {                                                                                                          \
        unsigned width = value > 1 ? stdc_bit_width_##suffix((type)(value - 1)) : 0;                           \
        return width < 8 * sizeof(type) ? (type)((type)1 << width) : 0;                                        \
    }

__STDBIT(uc, unsigned char)
__STDBIT(us, unsigned short)
__STDBIT(ui, unsigned int)
__STDBIT(ul, unsigned long)
__STDBIT(ull, unsigned long long)

#define __STDBIT_OF(function, value)                                                                           \
    _Generic((value), _Bool: function##_uc, unsigned char: function##_uc, unsigned short: function##_us,       \
             unsigned: function##_ui, unsigned long: function##_ul, unsigned long long: function##_ull)(value)

#define stdc_leading_zeros(value) __STDBIT_OF(stdc_leading_zeros, value)
#define stdc_leading_ones(value) __STDBIT_OF(stdc_leading_ones, value)
#define stdc_trailing_zeros(value) __STDBIT_OF(stdc_trailing_zeros, value)
#define stdc_trailing_ones(value) __STDBIT_OF(stdc_trailing_ones, value)
#define stdc_first_leading_zero(value) __STDBIT_OF(stdc_first_leading_zero, value)
#define stdc_first_leading_one(value) __STDBIT_OF(stdc_first_leading_one, value)
#define stdc_first_trailing_zero(value) __STDBIT_OF(stdc_first_trailing_zero, value)
#define stdc_first_trailing_one(value) __STDBIT_OF(stdc_first_trailing_one, value)
#define stdc_count_zeros(value) __STDBIT_OF(stdc_count_zeros, value)
#define stdc_count_ones(value) __STDBIT_OF(stdc_count_ones, value)
#define stdc_has_single_bit(value) __STDBIT_OF(stdc_has_single_bit, value)
#define stdc_bit_width(value) __STDBIT_OF(stdc_bit_width, value)
#define stdc_bit_floor(value) __STDBIT_OF(stdc_bit_floor, value)
#define stdc_bit_ceil(value) __STDBIT_OF(stdc_bit_ceil, value)

#undef __STDBIT
#endif
