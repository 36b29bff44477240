
#define NO_LONGLONG

#include "csmith.h"


static long __undefined;



static volatile int32_t g_2 = 0xAC204E2D;
static int32_t g_3 = 0;
static int32_t g_7 = (-9);



static uint32_t  func_1(void);




static uint32_t  func_1(void)
{ 
    int32_t l_11[1][1];
    int i, j;
    for (i = 0; i < 1; i++)
    {
        for (j = 0; j < 1; j++)
            l_11[i][j] = 0x76C3A0B8;
    }
    for (g_3 = 23; (g_3 >= (-8)); g_3 = safe_sub_func_int16_t_s_s(g_3, 1))
    { 
        int32_t *l_6 = &g_7;
        uint8_t l_8 = 0xBE;
        l_8++;
        if (g_3)
            continue;
        if (g_2)
            break;
    }
    return l_11[0][0];
}





int main (int argc, char* argv[])
{
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    transparent_crc(g_3, "g_3", print_hash_value);
    transparent_crc(g_7, "g_7", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
