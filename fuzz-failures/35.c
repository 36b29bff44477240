
#define NO_LONGLONG

#include "csmith.h"


static long __undefined;



static int32_t g_4 = 0x5F1DBECC;
static int8_t g_5 = (-1);



static int16_t  func_1(void);




static int16_t  func_1(void)
{ 
    int32_t *l_2 = (void*)0;
    int32_t *l_3 = &g_4;
    g_5 &= ((*l_3) ^= (-1));
    return g_5;
}





int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_4, "g_4", print_hash_value);
    transparent_crc(g_5, "g_5", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
