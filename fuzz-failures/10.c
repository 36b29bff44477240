#include "csmith.h"


static long __undefined;


struct S0 {
   const volatile uint64_t  f0;
   const volatile int16_t  f1;
   volatile uint16_t  f2;
   volatile int64_t  f3;
   int32_t  f4;
   uint8_t  f5;
};


static volatile int8_t g_12 = 0L;
static const uint64_t g_14 = 18446744073709551612UL;
static int32_t g_16 = 0x658EDFE0L;
static int32_t * const g_15 = &g_16;
static int32_t g_20 = (-9L);
static int32_t g_26 = 0x33147F59L;
static int32_t *g_29 = &g_20;
static int32_t ** volatile g_28 = &g_29;
static int32_t * volatile g_46[1] = {&g_20};
static uint32_t g_101 = 0UL;
static const int32_t *g_108 = &g_16;
static const int32_t ** volatile g_107[3] = {&g_108,&g_108,&g_108};
static const int32_t ** volatile g_109 = &g_108;
static int32_t * volatile g_118 = &g_20;
static struct S0 g_179 = {0xE66BCB5D35E8AD48LL,0x76C9L,0x5221L,-1L,1L,0x95L};
static struct S0 *g_181 = &g_179;
static struct S0 ** volatile g_180 = &g_181;
static int64_t g_188 = 0x0996D253E81AF920LL;



static int16_t  func_1(void);
static int32_t * func_2(const int32_t * const  p_3);
static const int32_t * const  func_4(int32_t * p_5);
static int32_t * func_6(int32_t  p_7, const int64_t  p_8, int32_t * const  p_9);




static int16_t  func_1(void)
{ 
    int16_t l_13 = (-3L);
    int32_t *l_17 = &g_16;
    int32_t **l_121 = &l_17;
    int32_t l_129 = 0x0E8DCDA3L;
    int32_t l_131 = 1L;
    int32_t l_132 = 0x70A7DE78L;
    int32_t l_159 = 0x8B304DB0L;
    int32_t l_189 = (-6L);
    (*l_121) = func_2(func_4((l_17 = func_6((safe_mul_func_int16_t_s_s(((g_12 <= l_13) ^ l_13), 0xDF1AL)), g_14, g_15))));
    for (g_20 = 0; (g_20 < 13); g_20++)
    { 
        int32_t l_128 = 0xCB46D81FL;
        for (l_13 = 19; (l_13 > 18); --l_13)
        { 
            uint16_t l_133 = 0x018EL;
            if ((safe_rshift_func_int8_t_s_s(((&g_15 != (void*)0) ^ l_128), 5)))
            { 
                int32_t *l_130[5];
                int i;
                for (i = 0; i < 5; i++)
                    l_130[i] = (void*)0;
                l_133++;
                return g_20;
            }
            else
            { 
                int32_t l_143 = 0x4AA03B7EL;
                (*l_121) = func_6(((safe_mul_func_uint8_t_u_u(((safe_mul_func_int8_t_s_s((~((safe_sub_func_int32_t_s_s(((*g_29) = l_128), l_143)) && g_16)), g_20)) < g_12), 247UL)) <= l_133), l_128, &l_143);
            }
            if ((**l_121))
                continue;
        }
        if (l_128)
            continue;
    }
    for (g_20 = (-13); (g_20 == (-20)); g_20 = safe_sub_func_uint32_t_u_u(g_20, 9))
    { 
        uint16_t l_156[4];
        int32_t l_172 = 0x88960408L;
        int64_t *l_187 = &g_188;
        int i;
        for (i = 0; i < 4; i++)
            l_156[i] = 1UL;
        if ((*g_29))
        { 
            uint16_t l_160 = 6UL;
            for (g_26 = 0; (g_26 >= 0); g_26 -= 1)
            { 
                int32_t *l_146 = &l_129;
                int32_t *l_147 = &l_131;
                int32_t *l_148 = &l_131;
                int32_t *l_149 = &l_132;
                int32_t *l_150 = &g_16;
                int32_t *l_151 = &g_16;
                int32_t *l_152 = &g_16;
                int32_t *l_153 = (void*)0;
                int32_t *l_154 = (void*)0;
                int32_t *l_155[4];
                int i;
                for (i = 0; i < 4; i++)
                    l_155[i] = &l_131;
                l_156[0]++;
                --l_160;
                (*l_147) = (*l_152);
            }
            (**l_121) = (safe_rshift_func_uint8_t_u_s(g_101, 7));
            for (l_159 = 28; (l_159 > (-28)); l_159 = safe_sub_func_int8_t_s_s(l_159, 6))
            { 
                const int32_t **l_167[3];
                int i;
                for (i = 0; i < 3; i++)
                    l_167[i] = (void*)0;
                (*g_109) = (*g_109);
            }
            for (l_13 = 0; (l_13 == 11); l_13 = safe_add_func_int8_t_s_s(l_13, 8))
            { 
                l_172 |= (safe_mul_func_int8_t_s_s((((&g_46[0] != &g_46[0]) > 0x52E5L) & (**g_109)), g_26));
                (*g_15) &= (((*l_121) = func_6(g_101, g_12, &g_16)) == &g_16);
            }
        }
        else
        { 
            struct S0 *l_178 = &g_179;
            for (l_13 = 0; (l_13 < (-8)); l_13 = safe_sub_func_uint64_t_u_u(l_13, 3))
            { 
                const int32_t l_177 = 0xAF9C1AF2L;
                (**l_121) = (safe_sub_func_int32_t_s_s(l_177, 4294967295UL));
                return g_16;
            }
            (*g_180) = l_178;
        }
        l_172 &= (safe_lshift_func_uint8_t_u_s(((safe_mod_func_uint32_t_u_u((((~((*l_187) ^= g_12)) || l_189) > (**l_121)), 1L)) >= l_156[0]), (**l_121)));
    }
    return (*l_17);
}



