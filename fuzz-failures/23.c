#include "csmith.h"


static long __undefined;



static int32_t g_2 = 5L;
static int16_t g_20 = 0L;
static int8_t g_33[1] = {0xE4L};
static uint16_t g_42[3][3] = {{0xD3C0L,0xD3C0L,5UL},{0xD3C0L,0xD3C0L,5UL},{0xD3C0L,0xD3C0L,5UL}};
static uint8_t g_44 = 0UL;
static int32_t g_46 = 0x2BB650EBL;
static int32_t * volatile g_45[2] = {&g_46,&g_46};
static int64_t g_61 = 0L;
static int32_t * volatile g_67 = &g_46;
static volatile int8_t g_74 = 1L;
static uint32_t g_75 = 0x3ABF6A42L;
static uint32_t g_102 = 8UL;
static int64_t g_110 = (-4L);



static uint16_t  func_1(void);
static int32_t * func_22(int32_t * p_23);
static int16_t  func_25(int64_t  p_26, int16_t  p_27, int32_t  p_28, int16_t  p_29, int32_t * p_30);




static uint16_t  func_1(void)
{ 
    uint8_t l_7[5];
    int64_t l_21 = 0x8CC3837ACED45B0ELL;
    int i;
    for (i = 0; i < 5; i++)
        l_7[i] = 2UL;
    for (g_2 = 0; (g_2 <= (-15)); g_2 = safe_sub_func_int16_t_s_s(g_2, 1))
    { 
        uint8_t l_18 = 254UL;
        int32_t l_19 = (-1L);
        if ((safe_mul_func_uint8_t_u_u(l_7[0], ((safe_div_func_int64_t_s_s((safe_sub_func_uint8_t_u_u(l_7[0], 5UL)), (safe_div_func_uint16_t_u_u((!((g_20 = (safe_unary_minus_func_int32_t_s((safe_div_func_uint32_t_u_u(l_18, ((-8L) & l_19)))))) & l_21)), g_2)))) != 65535UL))))
        { 
            uint8_t l_31 = 0x11L;
            int32_t **l_104 = (void*)0;
            int32_t *l_106 = &g_46;
            int32_t **l_105 = &l_106;
            int32_t *l_108[3][2];
            int32_t **l_107 = &l_108[2][0];
            int i, j;
            for (i = 0; i < 3; i++)
            {
                for (j = 0; j < 2; j++)
                    l_108[i][j] = &g_2;
            }
            (*l_107) = ((*l_105) = func_22(((~func_25(g_2, g_2, l_31, l_18, ((g_20 | g_2) , &g_2))) , &g_2)));
            (*l_107) = &g_46;
        }
        else
        { 
            uint8_t l_109[2];
            int i;
            for (i = 0; i < 2; i++)
                l_109[i] = 4UL;
            if (l_109[0])
                break;
        }
    }
    return g_110;
}



static int32_t * func_22(int32_t * p_23)
{ 
    int8_t *l_76[2];
    int32_t l_77 = 0L;
    int32_t *l_79 = &l_77;
    int32_t **l_78 = &l_79;
    int32_t *l_81 = &g_46;
    int32_t **l_80 = &l_81;
    int i;
    for (i = 0; i < 2; i++)
        l_76[i] = &g_33[0];
    if ((safe_mul_func_int16_t_s_s(((g_33[0] = (!(safe_unary_minus_func_uint32_t_u((g_75 = (safe_rshift_func_uint16_t_u_s(g_74, 6))))))) && (g_33[0] != l_77)), (((*l_78) = &l_77) == ((*l_80) = (void*)0)))))
    { 
        uint64_t l_96[5] = {1UL,1UL,1UL,1UL,1UL};
        int32_t l_100 = 7L;
        int i;
        for (g_46 = 2; (g_46 != (-9)); g_46--)
        { 
            int32_t *l_84 = &g_2;
            return l_84;
        }
        for (g_75 = 0; (g_75 == 29); g_75 = safe_add_func_int64_t_s_s(g_75, 6))
        { 
            int16_t l_91 = 0xC7D0L;
            uint8_t *l_98[2][2];
            int32_t l_99 = 0x9A1548EBL;
            uint32_t *l_101 = &g_102;
            int32_t l_103[4][5] = {{0xB4E6B2E5L,0x56AB6569L,0x56AB6569L,0xB4E6B2E5L,0xBE011218L},{0L,0xB4E6B2E5L,(-1L),0xE3FDF473L,0xE3FDF473L},{5L,0xB4E6B2E5L,5L,0xBE011218L,0xB4E6B2E5L},{0xE3FDF473L,0x56AB6569L,0xBE011218L,0xE3FDF473L,0xBE011218L}};
            int i, j;
            for (i = 0; i < 2; i++)
            {
                for (j = 0; j < 2; j++)
                    l_98[i][j] = &g_44;
            }
            l_103[2][4] = (((*l_101) = (safe_mul_func_int8_t_s_s(((l_100 = (1UL | ((*l_79) , (((safe_add_func_uint8_t_u_u((l_91 , (((safe_lshift_func_int8_t_s_u(l_96[2], (l_99 = (~l_96[2])))) >= l_96[4]) <= 0UL)), g_33[0])) < g_61) , 65535UL)))) || 0x7BL), l_96[2]))) != 0x51EEA2DBL);
            return &g_2;
        }
    }
    else
    { 
        (*l_78) = p_23;
    }
    return p_23;
}



