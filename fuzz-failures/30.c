#include "csmith.h"


static long __undefined;



static int32_t g_3 = (-2L);
static int32_t g_36 = 0x1213072CL;
static uint64_t g_39 = 18446744073709551609UL;
static int64_t g_45 = 0L;
static int64_t *g_64 = (void*)0;
static int16_t g_67 = 0x7552L;
static uint16_t g_68 = 0xE313L;
static uint64_t g_70 = 0x5427E5571BE33BD0LL;
static uint64_t g_72 = 0xD35A08C8198303F4LL;
static int32_t *g_76 = (void*)0;
static int64_t g_97 = 0x2D756AA3FDD5FB3FLL;
static uint64_t g_98 = 0x04AF2C2A8D2DEF25LL;
static uint64_t *g_116[2] = {&g_72,&g_72};
static int16_t g_126[1] = {0xC00CL};
static int32_t g_129 = (-1L);
static uint32_t g_134 = 0UL;
static uint32_t g_143 = 6UL;
static int16_t *g_167 = &g_67;
static int64_t g_238 = 0x9890C0586A296AE8LL;
static int32_t g_240 = 0xEE4DCC29L;
static uint32_t g_241 = 0x7D2D848FL;



static uint8_t  func_1(void);
static int32_t  func_4(uint8_t  p_5, uint32_t  p_6, int32_t  p_7, uint8_t  p_8, uint16_t  p_9);
static uint16_t  func_27(uint64_t  p_28, uint8_t  p_29, uint32_t  p_30);




static uint8_t  func_1(void)
{ 
    uint8_t l_2[2];
    int32_t l_37[2];
    uint16_t l_40[2];
    int i;
    for (i = 0; i < 2; i++)
        l_2[i] = 0xE3L;
    for (i = 0; i < 2; i++)
        l_37[i] = 1L;
    for (i = 0; i < 2; i++)
        l_40[i] = 65531UL;
    for (g_3 = 0; (g_3 <= 1); g_3 += 1)
    { 
        uint32_t l_33 = 18446744073709551610UL;
        int32_t *l_34 = (void*)0;
        int32_t *l_35 = &g_36;
        uint64_t *l_38[3];
        uint64_t l_101 = 0x83262CCAF28F66BBLL;
        int32_t *l_239 = &g_240;
        int i;
        for (i = 0; i < 3; i++)
            l_38[i] = &g_39;
        if (l_2[g_3])
            break;
        (*l_239) &= func_4(((((safe_mod_func_uint16_t_u_u(((l_2[g_3] ^= (safe_rshift_func_int16_t_s_s((safe_rshift_func_uint16_t_u_s(0x7DCDL, ((safe_div_func_uint64_t_u_u(((safe_mod_func_uint16_t_u_u((safe_div_func_uint64_t_u_u((safe_sub_func_uint64_t_u_u((safe_unary_minus_func_uint32_t_u(g_3)), (safe_add_func_int32_t_s_s((func_27((g_39 = (g_3 == (safe_mod_func_uint32_t_u_u((((l_37[0] = ((*l_35) = (g_3 >= (g_3 || l_33)))) , 0x2A04L) , 0x722ABAC8L), g_3)))), l_40[0], g_3) == g_3), g_97)))), g_97)), g_3)) , g_97), g_3)) >= l_40[0]))), 12))) , (*l_35)), l_40[0])) & g_3) == (-5L)) || g_67), l_101, l_40[0], g_97, g_3);
        return g_67;
    }
    return g_241;
}