static int32_t * func_2(const int32_t * const  p_3)
{ 
    int32_t *l_24 = (void*)0;
    int32_t *l_25 = &g_26;
    const int32_t l_27[4] = {(-2L),(-2L),(-2L),(-2L)};
    const int32_t *l_33 = &l_27[2];
    const int32_t **l_32 = &l_33;
    int32_t l_60 = 1L;
    int32_t l_61 = 1L;
    int32_t l_63 = 0L;
    int32_t l_64 = 1L;
    int32_t l_65 = 9L;
    int32_t l_66 = 0xBE056EFFL;
    int32_t l_67 = 0x1981F0B5L;
    int32_t l_68 = 0xC75F9279L;
    int32_t l_69 = (-6L);
    int32_t l_72 = (-1L);
    int32_t l_73 = (-8L);
    int32_t l_74 = (-1L);
    int32_t l_76 = 0xA91F7CAEL;
    int32_t l_77 = 0x06C62CF0L;
    int32_t l_78 = 0xE1831F77L;
    int32_t l_79 = (-3L);
    int32_t l_91[4];
    int16_t l_92 = 1L;
    int32_t l_93 = 9L;
    int32_t l_94 = 1L;
    int32_t l_95 = 8L;
    int32_t l_96 = (-1L);
    int32_t l_97 = 0x1595F4C9L;
    int32_t l_98[3];
    uint32_t l_113[1];
    int i;
    for (i = 0; i < 4; i++)
        l_91[i] = 0xB13E4380L;
    for (i = 0; i < 3; i++)
        l_98[i] = 1L;
    for (i = 0; i < 1; i++)
        l_113[i] = 9UL;
    (*g_28) = func_6(((*l_25) = g_12), l_27[2], l_24);
    if (((*g_15) &= ((safe_mul_func_uint8_t_u_u((l_32 == (void*)0), 1L)) ^ g_12)))
    { 
        int16_t l_40 = 0xA043L;
        int32_t * const l_42 = &g_16;
        int32_t l_47 = (-7L);
        for (g_26 = (-9); (g_26 <= 24); ++g_26)
        { 
            int32_t **l_43 = &g_29;
            (*g_29) |= ((safe_lshift_func_uint8_t_u_u((safe_mod_func_uint8_t_u_u(0x3BL, l_40)), 6)) <= g_20);
            (*g_15) = ((safe_unary_minus_func_uint64_t_u((((((*l_43) = func_6((*l_33), g_26, l_42)) == p_3) > 18446744073709551613UL) == 1UL))) || (*l_42));
            l_47 |= ((safe_mod_func_int32_t_s_s((-5L), (**l_43))) >= 0UL);
        }
        (*l_32) = &l_47;
    }
    else
    { 
        int8_t l_50 = 0x2AL;
        int32_t l_52 = 0xEEDA7DA9L;
        int32_t l_57[5] = {0L,0L,0L,0L,0L};
        int16_t l_75 = (-4L);
        int i;
        if ((0x478DL ^ g_16))
        { 
            int32_t l_59 = 0x1012106DL;
            int32_t l_62[2];
            int32_t l_70 = 0x721BA6C3L;
            int8_t l_71 = 0x8AL;
            int i;
            for (i = 0; i < 2; i++)
                l_62[i] = 1L;
            if ((safe_div_func_int64_t_s_s(l_50, 1UL)))
            { 
                int32_t l_51 = 0L;
                int32_t *l_53 = &l_51;
                int32_t *l_54 = &l_52;
                int32_t *l_55 = (void*)0;
                int32_t *l_56[3];
                int32_t l_58 = 0xCCE65120L;
                int32_t l_80 = 0xD153B42EL;
                uint64_t l_81 = 0UL;
                int i;
                for (i = 0; i < 3; i++)
                    l_56[i] = &l_52;
                (*l_32) = (*g_28);
                ++l_81;
            }
            else
            { 
                int32_t *l_84 = &l_57[3];
                int32_t *l_85 = &l_74;
                int32_t *l_86 = (void*)0;
                int32_t *l_87 = (void*)0;
                int32_t *l_88 = &l_57[3];
                int32_t *l_89 = &l_62[1];
                int32_t *l_90[1];
                int64_t l_99[2];
                int64_t l_100 = 0x436AE91A37324891LL;
                int i;
                for (i = 0; i < 1; i++)
                    l_90[i] = (void*)0;
                for (i = 0; i < 2; i++)
                    l_99[i] = (-1L);
                g_101++;
            }
            if ((safe_add_func_int8_t_s_s(0x1EL, l_57[1])))
            { 
                int32_t *l_106 = &l_97;
                l_106 = func_6((g_101 == g_16), l_62[1], &l_59);
                (*g_109) = p_3;
                l_98[2] = (*g_29);
            }
            else
            { 
                int32_t *l_110 = &l_94;
                int32_t *l_111[3];
                int32_t l_112[5] = {0xD22849E8L,0xD22849E8L,0xD22849E8L,0xD22849E8L,0xD22849E8L};
                int i;
                for (i = 0; i < 3; i++)
                    l_111[i] = &l_57[0];
                l_113[0]++;
                (*g_15) = (safe_mod_func_int16_t_s_s(((5UL && l_52) || g_14), (-1L)));
            }
            (*g_29) = 9L;
        }
        else
        { 
            (*g_118) |= (*p_3);
            (*g_29) = (((safe_mod_func_int32_t_s_s(l_57[1], l_75)) && g_26) != 0x6694A0AEL);
        }
    }
    return (*g_28);
}



