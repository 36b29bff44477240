#include "csmith.h"


static long __undefined;



static uint64_t g_2 = 0x124F01C08901F2C2LL;
static int32_t g_7 = 0xE29EA414L;
static int32_t * volatile g_6 = &g_7;



static int16_t  func_1(void);




static int16_t  func_1(void)
{ 
    int8_t l_5 = 0xD3L;
    (*g_6) &= (g_2 , ((safe_rshift_func_int8_t_s_u(l_5, 4)) > g_2));
    return g_7;
}





int main (int argc, char* argv[])
{
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    transparent_crc(g_7, "g_7", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