static int32_t  func_4(uint8_t  p_5, uint32_t  p_6, int32_t  p_7, uint8_t  p_8, uint16_t  p_9)
{ 
    int16_t *l_107 = (void*)0;
    uint64_t *l_115[4];
    int32_t l_119 = 0x28C20B36L;
    int32_t *l_120 = &l_119;
    int32_t l_130 = 0x29ECF7F4L;
    int32_t l_131 = (-1L);
    int32_t l_132 = (-4L);
    int32_t l_133 = 0L;
    uint32_t *l_153 = &g_143;
    uint16_t l_158 = 0x9870L;
    int64_t l_164 = 0x8830C378F7CF6804LL;
    uint32_t *l_168[3];
    int32_t l_196 = 0x1E99CA76L;
    int16_t l_197 = 1L;
    uint8_t l_217[1];
    uint16_t l_237 = 0x0809L;
    int i;
    for (i = 0; i < 4; i++)
        l_115[i] = &g_39;
    for (i = 0; i < 3; i++)
        l_168[i] = (void*)0;
    for (i = 0; i < 1; i++)
        l_217[i] = 255UL;
    for (p_9 = 0; (p_9 <= 51); p_9++)
    { 
        int16_t *l_106 = &g_67;
        uint64_t *l_114[3];
        int32_t *l_117 = (void*)0;
        int32_t *l_118 = &g_36;
        int32_t l_127 = 0x91EAE96DL;
        int32_t l_128[2];
        int16_t l_139 = 0x8061L;
        uint8_t l_140 = 0x12L;
        int i;
        for (i = 0; i < 3; i++)
            l_114[i] = &g_72;
        for (i = 0; i < 2; i++)
            l_128[i] = 1L;
        (*l_118) &= ((-7L) || ((safe_mul_func_uint16_t_u_u(((l_107 = l_106) != (void*)0), (((safe_rshift_func_uint16_t_u_s((safe_mul_func_int16_t_s_s((safe_mul_func_uint16_t_u_u((((l_114[1] = l_114[1]) != (g_116[1] = l_115[1])) ^ (l_117 != l_117)), p_7)), p_6)), p_5)) > p_6) , p_6))) ^ g_3));
        if (l_119)
        { 
            l_117 = &g_3;
            l_120 = (void*)0;
        }
        else
        { 
            g_76 = l_118;
            if (p_6)
                break;
        }
        for (g_36 = 0; (g_36 <= 1); g_36 += 1)
        { 
            int32_t *l_121 = &g_36;
            int32_t *l_122 = (void*)0;
            int32_t *l_123 = &l_119;
            int32_t *l_124 = &l_119;
            int32_t *l_125[2];
            int i;
            for (i = 0; i < 2; i++)
                l_125[i] = &l_119;
            l_121 = l_121;
            g_76 = &g_3;
            g_134++;
        }
        for (p_7 = 0; (p_7 <= 1); p_7 += 1)
        { 
            int32_t l_137[3];
            int32_t *l_138[3];
            uint64_t *l_148[3];
            int i;
            for (i = 0; i < 3; i++)
                l_137[i] = 0x40744711L;
            for (i = 0; i < 3; i++)
                l_138[i] = &l_131;
            for (i = 0; i < 3; i++)
                l_148[i] = &g_72;
            l_140++;
            g_143--;
            (*l_118) = ((safe_add_func_uint32_t_u_u((0x2EC46842B3FC87B3LL <= l_128[p_7]), (&l_137[1] == &l_128[0]))) && ((l_148[2] = (void*)0) == &g_39));
        }
    }
    if ((safe_add_func_uint32_t_u_u(((*l_153) ^= (safe_add_func_uint64_t_u_u(p_9, l_133))), (l_131 |= ((((safe_add_func_int64_t_s_s(((safe_add_func_uint64_t_u_u((--l_158), (safe_add_func_uint16_t_u_u((((~((l_164 || ((safe_rshift_func_int16_t_s_s((0xFE97C8AD55D9A899LL | (l_107 == g_167)), 7)) , g_134)) < (*g_167))) <= p_9) && 4294967295UL), (*g_167))))) & p_5), g_129)) ^ p_6) , p_6) , g_36)))))
    { 
        uint64_t *l_178 = &g_72;
        int32_t l_195 = 0xFC2D246EL;
        uint16_t *l_198 = (void*)0;
        int32_t l_199 = 0L;
        int32_t l_206 = 0x36D52345L;
        uint8_t l_219 = 0UL;
        for (l_130 = 1; (l_130 >= 0); l_130 -= 1)
        { 
            int32_t *l_174 = &g_36;
            int32_t l_175 = 0x381F6D55L;
            int i;
            (*l_174) = (safe_div_func_uint16_t_u_u(65532UL, ((*g_167) = ((safe_unary_minus_func_int16_t_s((g_98 > (p_6 == (p_8 >= (safe_rshift_func_uint16_t_u_s((((p_9 , (((l_174 != &g_3) ^ p_7) || p_7)) == l_175) <= g_129), (*l_174)))))))) , (*l_174)))));
            return p_5;
        }
lbl_218:
        if (((((((0x28EBL >= (safe_add_func_uint32_t_u_u((l_178 == &g_98), (safe_lshift_func_uint16_t_u_u(((((p_9 = p_6) | (safe_add_func_uint16_t_u_u(0x17F3L, (((safe_mul_func_int16_t_s_s((safe_sub_func_int32_t_s_s((safe_mod_func_uint64_t_u_u(((l_131 = (((((safe_mod_func_uint16_t_u_u((((safe_rshift_func_uint16_t_u_u((safe_sub_func_uint64_t_u_u((g_97 , l_195), l_196)), 9)) , 0x40665D72AE1B054BLL) & 18446744073709551606UL), l_197)) < l_195) >= p_8) < l_195) > 4294967295UL)) , p_6), p_8)), l_199)), (-7L))) ^ p_7) & p_8)))) <= p_7) >= p_8), 2))))) < p_5) || (*g_167)) | 0x97A6L) <= 0x4E8DBFCDDE50A04CLL) & g_70))
        { 
            int64_t *l_205[3];
            int32_t l_207 = (-7L);
            int32_t *l_208 = (void*)0;
            int32_t *l_209 = &g_36;
            int32_t *l_210 = &l_196;
            int i;
            for (i = 0; i < 3; i++)
                l_205[i] = &l_164;
            (*l_210) |= ((l_195 | p_9) < (((*l_209) = (safe_mul_func_int16_t_s_s(((*g_167) ^= ((l_131 < ((g_97 < ((l_195 != (+((safe_div_func_int64_t_s_s(((l_206 = p_8) > 1L), l_207)) <= p_5))) <= g_72)) != p_8)) != p_8)), 0xB746L))) & l_195));
            l_120 = (l_199 , &l_133);
            (*l_210) = p_7;
            if (l_133)
                goto lbl_218;
        }
        else
        { 
            uint16_t l_213 = 1UL;
            int32_t *l_216 = &l_206;
            (*l_216) = (safe_rshift_func_uint16_t_u_s((l_213 , p_6), (safe_mod_func_int64_t_s_s(p_9, 0xCFFAC30EB271F329LL))));
            g_76 = &l_206;
            l_216 = &l_206;
            return l_217[0];
        }
        l_206 &= ((((((*g_167) = (*l_120)) || (g_36 >= (-7L))) , p_5) <= ((*l_120) || (l_219 > 0x3F0AL))) > p_7);
    }
    else
    { 
        uint32_t l_235 = 18446744073709551612UL;
        uint16_t l_236 = 0UL;
        g_238 = (((((safe_lshift_func_int16_t_s_s((p_7 < ((safe_mod_func_uint64_t_u_u((((safe_sub_func_uint16_t_u_u(0x8BBCL, (l_236 = ((((safe_div_func_int16_t_s_s(((safe_mul_func_int16_t_s_s((safe_div_func_uint16_t_u_u((!((((((((*g_167) && (safe_rshift_func_int16_t_s_u(p_6, l_235))) , (l_235 , l_235)) != p_5) == p_9) & (*g_167)) , p_8) | p_7)), 0xD0E6L)), l_235)) || l_235), 0x3453L)) & (*g_167)) | l_235) == p_7)))) ^ p_8) || l_236), l_237)) , (-8L))), 7)) != g_126[0]) != p_7) && g_45) , g_72);
    }
    return p_6;
}



