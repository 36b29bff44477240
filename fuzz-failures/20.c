#include "csmith.h"


static long __undefined;



static uint32_t g_17 = 0x17B844A7L;
static int32_t g_29[2] = {(-7L),(-7L)};
static uint16_t g_41[3] = {0UL,0UL,0UL};
static uint32_t g_44 = 4294967295UL;
static int16_t g_48 = (-2L);
static uint16_t g_51[2] = {1UL,1UL};
static uint8_t g_74 = 251UL;
static int8_t g_75 = 0xCFL;
static uint8_t g_97 = 0x52L;
static int16_t g_107[1] = {0L};
static int32_t g_125 = (-9L);
static uint32_t g_138 = 0x8AF5EEACL;
static int32_t g_140 = 0x44AC5510L;
static int16_t g_170 = 0x8F47L;
static uint64_t g_192 = 18446744073709551615UL;
static uint8_t g_279 = 0UL;
static int32_t g_285 = 0L;
static int32_t g_321 = 0x7ECB843AL;
static uint64_t g_339[3] = {18446744073709551615UL,18446744073709551615UL,18446744073709551615UL};
static int16_t g_357 = 5L;
static int32_t g_370 = 0xF0D8E242L;
static int32_t g_371 = 0x4F1A5E73L;
static int32_t g_372 = 4L;
static uint32_t g_373 = 1UL;
static uint32_t g_442 = 0x5EE35BF2L;



static uint8_t  func_1(void);
static int32_t  func_2(uint32_t  p_3, uint16_t  p_4, uint64_t  p_5, uint32_t  p_6, uint64_t  p_7);




