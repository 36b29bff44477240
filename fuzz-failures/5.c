#include "csmith.h"


static long __undefined;


struct S1 {
   int8_t  f0;
};


static volatile int32_t g_2 = 0xB871C7BFL;
static int32_t g_3[1] = {1L};
static int32_t g_25 = 0xDAC0FAABL;
static int32_t * volatile g_24 = &g_25;
static int32_t * volatile g_44 = &g_25;
static struct S1 g_53[1][2][1] = {{{{0xA7L}},{{0xA7L}}}};
static volatile int32_t g_57 = 0x4F79AABFL;
static volatile int8_t g_58 = 0L;
static uint16_t g_59 = 0UL;
static int32_t g_83 = 5L;



static uint16_t  func_1(void);
static int32_t  func_6(const uint8_t  p_7, uint8_t  p_8, int32_t  p_9, uint16_t  p_10, uint16_t  p_11);
static int32_t  func_13(uint8_t  p_14, int8_t  p_15, uint64_t  p_16, uint32_t  p_17);




static uint16_t  func_1(void)
{ 
    uint32_t l_86 = 0x14C0ACF2L;
    for (g_3[0] = (-25); (g_3[0] >= 23); g_3[0] = safe_add_func_int8_t_s_s(g_3[0], 2))
    { 
        int32_t l_12 = 2L;
        int32_t *l_82 = &g_83;
        (*l_82) &= func_6(g_2, (0x58BFL != l_12), l_12, g_3[0], l_12);
        for (g_83 = (-4); (g_83 != (-28)); g_83 = safe_sub_func_uint8_t_u_u(g_83, 1))
        { 
            return l_86;
        }
    }
    return g_83;
}



static int32_t  func_6(const uint8_t  p_7, uint8_t  p_8, int32_t  p_9, uint16_t  p_10, uint16_t  p_11)
{ 
    int8_t l_20 = 1L;
    int32_t *l_81 = (void*)0;
    (*g_24) = func_13(((((safe_div_func_uint16_t_u_u(p_10, ((g_3[0] , (-2L)) | 1UL))) , p_11) || g_2) && l_20), p_7, l_20, p_8);
    return p_10;
}



static int32_t  func_13(uint8_t  p_14, int8_t  p_15, uint64_t  p_16, uint32_t  p_17)
{ 
    int8_t l_23 = (-1L);
    const int32_t *l_34 = &g_3[0];
    int32_t l_38 = 1L;
    int32_t l_40[1];
    uint16_t l_41 = 0UL;
    struct S1 *l_67 = &g_53[0][0][0];
    int i;
    for (i = 0; i < 1; i++)
        l_40[i] = 5L;
    for (p_14 = 0; (p_14 != 55); p_14++)
    { 
        (*g_24) |= l_23;
    }
    if ((((safe_sub_func_uint64_t_u_u((((safe_mul_func_int16_t_s_s((safe_rshift_func_int16_t_s_s((safe_rshift_func_int16_t_s_s((-7L), (((((l_23 | l_23) , 3L) > 0x976D9935FF57440ELL) , (void*)0) != l_34))), (*l_34))), g_2)) < (*l_34)) > g_3[0]), g_3[0])) , 0x7854C3EBL) == 1L))
    { 
        int16_t l_35[2][1][2] = {{{0xAA43L,0xAA43L}},{{0xAA43L,0xAA43L}}};
        int32_t l_37 = 0xD70F3F85L;
        int32_t *l_46 = (void*)0;
        int i, j, k;
        for (p_15 = 0; p_15 < 2; p_15 += 1)
        {
            for (g_2 = 0; g_2 < 1; g_2 += 1)
            {
                for (g_25 = 0; g_25 < 2; g_25 += 1)
                {
                    l_35[p_15][g_2][g_25] = (-6L);
                }
            }
        }
        if ((*l_34))
        { 
            int32_t *l_36[2];
            int8_t l_39 = 0x64L;
            int i;
            for (i = 0; i < 2; i++)
                l_36[i] = &g_25;
            --l_41;
        }
        else
        { 
            int32_t *l_45 = &l_40[0];
            (*g_44) = (*g_24);
            l_46 = l_45;
        }
        for (l_23 = 0; (l_23 >= (-7)); l_23--)
        { 
            return (*g_24);
        }
    }
    else
    { 
        uint8_t l_54 = 0UL;
        int32_t *l_55 = &l_38;
        int32_t *l_56[2];
        int i;
        for (i = 0; i < 2; i++)
            l_56[i] = (void*)0;
        (*l_55) |= ((safe_div_func_int64_t_s_s(p_16, (safe_lshift_func_uint8_t_u_u((g_53[0][1][0] , 255UL), l_54)))) && g_3[0]);
        g_59--;
    }
    if ((*g_44))
    { 
        int16_t l_62 = (-1L);
        l_67 = ((l_62 >= ((safe_mul_func_uint8_t_u_u((safe_rshift_func_uint16_t_u_s((&l_38 == (void*)0), 5)), 0xCBL)) <= l_62)) , (void*)0);
        for (l_38 = 27; (l_38 != (-9)); l_38 = safe_sub_func_int64_t_s_s(l_38, 6))
        { 
            volatile int32_t *l_70 = &g_57;
            l_70 = &g_57;
        }
    }
    else
    { 
        uint8_t l_80 = 0x9BL;
        for (g_59 = 0; (g_59 > 22); g_59 = safe_add_func_int8_t_s_s(g_59, 2))
        { 
            int32_t *l_73 = &g_25;
            l_73 = &l_38;
            (*g_24) = (safe_add_func_uint8_t_u_u(((*l_34) != ((safe_lshift_func_uint16_t_u_s((((safe_add_func_uint64_t_u_u((g_53[0][1][0].f0 , (*l_34)), 18446744073709551613UL)) , l_80) , 0xB02DL), (*l_73))) < 65529UL)), g_58));
        }
    }
    return p_16;
}





int main (void)
{
    int i, j, k;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_3[i], "g_3[i]", print_hash_value);

    }
    transparent_crc(g_25, "g_25", print_hash_value);
    for (i = 0; i < 1; i++)
    {
        for (j = 0; j < 2; j++)
        {
            for (k = 0; k < 1; k++)
            {
                transparent_crc(g_53[i][j][k].f0, "g_53[i][j][k].f0", print_hash_value);

            }
        }
    }
    transparent_crc(g_57, "g_57", print_hash_value);
    transparent_crc(g_58, "g_58", print_hash_value);
    transparent_crc(g_59, "g_59", print_hash_value);
    transparent_crc(g_83, "g_83", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