static uint16_t  func_27(uint64_t  p_28, uint8_t  p_29, uint32_t  p_30)
{ 
    int32_t *l_43[1];
    int64_t *l_49 = &g_45;
    int64_t *l_50 = &g_45;
    int16_t *l_65 = (void*)0;
    int16_t *l_66 = &g_67;
    uint64_t *l_69[1];
    uint32_t l_71 = 0x5B6CC60AL;
    int64_t *l_96 = &g_97;
    int i;
    for (i = 0; i < 1; i++)
        l_43[i] = (void*)0;
    for (i = 0; i < 1; i++)
        l_69[i] = &g_70;
    for (p_28 = 15; (p_28 > 22); p_28++)
    { 
        int64_t *l_44 = &g_45;
        int32_t l_46 = 0x1260E2EFL;
        int32_t l_47 = 0x385E13CDL;
        int32_t l_48 = (-10L);
        l_47 = (((*l_44) = (l_43[0] != &g_3)) , (l_46 = p_29));
        return l_48;
    }
    if (p_28)
        goto lbl_51;
lbl_51:
    g_36 &= ((l_49 = l_49) == (l_50 = l_50));
    g_36 = (g_39 & (safe_div_func_int64_t_s_s((&g_45 != ((safe_div_func_uint64_t_u_u((g_72 = (safe_mod_func_uint64_t_u_u((l_71 |= (safe_mul_func_uint64_t_u_u((safe_add_func_int64_t_s_s(((*l_49) ^= p_28), (g_70 = (safe_lshift_func_int16_t_s_u(((((g_68 = (((g_64 = l_50) == (void*)0) , ((((*l_66) &= p_29) , (-1L)) , p_30))) , (void*)0) != &g_39) & 0L), 13))))), 0UL))), g_3))), p_30)) , l_69[0])), p_29)));
    for (g_39 = 0; (g_39 == 58); g_39++)
    { 
        int32_t *l_75 = (void*)0;
        int64_t *l_93[3];
        uint32_t *l_94 = &l_71;
        int32_t l_95[1];
        int i;
        for (i = 0; i < 3; i++)
            l_93[i] = &g_45;
        for (i = 0; i < 1; i++)
            l_95[i] = (-1L);
        g_76 = l_75;
        g_98 &= (safe_div_func_uint32_t_u_u(((safe_mod_func_int16_t_s_s(((l_96 = ((safe_sub_func_int64_t_s_s((g_45 = ((((safe_mod_func_int16_t_s_s(p_28, ((safe_sub_func_int32_t_s_s((g_36 = (safe_lshift_func_int16_t_s_u(g_3, 10))), ((safe_lshift_func_uint16_t_u_s(0x9F9AL, 1)) , (65535UL <= (safe_div_func_uint32_t_u_u(((*l_94) = ((g_64 = (l_50 = l_93[1])) == (l_49 = l_69[0]))), p_30)))))) , g_45))) >= l_95[0]) < 1UL) & g_70)), 8L)) , l_93[1])) == &g_97), 0xC24AL)) , g_67), p_29));
        for (p_30 = (-19); (p_30 <= 18); p_30++)
        { 
            if (l_95[0])
                break;
        }
    }
    return g_97;
}





int main (void)
{
    int i;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_3, "g_3", print_hash_value);
    transparent_crc(g_36, "g_36", print_hash_value);
    transparent_crc(g_39, "g_39", print_hash_value);
    transparent_crc(g_45, "g_45", print_hash_value);
    transparent_crc(g_67, "g_67", print_hash_value);
    transparent_crc(g_68, "g_68", print_hash_value);
    transparent_crc(g_70, "g_70", print_hash_value);
    transparent_crc(g_72, "g_72", print_hash_value);
    transparent_crc(g_97, "g_97", print_hash_value);
    transparent_crc(g_98, "g_98", print_hash_value);
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_126[i], "g_126[i]", print_hash_value);

    }
    transparent_crc(g_129, "g_129", print_hash_value);
    transparent_crc(g_134, "g_134", print_hash_value);
    transparent_crc(g_143, "g_143", print_hash_value);
    transparent_crc(g_238, "g_238", print_hash_value);
    transparent_crc(g_240, "g_240", print_hash_value);
    transparent_crc(g_241, "g_241", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