static uint8_t  func_1(void)
{ 
    uint16_t l_14 = 1UL;
    int32_t l_24 = 0x8108531DL;
    uint64_t l_27[2];
    const uint32_t l_28[3] = {0x91BA6B42L,0x91BA6B42L,0x91BA6B42L};
    uint16_t l_30 = 0x193FL;
    uint8_t l_215 = 1UL;
    int32_t l_266 = (-4L);
    int16_t l_336 = (-7L);
    uint32_t l_413 = 6UL;
    int i;
    for (i = 0; i < 2; i++)
        l_27[i] = 0UL;
    if (func_2((((safe_mul_func_uint16_t_u_u((safe_rshift_func_int8_t_s_u((g_29[1] = (safe_rshift_func_uint8_t_u_u(l_14, (l_14 , ((safe_add_func_int16_t_s_s((g_17 ^ (safe_rshift_func_uint8_t_u_u(((safe_sub_func_uint16_t_u_u((((safe_add_func_uint64_t_u_u(l_14, (l_24 = 0x23A266D210EC3203LL))) , (safe_lshift_func_uint16_t_u_u(g_17, 10))) == g_17), g_17)) , l_27[1]), l_14))), 7L)) && l_28[0]))))), 5)), 3UL)) != g_17) , 0x120DD93BL), g_17, g_17, l_30, g_17))
    { 
        uint64_t l_202 = 0x2A897AE044C02797LL;
        int32_t l_205[2];
        int32_t l_206[4] = {0xD0C68C70L,0xD0C68C70L,0xD0C68C70L,0xD0C68C70L};
        int i;
        for (i = 0; i < 2; i++)
            l_205[i] = (-1L);
        if ((~((--g_192) && ((65529UL < (((g_140 = (safe_mod_func_int64_t_s_s((safe_mul_func_int8_t_s_s(l_202, ((g_107[0] > 0UL) == (safe_add_func_int16_t_s_s((l_205[1] = g_29[1]), (((l_206[2] > l_206[0]) , 3L) >= g_17)))))), 0x53E1635C7AEBA481LL))) , l_28[0]) , (-1L))) , l_30))))
        { 
            int64_t l_216 = (-9L);
            if (l_28[0])
            { 
                int64_t l_207 = 1L;
                uint32_t l_217 = 0x9C865190L;
                l_217 = ((--g_44) | ((safe_add_func_int32_t_s_s((safe_mod_func_int32_t_s_s(((g_51[1] & l_206[2]) == (g_107[0] <= (l_28[2] && ((+9L) < (((((2L | l_215) | g_138) && l_216) <= 1L) , 2L))))), g_107[0])), g_48)) , g_107[0]));
            }
            else
            { 
                uint32_t l_218 = 0xE91CA70FL;
                uint8_t l_229 = 0xB9L;
                l_218--;
                g_140 = (safe_mod_func_int16_t_s_s((((((safe_sub_func_int8_t_s_s(g_41[1], g_51[1])) || (l_218 > (g_97 != (g_107[0] || ((((l_205[1] ^= ((((safe_rshift_func_int8_t_s_s((safe_mod_func_int8_t_s_s(((0x04FFL == (-9L)) > 0x83D7L), l_216)), g_29[1])) && 0UL) , l_229) , l_27[1])) , g_74) | 255UL) , 1UL))))) && g_51[1]) > g_29[0]) >= g_74), l_206[2]));
                return l_202;
            }
        }
        else
        { 
            uint8_t l_232 = 247UL;
            int32_t l_237 = (-1L);
            for (l_215 = 0; (l_215 >= 19); l_215++)
            { 
                uint32_t l_252 = 1UL;
                l_237 &= ((g_97 , (((l_232 , ((safe_lshift_func_int8_t_s_u((0x6BL != g_170), 6)) > ((safe_add_func_int8_t_s_s(0x22L, 0x3CL)) <= l_232))) , 8L) && l_215)) == 0x42L);
                g_140 = ((safe_mod_func_int16_t_s_s(g_48, (safe_mod_func_int64_t_s_s((safe_sub_func_int8_t_s_s((-1L), (((safe_mul_func_uint16_t_u_u(g_41[1], (safe_add_func_int32_t_s_s(((safe_mul_func_uint16_t_u_u((g_51[1] ^= g_140), (g_107[0] &= ((((safe_sub_func_int16_t_s_s(g_74, (0x50D4A36DL & g_48))) , 0x1C93EE8434840841LL) & g_48) & l_252)))) != l_252), g_41[1])))) , l_252) ^ l_205[1]))), g_192)))) <= l_237);
            }
        }
    }
    else
    { 
        int16_t l_254 = 0xFAA0L;
        int16_t l_265 = 0x2B58L;
        int32_t l_267 = 0xCF811F13L;
        for (l_30 = 0; (l_30 <= 1); l_30 += 1)
        { 
            int i;
            if (l_27[l_30])
                break;
            for (l_24 = 0; (l_24 <= 1); l_24 += 1)
            { 
                int32_t l_253[1];
                int i;
                for (i = 0; i < 1; i++)
                    l_253[i] = 0x4CBFBA9AL;
                l_253[0] = (0xFDL >= l_27[l_24]);
                l_266 &= ((l_27[l_30] != l_254) , (safe_mod_func_int64_t_s_s((((!(((safe_add_func_int32_t_s_s((4294967294UL && (18446744073709551608UL <= (!((safe_mul_func_uint8_t_u_u(g_29[1], l_14)) , g_107[0])))), 0x0E7B0658L)) , 0xFC27L) | l_27[l_30])) > g_125) ^ l_265), g_125)));
            }
            l_267 = l_27[l_30];
        }
        l_267 = l_27[0];
        g_140 = (1UL | ((0x04BD958CC197FE0CLL < ((((!l_27[1]) != g_107[0]) & ((l_266 = ((l_267 && (g_17 == l_265)) , 1L)) != l_254)) ^ g_75)) != g_48));
    }
    for (g_140 = (-26); (g_140 < 16); g_140 = safe_add_func_int8_t_s_s(g_140, 8))
    { 
        int64_t l_276 = 0x932FE9E5AFB12AC0LL;
        int32_t l_322[3];
        int32_t l_324 = (-1L);
        uint32_t l_335[1];
        int8_t l_337 = 1L;
        uint64_t l_478 = 0xF65F103191E1A1A6LL;
        uint8_t l_479 = 253UL;
        int i;
        for (i = 0; i < 3; i++)
            l_322[i] = (-1L);
        for (i = 0; i < 1; i++)
            l_335[i] = 5UL;
        g_279 |= (g_41[1] && (safe_mod_func_int32_t_s_s((safe_unary_minus_func_uint32_t_u((g_41[1] > (((((g_107[0] = (-10L)) , (safe_sub_func_int16_t_s_s((((l_276 & 1UL) >= (((l_24 = (safe_rshift_func_uint8_t_u_s(0xFEL, g_138))) == l_14) , l_276)) != g_74), g_97))) >= 65535UL) < l_276) | l_28[0])))), l_14)));
        for (g_279 = 0; (g_279 < 2); ++g_279)
        { 
            int32_t l_284 = (-1L);
            uint16_t l_319 = 0x0C72L;
            const int16_t l_338 = 0x67C2L;
            int32_t l_355[4] = {(-9L),(-9L),(-9L),(-9L)};
            int i;
            if ((safe_rshift_func_uint8_t_u_s(0x6DL, 4)))
            { 
                uint16_t l_288[3];
                int16_t l_317 = 0x7A02L;
                int32_t l_318 = (-1L);
                int32_t l_320 = (-2L);
                uint32_t l_323 = 0UL;
                int i;
                for (i = 0; i < 3; i++)
                    l_288[i] = 0x79C4L;
                g_285 &= l_284;
                l_284 = ((g_41[1] = 65526UL) && ((safe_div_func_int64_t_s_s(l_288[2], 0xB2DE809F092F5C2CLL)) || (safe_mul_func_int8_t_s_s(((((((g_44 = (safe_mul_func_int8_t_s_s(((l_324 = (((safe_sub_func_int32_t_s_s(((((l_322[2] = (safe_div_func_int32_t_s_s((safe_add_func_int32_t_s_s((!((g_321 &= ((l_320 = (safe_mod_func_uint64_t_u_u((safe_rshift_func_uint16_t_u_s((((safe_lshift_func_uint16_t_u_u(((safe_unary_minus_func_int8_t_s((l_318 = (safe_add_func_int64_t_s_s((safe_add_func_uint64_t_u_u((safe_mod_func_int16_t_s_s(0x0B5DL, ((safe_add_func_uint16_t_u_u((((safe_lshift_func_int16_t_s_s(((((((l_284 , (0UL | 1UL)) , 7UL) >= 9UL) , g_140) & 7L) > g_41[0]), 7)) , 4294967293UL) && l_288[2]), l_317)) & g_17))), 7UL)), l_317))))) >= 0x11396C76L), l_319)) | g_29[1]) , 3UL), 13)), g_29[1]))) != g_51[1])) , l_14)), g_44)), g_192))) >= l_14) >= g_44) , l_284), l_323)) <= 0xC50BE3B6L) , g_107[0])) , g_48), g_17))) >= l_317) ^ 4294967295UL) , l_28[0]) , g_29[0]) == l_319), l_276))));
                if (l_319)
                    continue;
                g_339[2] = (safe_lshift_func_int16_t_s_s(((l_320 ^= (safe_div_func_uint32_t_u_u(((safe_sub_func_uint16_t_u_u((g_41[1] = (safe_lshift_func_int16_t_s_s(((1L >= (l_337 = (0x32214606L ^ ((252UL && (((safe_rshift_func_uint8_t_u_u(((((l_215 > 0xF2E5L) > l_335[0]) | 1UL) , l_336), g_44)) & l_336) ^ l_319)) || g_41[1])))) <= 7L), l_323))), l_338)) > l_318), l_338))) || l_288[2]), 0));
            }
            else
            { 
                uint32_t l_354 = 4294967291UL;
                int16_t l_356[4] = {0xD6E2L,0xD6E2L,0xD6E2L,0xD6E2L};
                int i;
                g_357 &= (safe_lshift_func_uint8_t_u_u((safe_rshift_func_int16_t_s_u((safe_div_func_uint32_t_u_u((((safe_lshift_func_int16_t_s_s(g_74, (((((((safe_mod_func_int16_t_s_s(g_74, (safe_add_func_uint64_t_u_u((g_339[2] < ((0L < ((0UL > ((l_354 = (((-1L) && g_339[2]) , 0xECC3E4EAL)) > l_336)) , (-1L))) ^ 0x6A29B00BL)), l_335[0])))) == (-1L)) , 8L) ^ 4UL) ^ l_355[2]) && g_17) != g_97))) , l_356[0]) <= 1L), 0x4F96347AL)), g_285)), l_27[1]));
                l_322[2] = (g_107[0] , (safe_add_func_int16_t_s_s((safe_rshift_func_int16_t_s_u(((safe_div_func_int64_t_s_s((g_140 != ((safe_sub_func_uint64_t_u_u((0xE7F2L & (~g_41[1])), g_48)) , (((safe_unary_minus_func_int8_t_s((-1L))) == 0x3559L) , g_279))), 0x51773A403BB16350LL)) , g_285), 2)), l_276)));
            }
            if (g_321)
                break;
        }
        for (g_321 = 0; (g_321 >= (-20)); g_321--)
        { 
            int8_t l_411[4];
            int32_t l_412 = 0x1A69871AL;
            int64_t l_414[1];
            int32_t l_415 = 0xDF079757L;
            int8_t l_441[4];
            int i;
            for (i = 0; i < 4; i++)
                l_411[i] = 0L;
            for (i = 0; i < 1; i++)
                l_414[i] = 0x643F7BD035DC35DFLL;
            for (i = 0; i < 4; i++)
                l_441[i] = 1L;
            --g_373;
            l_415 ^= ((((safe_rshift_func_int8_t_s_u((((safe_rshift_func_int8_t_s_u((safe_sub_func_int16_t_s_s((safe_sub_func_uint16_t_u_u(((+(((0xB8D4A8BD84819556LL || ((((safe_lshift_func_uint16_t_u_u(l_28[2], 15)) == (safe_sub_func_uint64_t_u_u(((g_97 >= (((safe_rshift_func_uint8_t_u_u((safe_div_func_int64_t_s_s((safe_mod_func_int32_t_s_s((safe_rshift_func_int8_t_s_s((safe_add_func_uint32_t_u_u(g_48, (safe_mul_func_int8_t_s_s((g_75 = (-1L)), (safe_mod_func_uint16_t_u_u(((safe_add_func_uint8_t_u_u(((l_411[3] = (((g_74--) | (((safe_mul_func_uint16_t_u_u(((l_322[2] &= (safe_add_func_uint8_t_u_u(g_107[0], g_321))) | g_370), l_14)) & 0xEE3AL) == g_339[2])) <= (-6L))) , 0x10L), 0x87L)) || 0L), g_44)))))), g_370)), l_276)), l_215)), 3)) < l_276) ^ l_412)) & 1L), l_413))) && g_285) < l_14)) < l_215) != 2UL)) , l_322[1]), l_412)), l_412)), l_414[0])) == 0x02L) , 0x11L), g_41[1])) , g_170) && 1L) , l_412);
            for (l_412 = 0; (l_412 <= 1); l_412 += 1)
            { 
                int i;
                l_415 = (((safe_add_func_uint16_t_u_u((safe_mul_func_uint8_t_u_u((((safe_rshift_func_uint16_t_u_u(((safe_div_func_int32_t_s_s((safe_lshift_func_uint8_t_u_u((g_279 ^= g_29[l_412]), (++g_74))), (--g_373))) || (((0x8BL == (g_29[l_412] == g_371)) >= (g_442 = (((g_44 = ((((safe_div_func_uint32_t_u_u(l_414[0], ((((safe_lshift_func_int16_t_s_u((((safe_div_func_int32_t_s_s((~(safe_mul_func_int8_t_s_s(((safe_mod_func_uint16_t_u_u(l_441[1], l_412)) >= g_373), g_41[1]))), 4294967295UL)) , (-10L)) != 7L), g_29[1])) && l_413) & 0x28CB4A76L) && g_357))) != l_322[2]) == 65535UL) <= g_51[1])) , g_339[2]) > g_140))) >= g_107[0])), 1)) || l_215) , l_28[2]), g_29[l_412])), l_27[1])) < l_411[1]) || (-6L));
            }
            l_415 = ((safe_mod_func_uint32_t_u_u(((((l_322[1] = (safe_mod_func_int8_t_s_s(((((++g_373) != (l_411[1] | (g_357 = g_321))) ^ (safe_div_func_int8_t_s_s((((+l_411[3]) , ((-1L) | (g_107[0] , l_215))) <= 0xE4L), g_17))) , g_357), 6L))) ^ l_414[0]) ^ l_28[0]) < g_372), 0x834627BEL)) ^ l_28[0]);
        }
        g_371 &= (safe_mul_func_uint8_t_u_u(((safe_mod_func_uint8_t_u_u((safe_lshift_func_int16_t_s_s(l_335[0], 0)), ((safe_add_func_uint64_t_u_u(((g_74 = ((safe_rshift_func_uint16_t_u_u((l_266 = (safe_div_func_int64_t_s_s((!(l_322[2] <= (((l_24 &= g_285) , ((safe_lshift_func_int8_t_s_u((~(((((((l_324 = ((((safe_mul_func_int16_t_s_s((safe_lshift_func_int16_t_s_s(g_51[1], ((safe_lshift_func_int8_t_s_u((safe_add_func_uint16_t_u_u(l_324, (safe_sub_func_int16_t_s_s(l_335[0], l_276)))), l_413)) < g_285))), l_478)) ^ l_479) ^ g_41[1]) | l_276)) , g_321) , 8UL) | 0xAD8554B9EBD0323BLL) ^ 0x7CL) , l_215) || g_17)), 6)) , l_337)) >= 0UL))), l_276))), 10)) && 4UL)) >= g_29[1]), 18446744073709551613UL)) | 1UL))) < 253UL), 0xFEL));
    }
    l_266 = ((safe_lshift_func_uint16_t_u_u(((safe_sub_func_uint8_t_u_u((safe_add_func_int16_t_s_s(((safe_add_func_uint64_t_u_u((l_27[1] || l_413), (0xAE68L < ((g_372 |= 0xD2380167L) <= g_17)))) < l_336), l_336)), 7UL)) <= l_215), 13)) != l_27[1]);
    return l_28[1];
}



