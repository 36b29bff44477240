
#define NO_LONGLONG

#include "csmith.h"


static long __undefined;



static int32_t g_3 = 1;



static int32_t  func_1(void);




static int32_t  func_1(void)
{ 
    int32_t *l_2 = &g_3;
    int32_t *l_4 = (void*)0;
    int32_t *l_5 = &g_3;
    int32_t *l_6 = &g_3;
    int32_t *l_7[3];
    uint32_t l_8 = 0x059B8BC5;
    int i;
    for (i = 0; i < 3; i++)
        l_7[i] = (void*)0;
    --l_8;
    for (l_8 = 12; (l_8 <= 30); ++l_8)
    { 
        uint16_t l_13 = 0xDC2A;
        --l_13;
    }
    return (*l_5);
}





int main (int argc, char* argv[])
{
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_3, "g_3", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
