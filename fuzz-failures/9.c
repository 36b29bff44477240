#include "csmith.h"


static long __undefined;


union U0 {
   volatile uint16_t  f0;
   volatile int8_t * f1;
};


static volatile uint8_t g_7[2][1][2] = {{{0xA0L,0xA0L}},{{0xA0L,0xA0L}}};
static const int8_t *g_16 = (void*)0;
static int8_t g_19 = (-1L);
static volatile uint8_t g_22 = 0xDDL;
static int16_t g_27 = 1L;
static int8_t g_30 = (-3L);
static int8_t *g_29 = &g_30;
static int32_t g_32[2][2] = {{0L,0L},{0L,0L}};
static int32_t *g_31[1] = {&g_32[0][0]};
static int32_t ** volatile g_36 = (void*)0;



static uint32_t  func_1(void);
static int32_t * func_2(int32_t  p_3, int32_t  p_4, int8_t * p_5, int32_t * p_6);
static int16_t  func_10(const int8_t * p_11, uint64_t  p_12, int8_t * p_13, uint8_t  p_14, int32_t  p_15);




static uint32_t  func_1(void)
{ 
    const int8_t **l_17 = &g_16;
    int8_t *l_18[2][1];
    int16_t *l_25 = (void*)0;
    int16_t *l_26 = &g_27;
    int32_t l_28 = 8L;
    int i, j;
    for (i = 0; i < 2; i++)
    {
        for (j = 0; j < 1; j++)
            l_18[i][j] = &g_19;
    }
    g_31[0] = func_2((g_7[0][0][0] , (safe_sub_func_int16_t_s_s(((*l_26) = func_10(((*l_17) = g_16), g_7[0][0][0], l_18[1][0], g_19, g_19)), 5L))), l_28, g_29, g_31[0]);
    return g_32[0][0];
}



static int32_t * func_2(int32_t  p_3, int32_t  p_4, int8_t * p_5, int32_t * p_6)
{ 
    union U0 *l_33 = (void*)0;
    union U0 **l_34 = &l_33;
    int32_t *l_35[2][2][1] = {{{&g_32[0][0]},{&g_32[0][1]}},{{&g_32[0][0]},{&g_32[0][1]}}};
    int i, j, k;
    (*l_34) = l_33;
    (*p_6) |= (g_19 | (g_30 & 0x4CL));
    return l_35[0][0][0];
}



static int16_t  func_10(const int8_t * p_11, uint64_t  p_12, int8_t * p_13, uint8_t  p_14, int32_t  p_15)
{ 
    for (g_19 = 6; (g_19 >= 23); g_19 = safe_add_func_int32_t_s_s(g_19, 9))
    { 
        return g_7[1][0][0];
    }
    --g_22;
    return g_7[0][0][0];
}





int main (void)
{
    int i, j, k;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    for (i = 0; i < 2; i++)
    {
        for (j = 0; j < 1; j++)
        {
            for (k = 0; k < 2; k++)
            {
                transparent_crc(g_7[i][j][k], "g_7[i][j][k]", print_hash_value);

            }
        }
    }
    transparent_crc(g_19, "g_19", print_hash_value);
    transparent_crc(g_22, "g_22", print_hash_value);
    transparent_crc(g_27, "g_27", print_hash_value);
    transparent_crc(g_30, "g_30", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        for (j = 0; j < 2; j++)
        {
            transparent_crc(g_32[i][j], "g_32[i][j]", print_hash_value);

        }
    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
