#include "csmith.h"


static long __undefined;



static int64_t g_2 = 0L;
static int16_t g_27 = 9L;
static int32_t g_31 = 0xAB430688L;
static int32_t *g_33 = &g_31;
static uint32_t g_62 = 0UL;
static uint32_t g_96 = 18446744073709551607UL;
static uint32_t g_115 = 0x8679C021L;
static int16_t g_139 = 0x8F4DL;
static int16_t g_152 = (-1L);
static uint8_t g_153 = 0xF6L;
static uint8_t g_173 = 0x35L;
static int16_t g_187 = 7L;
static int32_t g_225 = 0L;



static uint64_t  func_1(void);
static int32_t  func_8(int32_t  p_9);




static uint64_t  func_1(void)
{ 
    const int16_t l_156 = 1L;
    int32_t *l_186 = &g_31;
    if ((g_2 , g_2))
    { 
        return g_2;
    }
    else
    { 
        uint32_t l_5 = 1UL;
        int32_t *l_215 = &g_31;
        if ((((g_2 && ((((l_5 | ((safe_mod_func_uint64_t_u_u((func_8(l_5) ^ 0xB18C892FL), l_156)) < (-5L))) || l_156) & l_156) , 18446744073709551611UL)) ^ g_115) == 1UL))
        { 
            int32_t *l_157 = &g_31;
            int32_t *l_158 = &g_31;
            int32_t *l_159 = &g_31;
            int32_t *l_160 = &g_31;
            int32_t *l_161 = &g_31;
            int32_t *l_162 = &g_31;
            int32_t *l_163 = (void*)0;
            int32_t *l_164 = &g_31;
            int32_t *l_165 = &g_31;
            int32_t *l_166 = &g_31;
            int32_t *l_167 = &g_31;
            int32_t l_168 = 0x86F2BE0BL;
            int32_t *l_169 = (void*)0;
            int32_t *l_170 = (void*)0;
            int32_t *l_171 = &l_168;
            int32_t *l_172 = &g_31;
            g_173--;
        }
        else
        { 
            int32_t *l_176 = &g_31;
            (*l_176) &= g_62;
        }
        for (g_2 = 21; (g_2 > 28); g_2 = safe_add_func_uint32_t_u_u(g_2, 4))
        { 
            int32_t *l_179 = &g_31;
            g_187 &= (((void*)0 != l_179) != (((safe_rshift_func_int16_t_s_u(((*l_179) || (safe_rshift_func_uint16_t_u_s(g_2, (((((safe_add_func_uint64_t_u_u(l_5, g_173)) | 0x860EE8D33E78ED21LL) != (*l_179)) , l_186) == &g_31)))), l_5)) || (*l_179)) != g_115));
            (*l_179) &= (!0x8F58BFB5L);
        }
        if (((g_173 < (safe_lshift_func_int16_t_s_s((((safe_lshift_func_uint16_t_u_u(((safe_lshift_func_int16_t_s_s(((g_2 | ((0x737D7061L || (safe_add_func_uint64_t_u_u((((*l_186) <= ((((*l_186) == g_139) & g_173) >= g_153)) , g_62), g_62))) , l_5)) , g_31), l_5)) , g_27), g_139)) != l_5) , g_173), 4))) || 0x191750CCDA4A6FB2LL))
        { 
            int32_t l_197 = 0xC589AC8CL;
            g_31 &= g_173;
            l_186 = &g_31;
            (*l_186) = (l_197 < (safe_mod_func_int16_t_s_s((g_96 ^ (((safe_add_func_uint32_t_u_u((safe_lshift_func_int16_t_s_s(((g_115 , (safe_div_func_uint16_t_u_u((safe_mod_func_uint16_t_u_u((g_62 && (safe_mod_func_int32_t_s_s((l_197 & g_187), 5L))), g_96)), l_5))) , g_96), g_96)), 0UL)) >= 18446744073709551611UL) != g_153)), (*l_186))));
        }
        else
        { 
            int32_t *l_223 = &g_31;
            int32_t *l_224 = &g_225;
            const uint32_t l_228 = 0xB5441F78L;
            (*l_224) ^= (safe_div_func_uint64_t_u_u((safe_add_func_int16_t_s_s((((safe_unary_minus_func_uint32_t_u((&g_31 == l_215))) ^ ((((((g_115 <= (!(safe_rshift_func_int16_t_s_u((((safe_sub_func_uint64_t_u_u(((safe_lshift_func_int16_t_s_s((((*l_186) , l_223) != &g_31), 14)) || 0xE6A9L), 0x6C7B7FC80EF8999BLL)) != g_96) && g_187), 15)))) == g_2) , g_27) <= 0L) > (*l_223)) <= (*l_215))) != (*l_215)), (*l_186))), g_152));
            l_223 = l_215;
            (*l_224) ^= ((l_228 == (l_186 != (void*)0)) != ((safe_add_func_uint64_t_u_u((safe_sub_func_uint16_t_u_u((*l_215), 65535UL)), (*l_215))) , (*l_223)));
        }
    }
    return g_187;
}



