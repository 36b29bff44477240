
#define NO_LONGLONG

#include <float.h>
#include <math.h>
#include "csmith.h"


static long __undefined;



static int32_t g_3 = 1;
static int32_t g_13 = 0x3A18E418;
static uint16_t g_18 = 65535U;
static float g_22 = 0x7.Ap+1;
static float g_35 = (-0x1.0p-1);
static float * volatile g_34 = &g_35;
static volatile uint16_t g_38[2] = {65535U,65535U};
static int32_t *g_42 = &g_13;



static const uint32_t  func_1(void);
static int32_t * func_4(int32_t  p_5, int32_t * p_6, int32_t  p_7);




static const uint32_t  func_1(void)
{ 
    uint8_t l_2[2];
    int i;
    for (i = 0; i < 2; i++)
        l_2[i] = 0xBB;
    for (g_3 = 0; (g_3 <= 1); g_3 += 1)
    { 
        int32_t *l_12 = &g_13;
        uint16_t *l_17 = &g_18;
        int i;
        g_42 = func_4((l_2[g_3] < ((*l_17) ^= (safe_mod_func_int32_t_s_s((((safe_add_func_uint16_t_u_u((((*l_12) = g_3) >= (!0xF80C)), 0U)) == (safe_rshift_func_uint8_t_u_u((0x5C81 && g_3), 4))) & 250U), g_3)))), &g_3, g_3);
    }
    return g_3;
}



static int32_t * func_4(int32_t  p_5, int32_t * p_6, int32_t  p_7)
{ 
    uint32_t l_19[4];
    float *l_20 = (void*)0;
    float *l_21 = &g_22;
    int32_t l_23 = 0x90412894;
    int32_t l_24[2];
    int32_t *l_36[2];
    float l_37[1];
    int i;
    for (i = 0; i < 4; i++)
        l_19[i] = 0x71A05132;
    for (i = 0; i < 2; i++)
        l_24[i] = 0;
    for (i = 0; i < 2; i++)
        l_36[i] = &l_24[1];
    for (i = 0; i < 1; i++)
        l_37[i] = 0x6.8p-1;
    (*g_34) = (((l_24[1] = (l_23 = ((*l_21) = l_19[3]))) == (safe_mul_func_float_f_f((0x1.Ep-1 == (((safe_add_func_float_f_f(p_7, (safe_sub_func_float_f_f((((((!(safe_sub_func_float_f_f((((g_3 == (g_18 < p_7)) <= (-0x4.Dp-1)) >= g_3), 0xB.D2F23Dp+28))) <= g_13) == g_3) <= p_7) < 0x6.F26339p-60), l_19[3])))) > l_19[2]) > l_19[3])), 0x6.90B281p+81))) >= l_19[3]);
    g_38[1]--;
    for (p_5 = 0; (p_5 <= 1); p_5 += 1)
    { 
        int32_t *l_41 = (void*)0;
        p_6 = &p_5;
        for (g_13 = 1; (g_13 >= 0); g_13 -= 1)
        { 
            l_41 = &g_13;
        }
    }
    return &g_13;
}





int main (void)
{
    int i;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_3, "g_3", print_hash_value);
    transparent_crc(g_13, "g_13", print_hash_value);
    transparent_crc(g_18, "g_18", print_hash_value);
    transparent_crc_bytes (&g_22, sizeof(g_22), "g_22", print_hash_value);
    transparent_crc_bytes (&g_35, sizeof(g_35), "g_35", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_38[i], "g_38[i]", print_hash_value);

    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
