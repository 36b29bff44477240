#include "csmith.h"


static long __undefined;



static volatile uint32_t g_7 = 18446744073709551615UL;
static int8_t g_8 = 0x9AL;



static uint8_t  func_1(void);




static uint8_t  func_1(void)
{ 
    int64_t l_9 = 1L;
    l_9 = (safe_mod_func_int64_t_s_s(((0x2EDCL | 65535UL) , (!(safe_mod_func_uint16_t_u_u((g_7 & (-8L)), g_8)))), g_8));
    return g_8;
}





int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_7, "g_7", print_hash_value);
    transparent_crc(g_8, "g_8", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
