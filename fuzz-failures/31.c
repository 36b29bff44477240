
#define NO_LONGLONG

#include <float.h>
#include <math.h>
#include "csmith.h"


static long __undefined;



static uint32_t g_4[1] = {0x37A3A11C};
static int8_t g_15 = 0;
static uint16_t g_18 = 6U;
static int32_t g_20 = 8;
static int32_t * volatile g_19 = &g_20;



static const uint32_t  func_1(void);




static const uint32_t  func_1(void)
{ 
    int32_t l_13 = (-9);
    int8_t *l_14 = &g_15;
    (*g_19) |= (((g_18 ^= ((((safe_mod_func_int8_t_s_s(g_4[0], ((*l_14) &= (safe_sub_func_int16_t_s_s(((safe_rshift_func_uint8_t_u_s(0xDC, 5)) || (252U <= (safe_lshift_func_uint8_t_u_u(g_4[0], 0)))), l_13))))) == (safe_rshift_func_int8_t_s_u(g_4[0], l_13))) , l_13) & g_4[0])) || 0xC7A8) && l_13);
    return l_13;
}





int main (int argc, char* argv[])
{
    int i;
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_4[i], "g_4[i]", print_hash_value);

    }
    transparent_crc(g_15, "g_15", print_hash_value);
    transparent_crc(g_18, "g_18", print_hash_value);
    transparent_crc(g_20, "g_20", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
