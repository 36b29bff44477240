#include <float.h>
#include <math.h>
#include "csmith.h"


static long __undefined;



static float g_8 = 0x0.5DAE5Ap-46;
static uint16_t g_10[2] = {0UL,0UL};
static int32_t g_12 = (-1L);
static int32_t *g_35[1][2] = {{&g_12,&g_12}};
static int32_t **g_34 = &g_35[0][1];
static float *g_57 = &g_8;
static int32_t g_92[1][2] = {{0xF48DF117L,0xF48DF117L}};
static const float *g_177 = &g_8;
static uint16_t g_189 = 65535UL;
static int8_t g_330 = 0x22L;
static int32_t *g_337 = &g_92[0][1];



static int32_t  func_1(void);
static const int64_t  func_13(float  p_14, int32_t * const  p_15, uint32_t  p_16, int32_t * p_17);




static int32_t  func_1(void)
{ 
    int32_t l_9 = 0xB7F37C04L;
    int32_t *l_11 = &g_12;
    uint32_t l_242[1];
    int32_t ***l_276 = &g_34;
    int32_t l_331[2];
    int32_t l_358[2][2] = {{2L,2L},{2L,2L}};
    uint8_t l_359 = 0x60L;
    int i, j;
    for (i = 0; i < 1; i++)
        l_242[i] = 1UL;
    for (i = 0; i < 2; i++)
        l_331[i] = (-1L);
    (*l_11) = (safe_sub_func_uint32_t_u_u(((safe_add_func_uint32_t_u_u(((safe_lshift_func_int16_t_s_u((l_9 > l_9), 3)) <= 1L), g_10[1])) < g_10[1]), l_9));
    (*l_11) = (*l_11);
    if (((func_13((l_11 != (void*)0), l_11, (*l_11), &g_12) , &g_92[0][1]) != (void*)0))
    { 
        uint32_t l_219 = 0xFBD8A10EL;
        int32_t l_238 = 1L;
        int32_t * const * const *l_274 = (void*)0;
        float *l_284 = &g_8;
        if ((*l_11))
        { 
            int64_t l_237 = (-10L);
            for (l_9 = 0; (l_9 <= 4); l_9++)
            { 
                float l_218[1][1];
                int32_t ***l_220 = &g_34;
                int32_t *l_221 = (void*)0;
                int32_t *l_222 = &g_92[0][1];
                int32_t *l_223 = &g_92[0][1];
                int32_t *l_224 = &g_92[0][1];
                int32_t *l_225 = &g_12;
                int32_t *l_226 = &g_92[0][0];
                int32_t *l_227 = &g_12;
                int32_t *l_228 = &g_92[0][1];
                int32_t l_229 = 9L;
                int32_t *l_230 = &g_92[0][1];
                int32_t *l_231 = &g_92[0][0];
                int32_t *l_232 = &g_12;
                int32_t *l_233 = &g_12;
                int32_t *l_234 = &l_229;
                int32_t *l_235 = &l_229;
                int32_t *l_236[1][1];
                uint8_t l_239[1][1];
                int i, j;
                for (i = 0; i < 1; i++)
                {
                    for (j = 0; j < 1; j++)
                        l_218[i][j] = 0x6.6E8A3Ap+35;
                }
                for (i = 0; i < 1; i++)
                {
                    for (j = 0; j < 1; j++)
                        l_236[i][j] = &g_92[0][1];
                }
                for (i = 0; i < 1; i++)
                {
                    for (j = 0; j < 1; j++)
                        l_239[i][j] = 0xC5L;
                }
                (*l_220) = (((safe_lshift_func_uint16_t_u_s((0L != (l_219 ^ (*l_11))), g_12)) || 0x65F8236F54A0723ELL) , &l_11);
                l_239[0][0]++;
                (**l_220) = (*g_34);
                (*l_11) = (*l_11);
            }
            (*l_11) = ((((l_242[0] < ((safe_mul_func_uint8_t_u_u((((*l_11) == (((((l_237 > (-1L)) >= g_92[0][0]) , l_238) || (-1L)) ^ l_237)) & 2L), l_237)) <= g_10[1])) , g_12) <= g_12) <= 18446744073709551606UL);
        }
        else
        { 
            for (l_9 = 1; (l_9 >= 0); l_9 -= 1)
            { 
                int i;
                (*g_57) = (g_10[l_9] < (*g_177));
                (*g_34) = &l_238;
            }
        }
        for (l_9 = 18; (l_9 == (-13)); --l_9)
        { 
            uint32_t l_290[2][2];
            uint32_t l_294 = 4294967295UL;
            float *l_298[1];
            uint32_t l_299[2][2] = {{4294967288UL,4294967288UL},{4294967288UL,4294967288UL}};
            int32_t **l_300 = (void*)0;
            int i, j;
            for (i = 0; i < 2; i++)
            {
                for (j = 0; j < 2; j++)
                    l_290[i][j] = 1UL;
            }
            for (i = 0; i < 1; i++)
                l_298[i] = (void*)0;
            if ((safe_add_func_uint8_t_u_u((safe_div_func_uint8_t_u_u((safe_div_func_uint32_t_u_u((safe_rshift_func_uint16_t_u_s(0UL, (safe_div_func_uint16_t_u_u(((safe_mod_func_uint8_t_u_u((+(safe_lshift_func_int8_t_s_s((safe_lshift_func_uint16_t_u_s(((-1L) > (-1L)), l_238)), 6))), (*l_11))) ^ (*l_11)), 4UL)))), l_238)), (*l_11))), (*l_11))))
            { 
                int32_t ***l_275 = &g_34;
                int32_t *l_285 = &l_238;
                (*l_11) = ((safe_add_func_uint8_t_u_u((safe_add_func_uint64_t_u_u(g_10[0], (safe_add_func_int64_t_s_s(((7UL == ((((safe_sub_func_int32_t_s_s(((((safe_lshift_func_int8_t_s_u((&g_34 != l_274), (*l_11))) , 1UL) , 4L) >= 65535UL), 0xD8FAABBFL)) | g_10[1]) , l_275) != l_276)) ^ (*l_11)), g_189)))), 0L)) & 65529UL);
                (*l_285) &= (safe_sub_func_int64_t_s_s((safe_div_func_int64_t_s_s((safe_lshift_func_uint8_t_u_u(((((safe_unary_minus_func_uint32_t_u(((void*)0 != l_284))) != g_92[0][1]) > g_92[0][1]) ^ g_12), 5)), g_92[0][1])), 0xB8D0E2C794F150EELL));
                return g_10[1];
            }
            else
            { 
                l_294 ^= ((safe_add_func_int32_t_s_s((safe_sub_func_uint8_t_u_u(l_290[0][1], l_290[0][1])), ((safe_lshift_func_uint16_t_u_s((safe_unary_minus_func_int8_t_s(g_189)), 15)) > 0UL))) != (*l_11));
                (*g_34) = &g_12;
                (*l_11) = (0x3FFC3DD6L && (+(((safe_sub_func_int32_t_s_s(((l_298[0] == l_298[0]) <= (*l_11)), g_92[0][1])) <= g_189) >= (*l_11))));
                if ((*l_11))
                    continue;
            }
            if (l_299[0][0])
            { 
                return g_92[0][1];
            }
            else
            { 
                int16_t l_301 = (-9L);
                int32_t *l_302 = &g_92[0][1];
                int32_t *l_303[1];
                int i;
                for (i = 0; i < 1; i++)
                    l_303[i] = &l_238;
                (*l_284) = (l_300 == l_300);
                l_302 = ((g_92[0][1] , (g_92[0][1] , (0xC15CL >= l_301))) , (void*)0);
                (**l_276) = l_303[0];
                return g_10[0];
            }
        }
    }
    else
    { 
        uint8_t l_308 = 255UL;
        int64_t l_323 = 1L;
        float l_353[1][1];
        int32_t l_355 = (-6L);
        int32_t l_357 = 0x1B0A9951L;
        int i, j;
        for (i = 0; i < 1; i++)
        {
            for (j = 0; j < 1; j++)
                l_353[i][j] = 0x9.39D6A1p+85;
        }
        (*l_11) = (safe_mul_func_int8_t_s_s((g_189 , (g_92[0][0] > 1L)), g_92[0][1]));
        for (l_9 = 0; (l_9 <= (-25)); l_9--)
        { 
            float l_324[2][1];
            int32_t l_325 = 0x319BF8E1L;
            int32_t l_332 = (-5L);
            uint16_t l_333 = 0x016EL;
            int32_t l_354 = (-1L);
            int32_t l_356 = 0x65BDC0FDL;
            int i, j;
            for (i = 0; i < 2; i++)
            {
                for (j = 0; j < 1; j++)
                    l_324[i][j] = 0x1.2p+1;
            }
            if (((((((*l_11) , 0x4AL) ^ ((0x7BEEL ^ l_308) , (-5L))) != (-1L)) > g_10[0]) <= 0x263B3CEDL))
            { 
                uint8_t l_326[1];
                int32_t *l_327 = &g_12;
                int32_t *l_328 = (void*)0;
                int32_t *l_329[1];
                int i;
                for (i = 0; i < 1; i++)
                    l_326[i] = 248UL;
                for (i = 0; i < 1; i++)
                    l_329[i] = &g_92[0][1];
                (*l_11) = ((safe_lshift_func_uint16_t_u_u(((safe_sub_func_uint64_t_u_u(((safe_lshift_func_uint16_t_u_u(((safe_mul_func_uint8_t_u_u(g_10[0], (safe_lshift_func_uint16_t_u_s((safe_sub_func_uint8_t_u_u(l_308, (safe_mul_func_int8_t_s_s(((((((g_189 , l_323) == g_10[0]) , l_325) , g_92[0][1]) , 8UL) , l_326[0]), g_92[0][1])))), 1)))) < g_92[0][1]), 11)) >= 0xE2L), (*l_11))) , g_12), g_12)) > l_325);
                (*g_34) = l_327;
                l_333--;
                (*g_34) = l_328;
            }
            else
            { 
                int32_t * const l_336 = (void*)0;
                int32_t *l_338 = &l_332;
                int32_t *l_339 = (void*)0;
                int32_t *l_340 = &g_12;
                int32_t *l_341 = (void*)0;
                int32_t *l_342 = &g_92[0][1];
                int32_t l_343 = 0x13F037BBL;
                int32_t *l_344 = &g_12;
                int32_t *l_345 = &g_92[0][1];
                int32_t *l_346 = (void*)0;
                int32_t *l_347 = (void*)0;
                int32_t *l_348 = &g_12;
                int32_t *l_349 = (void*)0;
                int32_t *l_350 = &l_331[0];
                int32_t *l_351[1][2];
                int16_t l_352[2][2];
                int i, j;
                for (i = 0; i < 1; i++)
                {
                    for (j = 0; j < 2; j++)
                        l_351[i][j] = &g_12;
                }
                for (i = 0; i < 2; i++)
                {
                    for (j = 0; j < 2; j++)
                        l_352[i][j] = (-1L);
                }
                g_337 = l_336;
                --l_359;
            }
        }
    }
    for (l_9 = 0; (l_9 < 19); l_9 = safe_add_func_uint16_t_u_u(l_9, 5))
    { 
        return g_10[1];
    }
    return (*l_11);
}