static const int32_t * const  func_4(int32_t * p_5)
{ 
    uint8_t l_18[1];
    const int32_t *l_23 = &g_16;
    int i;
    for (i = 0; i < 1; i++)
        l_18[i] = 1UL;
    for (g_16 = 0; (g_16 <= 0); g_16 += 1)
    { 
        int32_t *l_19 = &g_20;
        (*l_19) = 0L;
        (*l_19) = ((safe_mul_func_uint16_t_u_u(((void*)0 == p_5), 0xD06BL)) < 0xBCL);
    }
    l_23 = l_23;
    return l_23;
}



static int32_t * func_6(int32_t  p_7, const int64_t  p_8, int32_t * const  p_9)
{ 
    return &g_16;
}





int main (int argc, char* argv[])
{
    int i;
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_12, "g_12", print_hash_value);
    transparent_crc(g_14, "g_14", print_hash_value);
    transparent_crc(g_16, "g_16", print_hash_value);
    transparent_crc(g_20, "g_20", print_hash_value);
    transparent_crc(g_26, "g_26", print_hash_value);
    transparent_crc(g_101, "g_101", print_hash_value);
    transparent_crc(g_179.f0, "g_179.f0", print_hash_value);
    transparent_crc(g_179.f1, "g_179.f1", print_hash_value);
    transparent_crc(g_179.f2, "g_179.f2", print_hash_value);
    transparent_crc(g_179.f3, "g_179.f3", print_hash_value);
    transparent_crc(g_179.f4, "g_179.f4", print_hash_value);
    transparent_crc(g_179.f5, "g_179.f5", print_hash_value);
    transparent_crc(g_188, "g_188", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
