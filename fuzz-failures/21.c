
#define NO_LONGLONG

#include <float.h>
#include <math.h>
#include "csmith.h"


static long __undefined;


struct S0 {
   volatile int8_t  f0;
   int16_t  f1;
};

struct S1 {
   uint32_t  f0;
   int8_t  f1;
   uint8_t  f2;
   int16_t  f3;
   const int8_t  f4;
};


static volatile int32_t g_3 = 0x4C23AFC3;
static volatile int32_t g_4 = 0x65425A80;
static volatile int32_t g_5 = (-1);
static int32_t g_6 = 0;
static volatile float * volatile g_15 = (void*)0;
static float g_28 = 0xC.715341p+90;
static int32_t g_31 = (-1);
static volatile int32_t g_33 = 0x1D847576;
static volatile int32_t *g_32 = &g_33;
static int32_t *g_51 = &g_31;
static uint8_t g_69 = 255U;
static struct S0 g_72 = {0xF2,-1};
static uint16_t g_86 = 0U;
static uint8_t g_106 = 0x8C;
static int32_t g_109 = 0x01551026;
static int32_t * volatile g_108 = &g_109;
static uint32_t g_121 = 8U;
static volatile struct S0 g_123 = {0xB4,0x7867};
static struct S0 g_144 = {1,6};
static struct S1 g_156 = {8U,-1,0xEC,0,-7};
static struct S1 * volatile g_155 = &g_156;
static struct S1 g_158 = {1U,0x4C,6U,0x9AF7,0x07};
static float *g_161 = &g_28;
static struct S0 *g_180 = &g_144;
static volatile struct S0 g_185 = {0x28,1};
static volatile struct S0 *g_191 = &g_185;
static float g_211 = 0x3.236F7Ap-55;
static uint32_t g_218 = 0x8853A53F;
static int32_t * volatile g_238 = (void*)0;



static const struct S1  func_1(void);
static int32_t * func_17(uint8_t  p_18, float * p_19, int32_t * p_20);
static float * func_21(float * p_22, int32_t  p_23, uint32_t  p_24, int32_t  p_25, uint32_t  p_26);
static int32_t * func_36(const uint32_t  p_37);




static const struct S1  func_1(void)
{ 
    const int16_t l_2 = 7;
    uint8_t l_14 = 0U;
    float *l_186 = (void*)0;
    uint32_t *l_219 = &g_158.f0;
    const struct S1 l_240 = {0x9DDB0FC3,-1,0U,-1,0};
    if (l_2)
    { 
        volatile int8_t l_16 = 1;
        float *l_27 = &g_28;
        int32_t l_29 = (-6);
        for (g_6 = 0; (g_6 >= 12); ++g_6)
        { 
            uint8_t l_11 = 3U;
            int32_t *l_181 = &g_109;
            int32_t *l_182 = &l_29;
        }
    }
    else
    { 
        int32_t *l_187 = (void*)0;
        uint16_t *l_190 = &g_86;
        (*g_180) = g_185;
        g_108 = &g_109;
        (*g_161) = ((safe_div_func_float_f_f((l_190 == &g_86), l_2)) >= l_14);
    }
    g_191 = &g_123;
    for (g_72.f1 = 0; (g_72.f1 >= 25); ++g_72.f1)
    { 
        uint8_t l_197 = 0U;
        uint16_t *l_209 = &g_86;
        float *l_212 = &g_211;
        struct S0 *l_237 = (void*)0;
        int32_t *l_239 = &g_6;
    }
    return l_240;
}



