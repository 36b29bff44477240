#include "csmith.h"


static long __undefined;



static uint16_t g_17 = 0xAC46L;
static int32_t g_21 = (-1L);
static int32_t * volatile g_20 = &g_21;
static int32_t g_32 = (-10L);
static volatile uint8_t g_42 = 0x45L;
static int32_t * volatile *g_48 = (void*)0;
static int32_t * volatile ** volatile g_47 = &g_48;
static int16_t g_57 = 0L;
static volatile uint32_t g_59 = 4294967295UL;



static int32_t  func_1(void);
static int8_t  func_9(int32_t  p_10, int32_t  p_11);
static int32_t  func_23(int32_t * p_24);
static int32_t  func_37(uint64_t  p_38, int32_t * p_39);




static int32_t  func_1(void)
{ 
    uint64_t l_12 = 1UL;
    int32_t *l_62 = &g_21;
    int32_t l_70 = 8L;
    if (((safe_rshift_func_uint16_t_u_u(((safe_add_func_int8_t_s_s((safe_sub_func_int8_t_s_s(0x52L, (safe_unary_minus_func_uint64_t_u(5UL)))), func_9(l_12, (safe_div_func_int64_t_s_s(l_12, (safe_add_func_uint32_t_u_u((g_17 <= g_17), l_12))))))) || 0xC7B7F609L), 2)) > g_17))
    { 
        int8_t l_19[2];
        int32_t *l_22 = &g_21;
        int i;
        for (i = 0; i < 2; i++)
            l_19[i] = 4L;
        for (l_12 = 0; (l_12 <= 1); l_12 += 1)
        { 
            int i;
            (*g_20) |= l_19[l_12];
            l_22 = l_22;
            return l_12;
        }
        return g_21;
    }
    else
    { 
        int8_t l_30 = 8L;
        uint32_t l_45[3];
        int32_t **l_66 = &l_62;
        int32_t *l_69[2];
        uint16_t l_71 = 65534UL;
        int i;
        for (i = 0; i < 3; i++)
            l_45[i] = 0x76492A41L;
        for (i = 0; i < 2; i++)
            l_69[i] = (void*)0;
        if (func_23(&g_21))
        { 
            int32_t *l_40 = &g_21;
            for (g_21 = 0; (g_21 != 15); g_21 = safe_add_func_int64_t_s_s(g_21, 3))
            { 
                int32_t *l_31 = &g_32;
                (*l_31) = (safe_div_func_uint64_t_u_u(g_17, l_30));
                return g_32;
            }
            for (g_32 = 9; (g_32 == (-24)); --g_32)
            { 
                const uint32_t l_35 = 0UL;
                int32_t *l_36 = &g_21;
                int32_t *l_41[1];
                int i;
                for (i = 0; i < 1; i++)
                    l_41[i] = &g_21;
                (*l_36) = (l_35 >= (*g_20));
                if ((*g_20))
                    continue;
                (*l_40) = func_37(g_17, l_40);
                --g_42;
            }
            for (g_32 = 2; (g_32 >= 0); g_32 -= 1)
            { 
                uint32_t l_46 = 18446744073709551612UL;
                l_46 &= (*g_20);
                (*l_40) ^= (g_42 <= (&g_32 != (void*)0));
            }
        }
        else
        { 
            int32_t **l_63 = &l_62;
            for (g_21 = 2; (g_21 >= 0); g_21 -= 1)
            { 
                int32_t *l_58[1];
                int i;
                for (i = 0; i < 1; i++)
                    l_58[i] = (void*)0;
                (*g_47) = &g_20;
                if (l_45[g_21])
                    continue;
                g_57 |= ((safe_sub_func_uint8_t_u_u(255UL, (safe_div_func_uint8_t_u_u((safe_lshift_func_int16_t_s_u(((safe_sub_func_uint8_t_u_u(3UL, (g_32 <= (((void*)0 == (*g_48)) > 0x5830AF36EAF0AB59LL)))) || l_45[g_21]), 9)), g_17)))) & g_17);
                g_59++;
            }
            (*l_63) = l_62;
            (*l_62) = l_45[2];
        }
        (**l_66) = (safe_rshift_func_int8_t_s_u((((&l_62 != l_66) != (((*g_47) != (void*)0) & (safe_div_func_uint8_t_u_u((((void*)0 != g_48) > g_17), 4UL)))) ^ g_17), g_57));
        l_71--;
        l_62 = &l_70;
    }
    return g_42;
}



static int8_t  func_9(int32_t  p_10, int32_t  p_11)
{ 
    int16_t l_18 = 0xD95DL;
    return l_18;
}



static int32_t  func_23(int32_t * p_24)
{ 
    uint32_t l_25 = 1UL;
    (*p_24) |= (&g_21 != (void*)0);
    return l_25;
}



static int32_t  func_37(uint64_t  p_38, int32_t * p_39)
{ 
    return (*p_39);
}





int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_17, "g_17", print_hash_value);
    transparent_crc(g_21, "g_21", print_hash_value);
    transparent_crc(g_32, "g_32", print_hash_value);
    transparent_crc(g_42, "g_42", print_hash_value);
    transparent_crc(g_57, "g_57", print_hash_value);
    transparent_crc(g_59, "g_59", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
