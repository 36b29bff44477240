
#define NO_LONGLONG

#include "csmith.h"


static long __undefined;



static int32_t g_2 = 6;
static volatile int32_t g_5 = 5;
static volatile int32_t g_6[1] = {0x398070AD};
static volatile int32_t g_7 = 1;
static volatile int32_t g_8 = 0xE08974B6;
static volatile int32_t g_9 = 0;
static volatile int32_t g_10[2] = {0x367F5ED9,0x367F5ED9};
static int32_t g_11 = 0x011151C3;
static int32_t g_25 = 0x4DCC80FC;
static int32_t g_31 = 1;



static int16_t  func_1(void);
static uint32_t  func_16(int32_t  p_17, int32_t  p_18, int32_t  p_19, uint8_t  p_20, int32_t  p_21);




static int16_t  func_1(void)
{ 
    uint32_t l_26 = 0xF5BFB66F;
    for (g_2 = 25; (g_2 == 10); g_2--)
    { 
        for (g_11 = 0; (g_11 != 28); g_11 = safe_add_func_int16_t_s_s(g_11, 4))
        { 
            int32_t *l_22 = (void*)0;
            int32_t *l_23 = (void*)0;
            int32_t *l_24 = &g_25;
            int32_t *l_30 = (void*)0;
            g_31 |= (safe_div_func_uint32_t_u_u(func_16(((*l_24) = g_5), g_2, g_2, g_2, l_26), g_2));
        }
    }
    return g_7;
}



static uint32_t  func_16(int32_t  p_17, int32_t  p_18, int32_t  p_19, uint8_t  p_20, int32_t  p_21)
{ 
    for (p_18 = 0; (p_18 <= 0); p_18 += 1)
    { 
        int32_t *l_29 = &g_25;
        int i;
        (*l_29) ^= (safe_rshift_func_uint16_t_u_u(g_6[p_18], p_18));
    }
    return g_11;
}





int main (int argc, char* argv[])
{
    int i;
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    transparent_crc(g_5, "g_5", print_hash_value);
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_6[i], "g_6[i]", print_hash_value);

    }
    transparent_crc(g_7, "g_7", print_hash_value);
    transparent_crc(g_8, "g_8", print_hash_value);
    transparent_crc(g_9, "g_9", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_10[i], "g_10[i]", print_hash_value);

    }
    transparent_crc(g_11, "g_11", print_hash_value);
    transparent_crc(g_25, "g_25", print_hash_value);
    transparent_crc(g_31, "g_31", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