static int32_t  func_2(uint32_t  p_3, uint16_t  p_4, uint64_t  p_5, uint32_t  p_6, uint64_t  p_7)
{ 
    uint32_t l_39 = 0x13550E35L;
    int32_t l_42 = 0x9BEBB6F2L;
    int32_t l_76[1];
    int16_t l_136[4];
    uint32_t l_137[4];
    uint32_t l_139[2];
    int i;
    for (i = 0; i < 1; i++)
        l_76[i] = 0L;
    for (i = 0; i < 4; i++)
        l_136[i] = (-1L);
    for (i = 0; i < 4; i++)
        l_137[i] = 0x7FAD0BDBL;
    for (i = 0; i < 2; i++)
        l_139[i] = 9UL;
lbl_141:
    for (p_6 = 25; (p_6 != 20); --p_6)
    { 
        int32_t l_40 = (-1L);
        int64_t l_43[1];
        int32_t l_49 = 0x53B22489L;
        int32_t l_50 = 0xB76FEF6FL;
        int16_t l_77 = 0xD631L;
        int i;
        for (i = 0; i < 1; i++)
            l_43[i] = 0xDBB9A2F725DC8FF0LL;
        if ((((safe_div_func_int8_t_s_s(g_17, (safe_add_func_uint8_t_u_u((safe_rshift_func_int8_t_s_u(0L, (g_29[1] , g_29[1]))), (((((l_42 ^= (l_39 <= (g_41[1] = (((((((p_3 > p_4) & p_5) < l_40) || (-1L)) , 0xB1C2L) ^ p_7) >= p_4)))) | 0x0F40BF68L) != 0UL) >= 0xD497C242EA6AE202LL) <= l_43[0]))))) , p_5) ^ p_5))
        { 
            ++g_44;
        }
        else
        { 
            uint64_t l_47 = 0xB46FAC5ADF6F6D77LL;
            int32_t l_63 = 0x45104F36L;
            l_47 = 0x49C90605L;
            ++g_51[1];
            l_63 ^= (safe_mul_func_uint8_t_u_u((g_44 <= (l_40 , 0x9262L)), ((l_42 ^= ((+0xF520L) == g_48)) == (safe_add_func_int32_t_s_s((((safe_lshift_func_int16_t_s_s((safe_div_func_uint64_t_u_u(p_6, 1UL)), l_49)) ^ 0xDAL) ^ g_29[1]), (-1L))))));
            return l_39;
        }
        for (l_40 = 17; (l_40 < 14); --l_40)
        { 
            uint32_t l_96 = 0xF92971DFL;
            for (l_42 = 0; (l_42 <= 2); l_42 += 1)
            { 
                int i;
                return g_41[l_42];
            }
            for (l_50 = 0; l_50 < 1; l_50 += 1)
            {
                l_43[l_50] = 0x61F882D77871239BLL;
            }
            for (l_39 = 0; (l_39 <= 0); l_39 += 1)
            { 
                int i;
                l_50 = ((safe_rshift_func_int16_t_s_s(((((safe_mod_func_uint16_t_u_u((((l_76[0] = (g_75 = ((safe_add_func_int64_t_s_s(8L, (((((l_43[l_39] && p_4) < (7UL == (g_74 |= ((((safe_mod_func_uint64_t_u_u(((l_42 = g_44) & 0x6930A875637402B8LL), l_43[l_39])) , p_7) | 1L) || 0UL)))) | p_7) >= 0UL) < 1L))) & g_41[1]))) || 0xA30E0CE775B4C718LL) < l_43[l_39]), (-1L))) , p_7) & 0L) != 4L), g_41[1])) <= g_29[1]);
                l_76[0] = l_77;
            }
            g_97 = (safe_rshift_func_uint8_t_u_s(((((((((safe_add_func_uint32_t_u_u((safe_mul_func_int8_t_s_s((0xC7L != ((((safe_rshift_func_int16_t_s_s(((safe_sub_func_int16_t_s_s(1L, g_41[2])) , (l_50 = (safe_mod_func_int8_t_s_s(((safe_add_func_uint64_t_u_u(0x5DFDCAF09E5C5CB2LL, (((((safe_rshift_func_int16_t_s_s((safe_div_func_int16_t_s_s(l_76[0], p_6)), 0)) < 0x6FCCF6B0L) != p_7) | g_29[1]) , g_29[1]))) && l_40), l_96)))), p_7)) , p_4) == 0x49FEL) , g_48)), p_5)), p_6)) && p_7) <= g_44) >= l_96) || 0x96B4A016C9CC5FAELL) <= l_96) , l_50) != g_17), 0));
        }
        l_76[0] = l_43[0];
        for (l_39 = 0; (l_39 <= 3); l_39 = safe_add_func_uint32_t_u_u(l_39, 9))
        { 
            int64_t l_102 = (-10L);
            int8_t l_108 = 0x78L;
            int32_t l_122 = (-1L);
            l_49 = (((g_41[2] != (((safe_lshift_func_uint8_t_u_u((((((g_48 = ((g_41[1] , ((g_51[1] ^ l_76[0]) < l_77)) && ((g_51[1]--) < ((g_107[0] = ((safe_add_func_int32_t_s_s(0x2DD077F0L, g_29[1])) & g_41[1])) , p_7)))) | g_75) >= 250UL) > 1L) != g_75), l_102)) >= l_102) != g_41[1])) <= 7L) ^ l_108);
            l_122 = ((safe_rshift_func_uint8_t_u_s(0xBFL, 7)) ^ ((+p_7) >= ((l_43[0] , (((g_51[1] <= (l_50 = (((safe_mul_func_uint16_t_u_u((safe_sub_func_int8_t_s_s(((safe_div_func_int16_t_s_s(0x63E9L, (safe_div_func_uint16_t_u_u(l_39, l_49)))) >= g_107[0]), g_75)), g_51[1])) >= l_42) , p_6))) != p_6) , g_41[1])) >= p_6)));
        }
    }
    for (g_75 = (-8); (g_75 <= (-17)); g_75 = safe_sub_func_int64_t_s_s(g_75, 3))
    { 
        uint32_t l_134 = 0xF285608BL;
        int32_t l_162 = 0x294E6100L;
        g_125 = l_76[0];
        g_140 = (l_139[1] = (g_138 |= (l_42 ^= (safe_add_func_uint64_t_u_u(((p_5 & (safe_rshift_func_uint16_t_u_u(((safe_mod_func_uint16_t_u_u((safe_rshift_func_int16_t_s_u(l_134, (18446744073709551615UL >= p_5))), l_134)) , ((g_97 = (safe_unary_minus_func_uint32_t_u((((0xE0L || l_136[1]) , l_134) <= l_137[1])))) < p_5)), 4))) && g_107[0]), g_17)))));
        if (g_74)
            goto lbl_141;
        for (g_44 = (-13); (g_44 == 23); ++g_44)
        { 
            int32_t l_159 = (-1L);
            int32_t l_160[4] = {(-7L),(-7L),(-7L),(-7L)};
            const int8_t l_161 = 0x32L;
            uint32_t l_183 = 0x102788A4L;
            uint16_t l_189 = 65535UL;
            int i;
            for (g_74 = 0; (g_74 <= 2); g_74 += 1)
            { 
                int32_t l_187[4];
                int16_t l_188[1];
                int i;
                for (i = 0; i < 4; i++)
                    l_187[i] = 1L;
                for (i = 0; i < 1; i++)
                    l_188[i] = 0xCB3DL;
                g_140 = (safe_div_func_uint64_t_u_u(g_41[g_74], ((g_41[g_74] , (l_162 = (((safe_div_func_int8_t_s_s((l_42 = (safe_mod_func_uint32_t_u_u((safe_add_func_int64_t_s_s((((l_160[3] = ((safe_add_func_uint16_t_u_u(8UL, (safe_unary_minus_func_int64_t_s((l_159 = ((safe_mod_func_uint64_t_u_u(0xCF68907D73F8B2FELL, (safe_mul_func_uint8_t_u_u(l_134, p_4)))) && p_4)))))) , g_107[0])) | g_29[1]) , 0x30246D126375140DLL), 0x6DE95A862B899241LL)), l_134))), l_161)) <= 0L) && (-10L)))) , g_138)));
                g_140 = (0xB735CC4819D74962LL == (safe_mod_func_int64_t_s_s((safe_sub_func_uint8_t_u_u((safe_sub_func_uint16_t_u_u((safe_unary_minus_func_uint32_t_u(((g_170 = g_41[g_74]) && l_134))), (((safe_add_func_uint64_t_u_u(((safe_div_func_uint32_t_u_u((safe_lshift_func_int8_t_s_u((safe_mul_func_int16_t_s_s((safe_mul_func_int16_t_s_s((safe_lshift_func_int16_t_s_s((g_48 = (g_107[0] = (l_183 = p_5))), 14)), (~8UL))), ((safe_lshift_func_uint8_t_u_s((((((((l_162 = (l_187[0] = 1L)) & g_17) <= 0xE9B9E4C7L) , g_97) && 4L) || p_4) , 9UL), p_3)) & l_139[1]))), 6)), 4294967287UL)) || 0xD1B8A4D6DA33BDD3LL), g_41[1])) , g_107[0]) , 0x7811L))), g_74)), g_29[1])));
                --l_189;
            }
            --g_192;
            if (g_48)
                goto lbl_141;
        }
    }
    return p_4;
}





