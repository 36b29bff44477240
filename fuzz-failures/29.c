#include "csmith.h"


static long __undefined;



static int32_t g_2 = 1L;
static volatile int32_t g_5 = 1L;
static volatile int32_t g_6 = 0x37BC7528L;
static int32_t g_7 = 0x71D976FFL;
static int32_t g_10[3][3] = {{(-3L),(-3L),(-3L)},{0L,0x5CA9869EL,0L},{(-3L),(-3L),(-3L)}};
static int32_t g_15 = 1L;
static uint64_t g_43[4] = {18446744073709551615UL,18446744073709551615UL,18446744073709551615UL,18446744073709551615UL};
static int32_t *g_52 = &g_15;
static volatile uint64_t g_62 = 0x6A25A955069097D9LL;
static const volatile uint64_t *g_61 = &g_62;
static uint64_t g_64 = 9UL;
static uint8_t g_67[4][1] = {{2UL},{2UL},{2UL},{2UL}};
static uint8_t g_69 = 0xEAL;
static int8_t g_75 = 8L;
static volatile int8_t g_99 = 1L;
static volatile int8_t * volatile g_98 = &g_99;
static volatile int8_t * volatile * volatile g_97 = &g_98;
static int16_t g_113[2][3] = {{0L,0xEF93L,0xEF93L},{0L,0xEF93L,0xEF93L}};
static uint16_t g_119 = 65535UL;
static uint32_t g_130 = 7UL;
static int64_t g_171 = 0xFAE34B6610EE195FLL;
static volatile int8_t g_212[2] = {0x1EL,0x1EL};
static uint32_t * volatile g_214 = (void*)0;
static uint32_t * volatile *g_213 = &g_214;



static int32_t  func_1(void);
static uint8_t  func_31(int32_t * const  p_32, int32_t  p_33, const uint8_t  p_34, uint8_t  p_35, const uint32_t  p_36);
static int32_t * const  func_37(uint64_t  p_38, int32_t  p_39, int32_t * p_40, int32_t  p_41);