static const int64_t  func_13(float  p_14, int32_t * const  p_15, uint32_t  p_16, int32_t * p_17)
{ 
    int32_t l_18 = 1L;
    int32_t l_61 = 0x04B2B3A3L;
    int32_t **l_93 = &g_35[0][1];
    int32_t l_98 = 0x49BA4104L;
    int32_t l_99 = 1L;
    int32_t l_101 = (-2L);
    int32_t l_102 = 0x49BDABD6L;
    int32_t l_103 = 0L;
    int32_t l_104 = 0x8CE927CFL;
    int32_t l_105 = 0x6D15494FL;
    float l_106 = 0x0.5p+1;
    int32_t l_107 = 0x19192873L;
    int16_t l_108 = 0x2624L;
    int32_t l_109 = 0x0ED6609AL;
    int32_t l_110 = 0x9465D988L;
    int32_t l_111[1];
    int32_t l_145 = (-10L);
    int32_t l_188 = 1L;
    uint32_t l_206[1][1];
    int i, j;
    for (i = 0; i < 1; i++)
        l_111[i] = (-1L);
    for (i = 0; i < 1; i++)
    {
        for (j = 0; j < 1; j++)
            l_206[i][j] = 0x302C44D9L;
    }
    (*p_17) &= (-1L);
    if ((((p_15 == ((l_18 == (safe_add_func_uint8_t_u_u((p_15 == (void*)0), g_10[1]))) , (void*)0)) & g_10[0]) ^ p_16))
    { 
        int32_t *l_22 = &g_12;
        const uint16_t l_36 = 0x2F8DL;
        const int32_t *l_78[1];
        const int32_t **l_77 = &l_78[0];
        const int32_t ***l_76[1][1];
        int i, j;
        for (i = 0; i < 1; i++)
            l_78[i] = (void*)0;
        for (i = 0; i < 1; i++)
        {
            for (j = 0; j < 1; j++)
                l_76[i][j] = &l_77;
        }
        if ((~1UL))
        { 
            int32_t **l_23 = &l_22;
            int64_t l_58 = 0x936BB358509EF6E8LL;
            (*p_17) &= 0x5FB26C4FL;
            (*l_23) = l_22;
            for (g_12 = (-16); (g_12 <= 0); ++g_12)
            { 
                int32_t * const **l_37 = (void*)0;
                int32_t * const *l_39 = (void*)0;
                int32_t * const **l_38 = &l_39;
                (*l_38) = ((safe_lshift_func_uint8_t_u_s(((safe_mod_func_int32_t_s_s(((safe_sub_func_int32_t_s_s(((1L < (&p_17 != ((safe_add_func_uint64_t_u_u((g_12 | p_16), p_16)) , g_34))) , l_36), (*p_15))) ^ (*l_22)), g_12)) | g_12), 3)) , &p_15);
                return g_10[1];
            }
            if ((*p_17))
            { 
                uint32_t l_48 = 4294967295UL;
                float *l_49 = (void*)0;
                float *l_50 = &g_8;
                (*l_50) = ((l_18 , 0xE082ADE8L) , (safe_div_func_float_f_f((safe_div_func_float_f_f((safe_sub_func_float_f_f((safe_mul_func_float_f_f(g_12, l_48)), (**l_23))), 0xB.AE9140p+76)), (**l_23))));
                (*p_15) = (**l_23);
                l_58 ^= (safe_lshift_func_uint16_t_u_s((((((safe_rshift_func_uint8_t_u_s(l_18, 0)) >= (g_57 != (void*)0)) , (void*)0) == l_49) && (*l_22)), p_16));
            }
            else
            { 
                (*l_23) = (void*)0;
            }
        }
        else
        { 
            float *l_62 = &g_8;
            const int32_t *l_75 = &g_12;
            const int32_t **l_74 = &l_75;
            const int32_t ***l_73[1][1];
            int i, j;
            for (i = 0; i < 1; i++)
            {
                for (j = 0; j < 1; j++)
                    l_73[i][j] = &l_74;
            }
            if ((safe_mul_func_int16_t_s_s(8L, l_61)))
            { 
                (*p_15) = ((void*)0 != l_62);
            }
            else
            { 
                const int32_t l_70 = (-1L);
                int32_t l_71[1][1];
                int32_t **l_72 = &g_35[0][1];
                int i, j;
                for (i = 0; i < 1; i++)
                {
                    for (j = 0; j < 1; j++)
                        l_71[i][j] = 0x667D1577L;
                }
                (*l_72) = ((((safe_add_func_int8_t_s_s(((((((((safe_add_func_int8_t_s_s((1L < (*l_22)), (safe_mod_func_int32_t_s_s((!1UL), g_10[1])))) , p_16) , l_70) | 0L) & l_18) , (-2L)) >= p_16) | l_71[0][0]), p_16)) & 0x16L) , 0xA54743E0L) , p_15);
            }
            l_76[0][0] = l_73[0][0];
        }
        (*p_15) = ((safe_div_func_int32_t_s_s((safe_lshift_func_int8_t_s_u((((((void*)0 == &g_35[0][1]) | (((((*p_17) && p_16) , g_12) ^ p_16) | 4294967295UL)) | p_16) != l_18), p_16)), l_18)) >= p_16);
        for (l_61 = 0; (l_61 != 18); ++l_61)
        { 
            uint16_t l_85 = 2UL;
            int32_t l_88[1][1];
            int i, j;
            for (i = 0; i < 1; i++)
            {
                for (j = 0; j < 1; j++)
                    l_88[i][j] = (-6L);
            }
            ++l_85;
            l_88[0][0] = ((*g_57) == l_61);
        }
    }
    else
    { 
        int16_t l_95 = 0L;
        int32_t l_100[1][1];
        uint8_t l_172 = 255UL;
        int i, j;
        for (i = 0; i < 1; i++)
        {
            for (j = 0; j < 1; j++)
                l_100[i][j] = 0x658AA494L;
        }
        for (l_18 = (-8); (l_18 == (-3)); l_18 = safe_add_func_uint8_t_u_u(l_18, 5))
        { 
            int32_t *l_91 = &g_92[0][1];
            int32_t ***l_94 = &l_93;
            (*l_91) ^= (*p_15);
            (*l_94) = l_93;
        }
        if (l_95)
        { 
            int32_t *l_96 = (void*)0;
            int32_t *l_97[2][2];
            uint64_t l_112 = 7UL;
            int32_t * const *l_130[1][1];
            int32_t * const * const *l_129 = &l_130[0][0];
            uint8_t l_146 = 1UL;
            uint32_t l_158 = 0x48C5682BL;
            int i, j;
            for (i = 0; i < 2; i++)
            {
                for (j = 0; j < 2; j++)
                    l_97[i][j] = &g_12;
            }
            for (i = 0; i < 1; i++)
            {
                for (j = 0; j < 1; j++)
                    l_130[i][j] = &l_97[1][0];
            }
            --l_112;
            if (((safe_mod_func_uint16_t_u_u((safe_mod_func_uint64_t_u_u(((safe_mod_func_uint32_t_u_u(((safe_div_func_uint8_t_u_u(((safe_rshift_func_int16_t_s_s((((((g_10[1] , ((*g_57) , (safe_sub_func_uint64_t_u_u((0x0073B97FL == (**l_93)), p_16)))) , g_92[0][1]) >= (**l_93)) ^ g_92[0][1]) && p_16), g_92[0][1])) ^ 0UL), 0xF2L)) , g_92[0][1]), (**l_93))) || 0xCDL), (-1L))), g_92[0][0])) , (*p_17)))
            { 
                p_14 = (((safe_mul_func_int16_t_s_s(p_16, g_10[1])) , ((void*)0 != l_129)) <= 0xE.D5FA26p-54);
                (*p_15) = (safe_sub_func_uint8_t_u_u((safe_div_func_uint16_t_u_u((safe_mul_func_uint8_t_u_u(p_16, (safe_add_func_int8_t_s_s(0x7DL, (~p_16))))), 0x6286L)), l_95));
                (*g_34) = (*g_34);
            }
            else
            { 
                int32_t l_142 = 1L;
                int32_t **l_143 = &l_96;
                int32_t l_144[2][1];
                int i, j;
                for (i = 0; i < 2; i++)
                {
                    for (j = 0; j < 1; j++)
                        l_144[i][j] = 0x31255FDFL;
                }
                l_109 |= (*p_15);
                (*p_15) &= (p_16 , (g_10[1] != (safe_sub_func_uint32_t_u_u((p_16 , l_142), l_142))));
                (*l_143) = p_15;
                l_146++;
            }
            l_100[0][0] |= (safe_sub_func_int16_t_s_s((+p_16), ((safe_div_func_int32_t_s_s((safe_add_func_int64_t_s_s((safe_add_func_uint64_t_u_u(p_16, ((**l_93) & p_16))), l_158)), p_16)) == g_92[0][0])));
            (*g_57) = (safe_sub_func_float_f_f((*g_57), (safe_add_func_float_f_f((safe_div_func_float_f_f(p_16, (*g_57))), (*g_57)))));
        }
        else
        { 
            int32_t **l_165[1][1];
            int32_t **l_166 = &g_35[0][1];
            int i, j;
            for (i = 0; i < 1; i++)
            {
                for (j = 0; j < 1; j++)
                    l_165[i][j] = &g_35[0][1];
            }
            (*l_166) = p_15;
            (*l_166) = (void*)0;
            if ((((((+g_12) & g_10[1]) && (safe_sub_func_int64_t_s_s(g_10[1], (-1L)))) , (*g_34)) == p_17))
            { 
                int64_t l_170[1];
                int32_t l_171 = 0x13DD2467L;
                int i;
                for (i = 0; i < 1; i++)
                    l_170[i] = 0x8A6AAD285BDA2F7ALL;
                (*p_15) &= 0xB2137453L;
                --l_172;
            }
            else
            { 
                return g_10[0];
            }
            return g_92[0][0];
        }
        (*p_17) &= ((((safe_mul_func_uint8_t_u_u(p_16, (p_16 == (g_92[0][1] & 0x5266L)))) >= p_16) , (void*)0) == g_177);
    }
    for (l_101 = 0; (l_101 >= 0); l_101 -= 1)
    { 
        int32_t *l_178 = &l_103;
        int32_t l_187[1];
        int32_t ***l_200[1][1];
        int32_t l_203 = 0xD59AD62FL;
        int8_t l_205[1][1];
        int i, j;
        for (i = 0; i < 1; i++)
            l_187[i] = (-2L);
        for (i = 0; i < 1; i++)
        {
            for (j = 0; j < 1; j++)
                l_200[i][j] = &g_34;
        }
        for (i = 0; i < 1; i++)
        {
            for (j = 0; j < 1; j++)
                l_205[i][j] = 0x4AL;
        }
        if ((0xA199E2A63C7AB387LL && (&p_15 != (g_10[1] , (void*)0))))
        { 
            (*l_93) = l_178;
        }
        else
        { 
            int32_t *l_179 = &l_110;
            int32_t *l_180 = &l_99;
            int32_t l_181 = 1L;
            int32_t *l_182 = &l_104;
            int32_t *l_183 = &l_107;
            int32_t *l_184 = (void*)0;
            int32_t *l_185 = &g_92[0][1];
            int32_t *l_186[1][2];
            int i, j;
            for (i = 0; i < 1; i++)
            {
                for (j = 0; j < 2; j++)
                    l_186[i][j] = (void*)0;
            }
            g_189++;
            if ((*p_17))
                continue;
            (*g_34) = (*g_34);
        }
        for (l_61 = 0; (l_61 >= 0); l_61 -= 1)
        { 
            int32_t l_202[2];
            int8_t l_204[2];
            float l_210[1];
            uint64_t l_211 = 0xC7058CF327475750LL;
            int i, j;
            for (i = 0; i < 2; i++)
                l_202[i] = 0L;
            for (i = 0; i < 2; i++)
                l_204[i] = 0x75L;
            for (i = 0; i < 1; i++)
                l_210[i] = 0x5.0E1EBBp-2;
            for (g_189 = 0; (g_189 <= 0); g_189 += 1)
            { 
                int32_t *** const l_201 = &g_34;
                int i, j;
                l_187[l_61] = ((safe_mul_func_uint16_t_u_u((safe_sub_func_int8_t_s_s((g_92[g_189][g_189] <= (~(safe_div_func_int8_t_s_s((6UL < (0xCFACA71D8F2B562ELL != g_10[g_189])), g_10[(l_101 + 1)])))), 0x4EL)), g_10[(l_101 + 1)])) | g_10[g_189]);
                g_35[g_189][(g_189 + 1)] = ((((((((+(*l_178)) || g_92[0][1]) , (p_16 , l_200[0][0])) != l_201) | 1UL) , 1L) > 0x804EB2A888EF2FA3LL) , (void*)0);
            }
            g_92[l_101][(l_61 + 1)] = g_92[l_101][(l_61 + 1)];
            l_206[0][0]--;
            for (p_16 = 0; (p_16 <= 1); p_16 += 1)
            { 
                int32_t l_209[2][2] = {{0x3E68CF04L,0x3E68CF04L},{0x3E68CF04L,0x3E68CF04L}};
                int i, j;
                (*g_34) = g_35[l_101][(l_101 + 1)];
                (*p_15) = g_10[p_16];
                (*g_57) = g_10[l_101];
                ++l_211;
            }
        }
    }
    return p_16;
}





int main (void)
{
    int i, j;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc_bytes (&g_8, sizeof(g_8), "g_8", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_10[i], "g_10[i]", print_hash_value);

    }
    transparent_crc(g_12, "g_12", print_hash_value);
    for (i = 0; i < 1; i++)
    {
        for (j = 0; j < 2; j++)
        {
            transparent_crc(g_92[i][j], "g_92[i][j]", print_hash_value);

        }
    }
    transparent_crc(g_189, "g_189", print_hash_value);
    transparent_crc(g_330, "g_330", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