int main (int argc, char* argv[])
{
    int i;
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_17, "g_17", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_29[i], "g_29[i]", print_hash_value);

    }
    for (i = 0; i < 3; i++)
    {
        transparent_crc(g_41[i], "g_41[i]", print_hash_value);

    }
    transparent_crc(g_44, "g_44", print_hash_value);
    transparent_crc(g_48, "g_48", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_51[i], "g_51[i]", print_hash_value);

    }
    transparent_crc(g_74, "g_74", print_hash_value);
    transparent_crc(g_75, "g_75", print_hash_value);
    transparent_crc(g_97, "g_97", print_hash_value);
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_107[i], "g_107[i]", print_hash_value);

    }
    transparent_crc(g_125, "g_125", print_hash_value);
    transparent_crc(g_138, "g_138", print_hash_value);
    transparent_crc(g_140, "g_140", print_hash_value);
    transparent_crc(g_170, "g_170", print_hash_value);
    transparent_crc(g_192, "g_192", print_hash_value);
    transparent_crc(g_279, "g_279", print_hash_value);
    transparent_crc(g_285, "g_285", print_hash_value);
    transparent_crc(g_321, "g_321", print_hash_value);
    for (i = 0; i < 3; i++)
    {
        transparent_crc(g_339[i], "g_339[i]", print_hash_value);

    }
    transparent_crc(g_357, "g_357", print_hash_value);
    transparent_crc(g_370, "g_370", print_hash_value);
    transparent_crc(g_371, "g_371", print_hash_value);
    transparent_crc(g_372, "g_372", print_hash_value);
    transparent_crc(g_373, "g_373", print_hash_value);
    transparent_crc(g_442, "g_442", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
