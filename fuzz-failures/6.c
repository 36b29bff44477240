#include "csmith.h"


static long __undefined;



static int64_t g_4 = 0xEFA9D19AC196A162LL;
static int32_t g_7 = 1L;



static uint8_t  func_1(void);




static uint8_t  func_1(void)
{ 
    uint64_t l_5 = 0UL;
    int32_t *l_6[2];
    uint8_t l_8 = 0UL;
    int i;
    for (i = 0; i < 2; i++)
        l_6[i] = &g_7;
    g_7 = ((safe_div_func_int8_t_s_s(((((g_4 < g_4) == g_4) | g_4) == l_5), 0x69L)) > g_4);
    return l_8;
}





int main (int argc, char* argv[])
{
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_4, "g_4", print_hash_value);
    transparent_crc(g_7, "g_7", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