static int32_t  func_1(void)
{ 
    int8_t l_25 = (-5L);
    uint64_t *l_63[2][3];
    int32_t l_68 = 0xED4D3443L;
    int8_t *l_139 = &g_75;
    int8_t ** const l_138 = &l_139;
    uint32_t *l_147 = (void*)0;
    uint32_t *l_148 = &g_130;
    uint32_t l_149[5] = {0x625E376BL,0x625E376BL,0x625E376BL,0x625E376BL,0x625E376BL};
    int32_t *l_150 = &g_2;
    int32_t *l_151 = &g_7;
    int16_t *l_208 = &g_113[1][0];
    int i, j;
    for (i = 0; i < 2; i++)
    {
        for (j = 0; j < 3; j++)
            l_63[i][j] = &g_64;
    }
lbl_209:
    for (g_2 = 24; (g_2 > 2); g_2--)
    { 
        uint32_t l_26 = 0xC6088B92L;
        for (g_7 = 15; (g_7 > (-20)); --g_7)
        { 
            uint64_t *l_42[5] = {&g_43[0],&g_43[0],&g_43[0],&g_43[0],&g_43[0]};
            int32_t *l_51 = &g_15;
            int32_t **l_50 = &l_51;
            uint8_t l_65 = 255UL;
            uint8_t *l_66 = &g_67[2][0];
            int i;
            for (g_10[0][2] = (-26); (g_10[0][2] >= (-27)); g_10[0][2] = safe_sub_func_int8_t_s_s(g_10[0][2], 8))
            { 
                int32_t *l_13 = (void*)0;
                int32_t *l_14 = &g_15;
                int32_t *l_16 = &g_15;
                int32_t *l_17 = &g_15;
                int32_t *l_18 = &g_15;
                int32_t *l_19 = &g_15;
                int32_t *l_20 = (void*)0;
                int32_t *l_21 = &g_15;
                int32_t *l_22 = &g_15;
                int32_t *l_23 = &g_15;
                int32_t *l_24[3];
                int i;
                for (i = 0; i < 3; i++)
                    l_24[i] = &g_15;
                --l_26;
                if ((*l_21))
                    break;
            }
            g_10[2][2] = ((safe_add_func_uint8_t_u_u(func_31(func_37((g_69 = ((l_68 ^= (g_64 = ((--g_43[0]) != (safe_sub_func_int16_t_s_s((safe_mul_func_int16_t_s_s((((g_2 | ((g_52 = ((*l_50) = &g_10[0][2])) != (void*)0)) >= (((safe_lshift_func_uint8_t_u_u((safe_lshift_func_uint8_t_u_u(((*l_66) ^= ((safe_div_func_uint64_t_u_u((!(((~((((g_61 == l_63[1][0]) & l_65) == (-10L)) | g_10[0][0])) >= l_26) , (-9L))), l_25)) , g_10[0][2])), g_10[2][2])), 2)) != 0x4D2AL) > g_7)) | 0x8918L), g_15)), g_10[2][0]))))) == l_25)), g_6, &g_10[0][1], l_25), l_25, l_25, g_2, g_7), 0x40L)) || g_113[0][1]);
        }
    }
    if (((0x5A861DE5BB510901LL < (safe_mod_func_uint16_t_u_u((safe_div_func_int32_t_s_s(((*l_151) &= (g_10[0][2] >= ((*l_150) &= (l_68 = ((((safe_div_func_int32_t_s_s((&g_98 == l_138), ((~((--g_43[1]) , (l_149[4] &= ((safe_mod_func_int32_t_s_s((safe_mod_func_int16_t_s_s(((((((((*l_148) = ((g_62 != 0x7B948F0CD08EF1BBLL) ^ 1UL)) >= (*g_52)) , l_25) >= 1L) != 0x7A08L) < l_68) != (-1L)), 0x1AEEL)), l_68)) , 0UL)))) , 0x070A5162L))) , (*g_52)) == l_68) > l_68))))), 4294967293UL)), g_67[2][0]))) != 1UL))
    { 
        int16_t l_157 = 0xA0F8L;
        int32_t **l_173[1][5] = {{&g_52,&g_52,&g_52,&g_52,&g_52}};
        int32_t *l_174 = &g_10[0][2];
        int i, j;
        if ((*g_52))
        { 
            uint8_t l_169 = 0x23L;
            int64_t *l_170 = &g_171;
            int32_t *l_175 = &g_10[2][0];
            (*g_52) &= ((safe_add_func_int64_t_s_s(((((*g_98) != (!g_2)) , (void*)0) != &g_67[0][0]), 0xF67225D3E5EC2F7FLL)) , l_157);
            g_52 = l_175;
        }
        else
        { 
            int16_t l_180 = 0L;
            int32_t l_194 = 0xA7884222L;
            l_194 ^= ((safe_mul_func_int16_t_s_s(((safe_lshift_func_uint16_t_u_s(((l_180 | (safe_div_func_uint8_t_u_u(((safe_mul_func_uint16_t_u_u(0xB48AL, ((safe_add_func_uint8_t_u_u((!((safe_add_func_int8_t_s_s((4294967295UL <= (safe_rshift_func_int16_t_s_s(((((((((((1UL && (safe_div_func_uint64_t_u_u(l_180, 18446744073709551607UL))) && (*g_61)) == (*l_150)) & g_69) , &l_157) == (void*)0) ^ (-3L)) , g_43[2]) && 1UL) , (-9L)), 6))), g_130)) <= g_75)), g_113[1][0])) & g_7))) <= (*l_151)), g_15))) , 0x0BCAL), g_119)) , g_2), l_180)) , (*g_52));
            (*l_150) ^= (safe_sub_func_uint8_t_u_u(g_7, ((l_194 == l_194) != (((safe_unary_minus_func_int64_t_s((((safe_mod_func_int8_t_s_s(((safe_mod_func_int64_t_s_s(l_180, (safe_lshift_func_uint16_t_u_u(((safe_add_func_uint32_t_u_u(((safe_lshift_func_uint16_t_u_u(g_15, 5)) | (-9L)), g_69)) == (*l_174)), l_180)))) < (*g_61)), g_15)) != 0xEF9525C662F218DALL) | g_10[0][0]))) , (void*)0) != l_208))));
        }
        return g_64;
    }
    else
    { 
        if (g_119)
            goto lbl_209;
        g_213 = ((safe_mod_func_uint64_t_u_u(g_212[1], g_69)) , g_213);
    }
    return g_64;
}



static uint8_t  func_31(int32_t * const  p_32, int32_t  p_33, const uint8_t  p_34, uint8_t  p_35, const uint32_t  p_36)
{ 
    int32_t l_128[1];
    uint32_t *l_129 = &g_130;
    int32_t *l_131 = &g_15;
    int i;
    for (i = 0; i < 1; i++)
        l_128[i] = 0xE36C8546L;
    (*l_131) |= (((((safe_div_func_int64_t_s_s(g_62, 0xEE0523CF742FF3E0LL)) & ((safe_unary_minus_func_int64_t_s(((safe_mod_func_uint32_t_u_u(((*l_129) = (safe_sub_func_int8_t_s_s(((0x0AL & (0x87503BCFB6DD939ALL < (l_128[0] & l_128[0]))) , p_33), l_128[0]))), 2UL)) , 1L))) & 0x57241B9AL)) != (*g_52)) == 7L) , 0L);
    return g_10[0][2];
}