static int32_t * func_17(uint8_t  p_18, float * p_19, int32_t * p_20)
{ 
    const float *l_59 = (void*)0;
    float *l_60 = &g_28;
    int32_t l_61 = 0x618E188A;
    struct S0 *l_71 = &g_72;
    int8_t l_104 = 0x10;
    int32_t *l_143 = &g_109;
    int8_t l_149 = (-1);
    struct S1 * volatile l_157 = &g_158;
    if ((safe_mul_func_uint16_t_u_u((safe_sub_func_int16_t_s_s((((safe_mod_func_int8_t_s_s((l_59 != (p_19 = l_60)), p_18)) != 2) < l_61), p_18)), (-10))))
    { 
        const uint32_t l_81 = 4U;
        int32_t *l_113 = &l_61;
        if (((((safe_mul_func_int16_t_s_s((safe_add_func_uint16_t_u_u(g_5, (safe_mod_func_int8_t_s_s(((p_20 != (void*)0) | (*p_20)), g_6)))), 65532U)) == 3) ^ p_18) | (*p_20)))
        { 
            uint8_t *l_68 = &g_69;
            int32_t *l_82 = &g_31;
            int32_t *l_122 = &l_61;
            if ((((*l_68) = ((void*)0 != &g_33)) <= 0x2C))
            { 
                struct S0 *l_70 = (void*)0;
                l_71 = l_70;
                (*p_20) = ((safe_mod_func_uint16_t_u_u((safe_mul_func_uint8_t_u_u((g_33 || (safe_sub_func_int16_t_s_s(((safe_lshift_func_int16_t_s_s((((l_81 ^ (-1)) | l_81) > 0xA9), 6)) != l_61), (-7)))), 0xAA)), g_31)) < l_81);
                g_51 = (l_82 = &g_31);
            }
            else
            { 
                float *l_83 = &g_28;
                int32_t *l_84 = &l_61;
                uint16_t *l_85 = &g_86;
                p_20 = func_36((((*l_85) = ((l_84 = func_21(l_83, l_81, g_6, p_18, l_81)) != p_19)) >= l_61));
                (*l_83) = ((safe_add_func_float_f_f(g_3, (safe_add_func_float_f_f(((((safe_mul_func_float_f_f(((safe_div_func_float_f_f((safe_mul_func_float_f_f((safe_div_func_float_f_f(l_81, g_72.f1)), 0x0.3p+1)), (*p_19))) < g_86), 0xD.EFE8EBp+86)) == (*p_19)) < (*l_84)) >= (*p_19)), (-0x1.5p+1))))) != (*p_19));
            }
            for (g_31 = 0; (g_31 > (-3)); g_31 = safe_sub_func_int16_t_s_s(g_31, 4))
            { 
                uint8_t *l_105 = &g_106;
                int32_t l_107 = 0xD7EC95B9;
                uint32_t *l_120 = &g_121;
                (*g_108) = ((safe_add_func_int32_t_s_s((-1), (~((*l_105) = ((*l_68) = l_104))))) < l_107);
                l_113 = func_36(((safe_lshift_func_int8_t_s_s(p_18, 6)) & (!(-1))));
                l_122 = func_36(((*l_120) = (safe_mul_func_uint8_t_u_u((safe_mul_func_uint8_t_u_u(((safe_sub_func_int32_t_s_s((g_33 | 0x72CC), (*l_82))) != l_107), 0x7F)), 0U))));
            }
            g_108 = p_19;
        }
        else
        { 
            uint32_t l_140 = 0x72A0FD7A;
            int32_t *l_141 = (void*)0;
            (*l_71) = g_123;
            if ((!(((safe_add_func_int16_t_s_s((safe_add_func_int8_t_s_s((safe_mod_func_uint32_t_u_u((safe_lshift_func_int16_t_s_u(p_18, (safe_unary_minus_func_uint16_t_u(0x4F44)))), g_106)), g_3)), g_31)) & p_18) >= g_121)))
            { 
                (*l_60) = (safe_sub_func_float_f_f((safe_div_func_float_f_f((safe_add_func_float_f_f((*p_19), (((0x0.Bp-1 == (*p_19)) < (*p_19)) > l_140))), (-0x1.Ap-1))), 0x2.Ap+1));
                if (g_106)
                    goto lbl_142;
            }
            else
            { 
lbl_142:
                g_108 = l_141;
                (*l_113) = 0x45ED7233;
            }
            l_143 = l_141;
        }
        g_144 = g_72;
        return p_20;
    }
    else
    { 
        uint32_t l_152 = 4294967295U;
        struct S0 *l_159 = &g_72;
        int32_t *l_162 = (void*)0;
        (*p_20) = ((((safe_mod_func_int16_t_s_s(((safe_div_func_int32_t_s_s(((((void*)0 == &p_18) ^ 2U) > g_144.f1), p_18)) > p_18), g_33)) <= 0x13968748) && (-1)) > l_149);
        if ((*p_20))
        { 
            (*l_143) = (safe_mod_func_int16_t_s_s((l_152 != (-2)), 0xE1CB));
            for (l_152 = 29; (l_152 == 18); --l_152)
            { 
                g_108 = &g_31;
                l_157 = g_155;
                l_71 = l_159;
            }
        }
        else
        { 
            uint32_t *l_160 = &g_121;
            int32_t l_163 = 0xED616DD7;
            if (((g_161 = func_36(((*l_160) = 4294967294U))) != p_20))
            { 
                p_20 = l_162;
                (*l_60) = 0x6.B27AECp+5;
                (*l_143) = l_163;
            }
            else
            { 
                l_143 = &g_109;
                l_162 = &g_109;
            }
            return p_20;
        }
        for (g_156.f0 = 0; (g_156.f0 != 47); g_156.f0 = safe_add_func_uint32_t_u_u(g_156.f0, 1))
        { 
            int32_t l_176 = 2;
            g_123 = (*l_159);
            if ((p_18 >= g_156.f2))
            { 
                (*l_159) = (*l_159);
            }
            else
            { 
                (*l_143) = ((*p_20) = ((safe_mod_func_uint16_t_u_u((safe_lshift_func_int16_t_s_s((safe_mul_func_uint8_t_u_u((((safe_mod_func_uint16_t_u_u((safe_div_func_int16_t_s_s((p_18 ^ l_176), 0x55FD)), p_18)) & 0U) || 1), g_4)), 7)), p_18)) == l_176));
                (*p_20) = l_176;
                return p_19;
            }
        }
    }
    for (l_104 = 28; (l_104 == (-8)); --l_104)
    { 
        struct S0 *l_179 = &g_72;
        g_51 = (void*)0;
        g_180 = l_179;
    }
    (*l_71) = (*l_71);
    return p_19;
}