static int32_t  func_8(int32_t  p_9)
{ 
    int32_t l_26 = 0xFBB9CF7DL;
    int32_t *l_30 = &g_31;
    int32_t l_46 = 0x3E87122AL;
    int32_t l_61 = 0xA26275F9L;
    if (g_2)
    { 
        int16_t l_14 = 0x8073L;
        int32_t l_37 = 0x239BE99BL;
        int32_t l_52 = (-1L);
        int32_t l_59 = (-6L);
        g_27 = ((safe_lshift_func_uint16_t_u_u((((safe_sub_func_int16_t_s_s(((l_14 & 0L) | ((safe_rshift_func_int16_t_s_s((safe_sub_func_int16_t_s_s(((safe_unary_minus_func_int32_t_s(((safe_mod_func_uint64_t_u_u(((safe_lshift_func_int16_t_s_u((l_14 & (safe_rshift_func_int16_t_s_s(g_2, 2))), 8)) || l_26), l_26)) != l_26))) && p_9), 7UL)), 2)) == 0xBD10L)), g_2)) <= l_14) ^ 0x930F888CL), 5)) , p_9);
        for (p_9 = 0; (p_9 <= (-17)); --p_9)
        { 
            int32_t *l_32 = &g_31;
            l_32 = l_30;
            g_33 = (void*)0;
            return (*l_32);
        }
        if ((*g_33))
        { 
            int32_t *l_34 = &g_31;
            int32_t *l_35 = &g_31;
            int32_t *l_36 = &g_31;
            int32_t *l_38 = &g_31;
            int32_t *l_39 = &g_31;
            int32_t *l_40 = &l_37;
            int32_t *l_41 = &g_31;
            int32_t *l_42 = &g_31;
            int32_t *l_43 = &g_31;
            int32_t *l_44 = &g_31;
            int32_t *l_45 = &l_37;
            int32_t *l_47 = &l_37;
            int32_t *l_48 = &l_37;
            int32_t *l_49 = &l_46;
            int32_t *l_50 = &l_37;
            int32_t *l_51 = (void*)0;
            int32_t *l_53 = &g_31;
            int32_t *l_54 = &l_37;
            int32_t *l_55 = (void*)0;
            int32_t *l_56 = &l_37;
            int32_t *l_57 = &g_31;
            int32_t *l_58 = &l_52;
            int32_t *l_60 = &g_31;
            g_62++;
        }
        else
        { 
            return (*g_33);
        }
    }
    else
    { 
        int32_t l_72 = (-1L);
        uint32_t l_116 = 0xFF04DBB3L;
        int32_t *l_117 = &g_31;
        if (p_9)
        { 
            int32_t *l_73 = (void*)0;
            int32_t *l_74 = &l_61;
            int32_t *l_75 = &l_61;
            int32_t *l_76 = &l_61;
            int32_t *l_77 = &g_31;
            int32_t *l_78 = &l_61;
            int32_t *l_79 = &g_31;
            int32_t *l_80 = (void*)0;
            int32_t *l_81 = &l_46;
            int32_t *l_82 = (void*)0;
            int32_t *l_83 = &g_31;
            int32_t *l_84 = &g_31;
            int32_t *l_85 = &l_46;
            int32_t *l_86 = &g_31;
            int32_t *l_87 = &l_46;
            int32_t *l_88 = &g_31;
            int32_t *l_89 = &g_31;
            int32_t *l_90 = &l_61;
            int32_t *l_91 = (void*)0;
            int32_t *l_92 = (void*)0;
            int32_t *l_93 = &g_31;
            int32_t *l_94 = &g_31;
            int32_t *l_95 = &l_61;
            (*l_74) ^= (safe_lshift_func_uint16_t_u_s((!((((safe_sub_func_uint16_t_u_u((safe_sub_func_int32_t_s_s((((g_62 & p_9) || p_9) == (g_2 <= g_62)), (-1L))), p_9)) || l_72) & 0L) && l_72)), g_31));
            --g_96;
        }
        else
        { 
            uint32_t l_101 = 0x4DB73D5EL;
            int32_t *l_106 = &l_46;
            (*l_106) |= (((safe_mul_func_uint64_t_u_u(l_101, 0L)) > (((safe_mul_func_uint16_t_u_u((safe_add_func_uint64_t_u_u(g_96, p_9)), ((0xDA12L | p_9) && 0xEFF2B3A7L))) ^ 0x10CAL) , 0x49FEC891L)) | (*g_33));
        }
        if ((safe_add_func_int16_t_s_s((0x3136L >= (l_72 , ((safe_add_func_int16_t_s_s(((p_9 == ((safe_mul_func_int16_t_s_s((-1L), (safe_sub_func_uint16_t_u_u(g_115, l_116)))) || l_72)) , (*l_30)), p_9)) | l_116))), g_31)))
        { 
            int32_t l_118 = (-1L);
            int32_t *l_119 = (void*)0;
            int32_t *l_120 = &l_61;
            (*g_33) = (*l_30);
            (*l_120) |= ((0xE100AA35L | (l_117 == ((p_9 ^ l_118) , l_119))) != (*l_30));
            (*l_120) &= (safe_lshift_func_uint16_t_u_s(((safe_mod_func_int64_t_s_s((p_9 | (safe_rshift_func_uint16_t_u_s((((*l_30) == (safe_mul_func_int16_t_s_s(g_62, ((*l_30) > (*l_117))))) , g_96), 7))), g_27)) >= p_9), 0));
        }
        else
        { 
            int32_t *l_131 = &l_61;
            int32_t *l_132 = (void*)0;
            int32_t *l_133 = &g_31;
            int32_t *l_134 = &l_46;
            int32_t *l_135 = &g_31;
            int32_t *l_136 = &l_61;
            int32_t *l_137 = (void*)0;
            int32_t l_138 = 0x385A40E5L;
            int32_t l_140 = 0xBB176A92L;
            int32_t *l_141 = &g_31;
            int32_t *l_142 = (void*)0;
            int32_t *l_143 = &g_31;
            int32_t *l_144 = &g_31;
            int32_t *l_145 = &l_138;
            int32_t *l_146 = &l_46;
            int32_t *l_147 = &l_140;
            int32_t *l_148 = &l_140;
            int32_t *l_149 = &l_61;
            int32_t *l_150 = &g_31;
            int32_t *l_151 = (void*)0;
            (*l_30) = (safe_add_func_int32_t_s_s((-8L), (*g_33)));
            ++g_153;
        }
    }
    return (*g_33);
}





int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    transparent_crc(g_27, "g_27", print_hash_value);
    transparent_crc(g_31, "g_31", print_hash_value);
    transparent_crc(g_62, "g_62", print_hash_value);
    transparent_crc(g_96, "g_96", print_hash_value);
    transparent_crc(g_115, "g_115", print_hash_value);
    transparent_crc(g_139, "g_139", print_hash_value);
    transparent_crc(g_152, "g_152", print_hash_value);
    transparent_crc(g_153, "g_153", print_hash_value);
    transparent_crc(g_173, "g_173", print_hash_value);
    transparent_crc(g_187, "g_187", print_hash_value);
    transparent_crc(g_225, "g_225", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
