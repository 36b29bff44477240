#include "csmith.h"


static long __undefined;



static volatile int32_t g_6[1] = {0xDBA33992L};
static int32_t g_7 = 0xAD2086BDL;
static int32_t g_9[3][4] = {{9L,(-8L),9L,(-8L)},{9L,(-8L),9L,(-8L)},{9L,(-8L),9L,(-8L)}};



static uint32_t  func_1(void);




static uint32_t  func_1(void)
{ 
    int32_t *l_8 = &g_9[2][0];
    int32_t *l_10 = &g_9[2][3];
    (*l_8) ^= (4294967291UL <= ((safe_mod_func_int8_t_s_s((safe_add_func_uint32_t_u_u(g_6[0], (((-10L) > g_7) & 4294967286UL))), g_7)) <= 0xFCL));
    l_10 = l_8;
    return (*l_8);
}





int main (void)
{
    int i, j;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_6[i], "g_6[i]", print_hash_value);

    }
    transparent_crc(g_7, "g_7", print_hash_value);
    for (i = 0; i < 3; i++)
    {
        for (j = 0; j < 4; j++)
        {
            transparent_crc(g_9[i][j], "g_9[i][j]", print_hash_value);

        }
    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
