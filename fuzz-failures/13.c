#include "csmith.h"


static long __undefined;



static int32_t g_2 = 0xFE0A8EACL;
static int32_t g_14 = (-3L);
static int32_t *g_13 = &g_14;
static int32_t g_18 = (-8L);
static uint32_t g_36 = 4294967287UL;



static uint32_t  func_1(void);
static int32_t * func_5(int32_t * p_6, int32_t * p_7, int32_t  p_8, int32_t * p_9, int16_t  p_10);




static uint32_t  func_1(void)
{ 
    int8_t l_17[3];
    int32_t *l_21 = &g_18;
    int32_t *l_33 = &g_14;
    int32_t l_37[2];
    uint64_t l_38 = 0x5B8EEB303A67D625LL;
    int i;
    for (i = 0; i < 3; i++)
        l_17[i] = 0x6CL;
    for (i = 0; i < 2; i++)
        l_37[i] = 0L;
    for (g_2 = 1; (g_2 != (-5)); g_2--)
    { 
        int32_t *l_15 = &g_14;
        l_15 = func_5(&g_2, &g_2, g_2, &g_2, g_2);
    }
    (*g_13) = ((((~g_14) <= (l_17[1] = ((void*)0 == &g_2))) <= g_14) & g_18);
    if ((*g_13))
    { 
        uint64_t l_26[1];
        int i;
        for (i = 0; i < 1; i++)
            l_26[i] = 0x9403132D683A7EF2LL;
        for (g_2 = (-20); (g_2 <= 8); ++g_2)
        { 
            uint32_t l_22[3];
            int32_t *l_23 = &g_2;
            int32_t *l_27 = &g_18;
            int i;
            for (i = 0; i < 3; i++)
                l_22[i] = 18446744073709551606UL;
            l_21 = func_5(l_21, l_21, l_22[1], l_23, g_14);
            if ((*l_23))
                continue;
            g_14 = (safe_div_func_int32_t_s_s(((*l_27) = (((*l_23) || (l_26[0] || l_26[0])) >= l_26[0])), l_26[0]));
        }
    }
    else
    { 
        int32_t *l_32 = &g_2;
        uint32_t *l_34 = (void*)0;
        uint32_t *l_35 = &g_36;
        for (g_2 = 27; (g_2 != 20); --g_2)
        { 
            int32_t l_30 = (-1L);
            int32_t *l_31 = &g_18;
            l_31 = func_5((g_13 = l_21), &g_2, l_30, l_21, (*l_21));
        }
        (*l_21) = (((*g_13) = (*l_21)) != 0xE1F230B5L);
        g_13 = l_32;
        (*g_13) = ((((((*l_35) = ((((l_21 != (l_33 = &g_2)) && 0x0CD1AD70L) != (*l_32)) ^ g_18)) < (*l_21)) >= l_37[0]) > g_18) < 0x315EL);
    }
    l_33 = func_5((g_13 = (void*)0), l_21, (*l_33), l_21, l_38);
    return g_14;
}



static int32_t * func_5(int32_t * p_6, int32_t * p_7, int32_t  p_8, int32_t * p_9, int16_t  p_10)
{ 
    int32_t *l_11[3];
    int32_t *l_12[1];
    int i;
    for (i = 0; i < 3; i++)
        l_11[i] = &g_2;
    for (i = 0; i < 1; i++)
        l_12[i] = &g_2;
    p_6 = l_11[1];
    g_13 = l_12[0];
    l_11[2] = &p_8;
    return l_12[0];
}





int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    transparent_crc(g_14, "g_14", print_hash_value);
    transparent_crc(g_18, "g_18", print_hash_value);
    transparent_crc(g_36, "g_36", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
