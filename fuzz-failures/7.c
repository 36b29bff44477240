#include "csmith.h"


static long __undefined;



static uint32_t g_2[6] = {0x29000D4EL,0x102071B1L,0x29000D4EL,0x29000D4EL,0x102071B1L,0x29000D4EL};
static int16_t g_17[3] = {(-1L),(-1L),(-1L)};



static int8_t  func_1(void);
static int64_t  func_9(uint64_t  p_10, uint32_t  p_11, int64_t  p_12, uint16_t  p_13);




static int8_t  func_1(void)
{ 
    uint32_t l_3 = 0x6E838462L;
    int32_t l_8 = 0xB74C38B6L;
    uint16_t l_14 = 0UL;
    int32_t l_29 = 0L;
    l_3 = g_2[3];
    l_8 = ((safe_sub_func_int8_t_s_s(((safe_rshift_func_uint16_t_u_u(g_2[4], g_2[3])) , l_3), g_2[4])) != 1UL);
    if ((func_9((l_14 = g_2[3]), l_3, l_3, l_8) && 0x7A30B91300D3B51ALL))
    { 
        uint8_t l_26 = 4UL;
        for (l_3 = 2; (l_3 != 10); ++l_3)
        { 
            return g_17[2];
        }
        l_26 = g_2[3];
    }
    else
    { 
        for (l_8 = (-21); (l_8 <= 1); ++l_8)
        { 
            uint16_t l_30 = 65535UL;
            int32_t l_33 = 0L;
            l_30++;
            if (l_33)
                break;
        }
    }
    return l_29;
}



static int64_t  func_9(uint64_t  p_10, uint32_t  p_11, int64_t  p_12, uint16_t  p_13)
{ 
    int64_t l_23[6];
    int i;
    for (i = 0; i < 6; i++)
        l_23[i] = 0x2C7A2E428464D91BLL;
    for (p_12 = 0; (p_12 <= 5); p_12 += 1)
    { 
        int32_t l_16[4] = {0x62F63069L,0x62F63069L,0x62F63069L,0x62F63069L};
        int i;
        l_16[3] = (safe_unary_minus_func_uint16_t_u(g_2[p_12]));
        g_17[2] = (((g_2[4] , p_13) != g_2[3]) != 18446744073709551607UL);
    }
    for (p_13 = 0; (p_13 < 2); p_13 = safe_add_func_uint16_t_u_u(p_13, 3))
    { 
        int32_t l_22[3];
        int i;
        for (i = 0; i < 3; i++)
            l_22[i] = 1L;
        l_22[1] = (safe_add_func_uint64_t_u_u(g_2[3], 0xFC353271639956A2LL));
    }
    return l_23[4];
}





int main (int argc, char* argv[])
{
    int i;
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    for (i = 0; i < 6; i++)
    {
        transparent_crc(g_2[i], "g_2[i]", print_hash_value);

    }
    for (i = 0; i < 3; i++)
    {
        transparent_crc(g_17[i], "g_17[i]", print_hash_value);

    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