static int32_t * const  func_37(uint64_t  p_38, int32_t  p_39, int32_t * p_40, int32_t  p_41)
{ 
    int32_t * const l_70 = &g_15;
    int32_t l_73[3][1];
    int8_t *l_74 = &g_75;
    int32_t *l_81[5] = {&g_10[1][1],&g_10[1][1],&g_10[1][1],&g_10[1][1],&g_10[1][1]};
    const int8_t l_91 = 0x80L;
    int i, j;
    for (i = 0; i < 3; i++)
    {
        for (j = 0; j < 1; j++)
            l_73[i][j] = 9L;
    }
lbl_100:
    if (((((*l_74) = ((((((void*)0 != l_70) && ((((*l_70) = 247UL) | g_2) == (g_43[2] != l_73[0][0]))) , g_7) < l_73[0][0]) < 0UL)) , g_10[0][2]) ^ l_73[0][0]))
    { 
        int16_t l_80 = 0L;
        int32_t **l_95 = (void*)0;
        (*g_52) = (safe_rshift_func_int8_t_s_s(((((safe_div_func_uint8_t_u_u((l_80 && (p_40 != (l_81[2] = &g_10[0][2]))), g_2)) | ((-1L) <= 0x15CDL)) == 0xFFL) , 0x63L), l_80));
        if (((safe_add_func_int64_t_s_s(((18446744073709551615UL ^ ((safe_add_func_int8_t_s_s((~((((((g_43[0] , (*g_61)) > 1L) < (safe_mul_func_uint16_t_u_u((safe_sub_func_int32_t_s_s((&l_73[1][0] != &g_10[1][0]), g_15)), l_80))) >= 0L) == g_7) < 0x91B61232C2F6A78CLL)), (-1L))) , l_91)) , 0x2727C38D1E6FA5B3LL), p_39)) & p_39))
        { 
            uint32_t l_92 = 1UL;
            l_92--;
        }
        else
        { 
            int32_t **l_96[1][5] = {{&l_81[1],&l_81[1],&l_81[1],&l_81[1],&l_81[1]}};
            int i, j;
            l_96[0][0] = l_95;
            if (l_80)
                goto lbl_100;
        }
    }
    else
    { 
        g_97 = g_97;
    }
    for (p_38 = (-5); (p_38 <= 55); ++p_38)
    { 
        int8_t l_103[3][2] = {{0xF4L,0xF4L},{0xF4L,0xF4L},{0xF4L,0xF4L}};
        int i, j;
        if (l_103[0][1])
            break;
        for (g_75 = 0; (g_75 != 28); g_75++)
        { 
            int16_t *l_120 = &g_113[1][1];
            for (g_69 = 0; (g_69 <= 0); g_69 += 1)
            { 
                int16_t *l_111 = (void*)0;
                int16_t *l_112 = &g_113[1][0];
                uint16_t *l_118 = &g_119;
                int i, j;
                (*l_70) ^= ((((*l_118) = (((safe_mul_func_int16_t_s_s((safe_add_func_int16_t_s_s(((*l_112) |= (safe_unary_minus_func_uint8_t_u(l_73[g_69][g_69]))), g_43[2])), (l_103[0][1] > (-3L)))) && (safe_add_func_uint8_t_u_u((safe_add_func_uint32_t_u_u(0x924F1449L, (*g_52))), 0x88L))) , p_39)) != p_41) ^ p_38);
            }
            (*g_52) = ((g_5 , &g_113[1][0]) == l_120);
        }
    }
    return &g_10[2][2];
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
    transparent_crc(g_5, "g_5", print_hash_value);
    transparent_crc(g_6, "g_6", print_hash_value);
    transparent_crc(g_7, "g_7", print_hash_value);
    for (i = 0; i < 3; i++)
    {
        for (j = 0; j < 3; j++)
        {
            transparent_crc(g_10[i][j], "g_10[i][j]", print_hash_value);

        }
    }
    transparent_crc(g_15, "g_15", print_hash_value);
    for (i = 0; i < 4; i++)
    {
        transparent_crc(g_43[i], "g_43[i]", print_hash_value);

    }
    transparent_crc(g_62, "g_62", print_hash_value);
    transparent_crc(g_64, "g_64", print_hash_value);
    for (i = 0; i < 4; i++)
    {
        for (j = 0; j < 1; j++)
        {
            transparent_crc(g_67[i][j], "g_67[i][j]", print_hash_value);

        }
    }
    transparent_crc(g_69, "g_69", print_hash_value);
    transparent_crc(g_75, "g_75", print_hash_value);
    transparent_crc(g_99, "g_99", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        for (j = 0; j < 3; j++)
        {
            transparent_crc(g_113[i][j], "g_113[i][j]", print_hash_value);

        }
    }
    transparent_crc(g_119, "g_119", print_hash_value);
    transparent_crc(g_130, "g_130", print_hash_value);
    transparent_crc(g_171, "g_171", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_212[i], "g_212[i]", print_hash_value);

    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