static float * func_21(float * p_22, int32_t  p_23, uint32_t  p_24, int32_t  p_25, uint32_t  p_26)
{ 
    int32_t *l_30 = &g_31;
    l_30 = p_22;
    g_32 = (void*)0;
    if (p_26)
    { 
        int32_t *l_50 = &g_6;
        (*p_22) = (g_31 >= 0x2.1p+1);
        for (p_25 = 0; (p_25 <= 5); p_25 = safe_add_func_uint16_t_u_u(p_25, 1))
        { 
            int32_t l_44 = (-4);
            float *l_47 = &g_28;
            l_30 = func_36((safe_mod_func_uint8_t_u_u((safe_rshift_func_uint8_t_u_s((l_44 = (safe_rshift_func_int8_t_s_u(0x40, 7))), 2)), g_6)));
            return l_47;
        }
        for (g_31 = 3; (g_31 < (-1)); g_31 = safe_sub_func_int8_t_s_s(g_31, 7))
        { 
            l_50 = l_50;
        }
    }
    else
    { 
        g_51 = func_36(p_25);
    }
    return l_30;
}



static int32_t * func_36(const uint32_t  p_37)
{ 
    int32_t l_45 = 0x808ADC70;
    int32_t l_46 = (-8);
    l_46 = l_45;
    return &g_6;
}





int main (int argc, char* argv[])
{
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_3, "g_3", print_hash_value);
    transparent_crc(g_4, "g_4", print_hash_value);
    transparent_crc(g_5, "g_5", print_hash_value);
    transparent_crc(g_6, "g_6", print_hash_value);
    transparent_crc_bytes (&g_28, sizeof(g_28), "g_28", print_hash_value);
    transparent_crc(g_31, "g_31", print_hash_value);
    transparent_crc(g_33, "g_33", print_hash_value);
    transparent_crc(g_69, "g_69", print_hash_value);
    transparent_crc(g_72.f0, "g_72.f0", print_hash_value);
    transparent_crc(g_72.f1, "g_72.f1", print_hash_value);
    transparent_crc(g_86, "g_86", print_hash_value);
    transparent_crc(g_106, "g_106", print_hash_value);
    transparent_crc(g_109, "g_109", print_hash_value);
    transparent_crc(g_121, "g_121", print_hash_value);
    transparent_crc(g_123.f0, "g_123.f0", print_hash_value);
    transparent_crc(g_123.f1, "g_123.f1", print_hash_value);
    transparent_crc(g_144.f0, "g_144.f0", print_hash_value);
    transparent_crc(g_144.f1, "g_144.f1", print_hash_value);
    transparent_crc(g_156.f0, "g_156.f0", print_hash_value);
    transparent_crc(g_156.f1, "g_156.f1", print_hash_value);
    transparent_crc(g_156.f2, "g_156.f2", print_hash_value);
    transparent_crc(g_156.f3, "g_156.f3", print_hash_value);
    transparent_crc(g_156.f4, "g_156.f4", print_hash_value);
    transparent_crc(g_158.f0, "g_158.f0", print_hash_value);
    transparent_crc(g_158.f1, "g_158.f1", print_hash_value);
    transparent_crc(g_158.f2, "g_158.f2", print_hash_value);
    transparent_crc(g_158.f3, "g_158.f3", print_hash_value);
    transparent_crc(g_158.f4, "g_158.f4", print_hash_value);
    transparent_crc(g_185.f0, "g_185.f0", print_hash_value);
    transparent_crc(g_185.f1, "g_185.f1", print_hash_value);
    transparent_crc_bytes (&g_211, sizeof(g_211), "g_211", print_hash_value);
    transparent_crc(g_218, "g_218", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
