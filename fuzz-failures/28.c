
#define NO_LONGLONG

#include <float.h>
#include <math.h>
#include "csmith.h"


static long __undefined;



static int16_t g_2 = 0x0297;
static int32_t g_13 = 0x1B055CC2;
static uint32_t g_15 = 0x8DEE21AF;
static uint32_t g_17[5] = {0xD870A326,0xD870A326,0xD870A326,0xD870A326,0xD870A326};
static int32_t *g_20[2] = {&g_13,&g_13};
static int32_t *g_21 = &g_13;
static uint16_t g_34[1] = {1U};



static uint32_t  func_1(void);
static uint32_t  func_3(uint16_t  p_4, int16_t  p_5, int16_t  p_6, uint32_t  p_7);




static uint32_t  func_1(void)
{ 
    int32_t *l_12[4][1];
    uint32_t *l_14 = &g_15;
    uint32_t *l_16 = &g_17[1];
    int32_t **l_28 = &l_12[1][0];
    int i, j;
    for (i = 0; i < 4; i++)
    {
        for (j = 0; j < 1; j++)
            l_12[i][j] = &g_13;
    }
    if ((g_2 > (func_3((safe_mod_func_int16_t_s_s((safe_sub_func_uint32_t_u_u(((*l_16) = ((*l_14) = ((g_13 = 2) == g_2))), g_2)), 3U)), g_2, g_2, g_2) < 4294967295U)))
    { 
        for (g_13 = 27; (g_13 > (-11)); g_13--)
        { 
            int32_t *l_24[3][2][1] = {{{&g_13},{&g_13}},{{&g_13},{&g_13}},{{&g_13},{&g_13}}};
            int32_t **l_25 = &l_24[2][1][0];
            float l_26 = (-0x1.Fp+1);
            int i, j, k;
            (*l_25) = l_24[2][0][0];
            if ((*g_21))
                continue;
        }
    }
    else
    { 
        int32_t **l_27 = &g_20[1];
        uint16_t *l_33 = &g_34[0];
        l_28 = l_27;
        if (((((*l_33) = ((safe_mod_func_int16_t_s_s((safe_sub_func_int32_t_s_s((-9), g_17[2])), 65535U)) <= (**l_27))) <= 0xEA1B) , (-9)))
        { 
            uint32_t l_35 = 1U;
            return l_35;
        }
        else
        { 
            int16_t *l_40 = &g_2;
            int32_t l_41 = 0x5DF1563C;
            (**l_27) = (safe_sub_func_int16_t_s_s((((*l_40) = (safe_div_func_uint32_t_u_u(g_34[0], (g_15 , (**l_27))))) > l_41), 0xDAB6));
        }
    }
    return g_13;
}



static uint32_t  func_3(uint16_t  p_4, int16_t  p_5, int16_t  p_6, uint32_t  p_7)
{ 
    int32_t *l_19 = &g_13;
    int32_t **l_18[1];
    int i;
    for (i = 0; i < 1; i++)
        l_18[i] = &l_19;
    g_21 = (g_20[1] = &g_13);
    return g_17[1];
}





int main (void)
{
    int i;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    transparent_crc(g_13, "g_13", print_hash_value);
    transparent_crc(g_15, "g_15", print_hash_value);
    for (i = 0; i < 5; i++)
    {
        transparent_crc(g_17[i], "g_17[i]", print_hash_value);

    }
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_34[i], "g_34[i]", print_hash_value);

    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