static int16_t  func_25(int64_t  p_26, int16_t  p_27, int32_t  p_28, int16_t  p_29, int32_t * p_30)
{ 
    int8_t *l_32 = &g_33[0];
    int32_t l_40 = 1L;
    uint16_t *l_41[3];
    int32_t l_48 = 0x3D439363L;
    int64_t *l_65 = &g_61;
    int i;
    for (i = 0; i < 3; i++)
        l_41[i] = &g_42[2][2];
    if (((((((*l_32) = g_20) , ((safe_rshift_func_uint16_t_u_s((g_42[1][1] = (p_29 ^ (safe_div_func_uint32_t_u_u((safe_mul_func_uint16_t_u_u(((0xA4F2L & (g_2 , p_26)) , l_40), l_40)), l_40)))), 15)) <= l_40)) != 18446744073709551609UL) >= p_29) , g_2))
    { 
        int32_t *l_43 = &l_40;
        int32_t *l_47[4][2] = {{&g_46,&g_46},{(void*)0,&g_46},{&g_46,(void*)0},{&g_46,&g_46}};
        int32_t **l_49 = &l_43;
        int i, j;
        l_48 = (g_44 = ((*l_43) = 0x58F87662L));
        (*l_49) = &g_46;
    }
    else
    { 
        int32_t *l_50 = (void*)0;
        int32_t **l_51 = &l_50;
        (*l_51) = l_50;
        if ((*p_30))
        { 
            int64_t *l_60 = &g_61;
            int32_t *l_62 = &l_48;
            (*l_62) = (4294967295UL | (((safe_sub_func_uint64_t_u_u((safe_mod_func_uint32_t_u_u(0x6568C077L, ((safe_mod_func_int16_t_s_s((safe_mod_func_uint8_t_u_u(((((*l_60) = (p_28 >= p_29)) <= p_29) || 18446744073709551615UL), 0x91L)), g_2)) || g_33[0]))), p_29)) , g_33[0]) >= 0xAA9320AF47DFB07DLL));
            return g_61;
        }
        else
        { 
            (*l_51) = (*l_51);
        }
    }
    for (p_28 = 1; (p_28 == 9); ++p_28)
    { 
        int64_t *l_66[2];
        int i;
        for (i = 0; i < 2; i++)
            l_66[i] = &g_61;
        (*g_67) = ((l_48 , l_65) == l_66[0]);
    }
    return g_42[0][1];
}





int main (int argc, char* argv[])
{
    int i, j;
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    transparent_crc(g_20, "g_20", print_hash_value);
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_33[i], "g_33[i]", print_hash_value);

    }
    for (i = 0; i < 3; i++)
    {
        for (j = 0; j < 3; j++)
        {
            transparent_crc(g_42[i][j], "g_42[i][j]", print_hash_value);

        }
    }
    transparent_crc(g_44, "g_44", print_hash_value);
    transparent_crc(g_46, "g_46", print_hash_value);
    transparent_crc(g_61, "g_61", print_hash_value);
    transparent_crc(g_74, "g_74", print_hash_value);
    transparent_crc(g_75, "g_75", print_hash_value);
    transparent_crc(g_102, "g_102", print_hash_value);
    transparent_crc(g_110, "g_110", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
