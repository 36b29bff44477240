#include "csmith.h"


static long __undefined;



static uint32_t g_2 = 1UL;



static uint32_t  func_1(void);




static uint32_t  func_1(void)
{ 
    return g_2;
}





int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
