#include "csmith.h"


static long __undefined;


struct S0 {
   unsigned f0 : 18;
};


static volatile int32_t g_2 = (-8L);
static volatile int32_t g_3 = 0xF2F4A8B1L;
static int32_t g_4 = (-1L);
static int32_t g_7 = 0xEEE2FDE2L;
static int32_t g_11 = (-1L);
static volatile int32_t g_44 = (-6L);
static int32_t g_45 = 0xF37FC033L;
static uint16_t g_51 = 0xA6F6L;
static int32_t g_56[2] = {(-1L),(-1L)};
static int32_t *g_63[2] = {&g_56[1],&g_56[1]};
static uint64_t g_91[2] = {1UL,1UL};
static const int32_t *g_92 = &g_56[0];



static uint32_t  func_1(void);
static uint16_t  func_23(struct S0  p_24, int32_t * p_25, int32_t * p_26, int32_t * p_27, uint32_t  p_28);
static int64_t  func_29(int32_t * p_30, uint32_t  p_31, int32_t * const  p_32, int32_t * p_33, uint32_t  p_34);
static int32_t * func_35(int32_t * p_36, int32_t * p_37, int32_t * p_38);




static uint32_t  func_1(void)
{ 
    int32_t *l_39 = (void*)0;
    int32_t *l_40 = &g_11;
    int32_t l_96 = 0x445A0AE8L;
    uint32_t l_97 = 5UL;
    for (g_4 = 24; (g_4 >= (-12)); g_4 = safe_sub_func_int32_t_s_s(g_4, 5))
    { 
        uint32_t l_18 = 1UL;
        int32_t *l_60 = &g_4;
        for (g_7 = 9; (g_7 <= (-20)); g_7--)
        { 
            int32_t *l_10 = &g_11;
            int32_t *l_12 = &g_11;
            int32_t *l_13 = &g_11;
            int32_t *l_14 = (void*)0;
            int32_t *l_15 = &g_11;
            int32_t *l_16 = &g_11;
            int32_t *l_17[2];
            struct S0 l_59 = {78};
            uint16_t *l_94 = (void*)0;
            uint16_t *l_95 = &g_51;
            int i;
            for (i = 0; i < 2; i++)
                l_17[i] = &g_11;
            --l_18;
            l_96 ^= (safe_mul_func_int16_t_s_s(l_18, ((*l_95) = func_23(((l_18 && (g_7 , func_29(func_35(l_39, l_40, &g_7), l_18, &g_4, l_39, g_7))) , l_59), l_60, &g_7, &g_7, g_7))));
        }
    }
    return l_97;
}



static uint16_t  func_23(struct S0  p_24, int32_t * p_25, int32_t * p_26, int32_t * p_27, uint32_t  p_28)
{ 
    const int32_t *l_73 = &g_4;
    int32_t *l_74 = &g_45;
    for (g_11 = 14; (g_11 <= 13); g_11 = safe_sub_func_int64_t_s_s(g_11, 8))
    { 
        int32_t *l_68 = (void*)0;
        g_63[1] = (p_25 = p_26);
        (*l_74) = ((((safe_mod_func_int64_t_s_s(((((safe_add_func_uint32_t_u_u(7UL, (p_27 == l_68))) | (((safe_mul_func_int16_t_s_s((safe_rshift_func_uint16_t_u_s(65535UL, 7)), ((p_26 == (l_73 = l_73)) < g_56[0]))) ^ 0x52307D3EL) <= 0x3DF123EFL)) , (void*)0) == p_27), p_24.f0)) && (-7L)) , &g_45) != l_74);
    }
    for (g_51 = 20; (g_51 == 15); g_51--)
    { 
        for (g_11 = 0; (g_11 >= (-27)); g_11 = safe_sub_func_uint32_t_u_u(g_11, 9))
        { 
            int32_t *l_79 = &g_4;
            p_25 = l_79;
        }
        for (g_45 = 0; (g_45 <= 10); g_45 = safe_add_func_uint16_t_u_u(g_45, 5))
        { 
            uint64_t *l_90 = &g_91[0];
            int32_t *l_93 = &g_11;
            g_92 = ((safe_rshift_func_int16_t_s_u((((0xBD9FL | (((safe_lshift_func_int16_t_s_s(g_4, 7)) , (safe_rshift_func_uint16_t_u_u((safe_div_func_uint64_t_u_u(((l_74 = &g_7) == (p_28 , &g_4)), ((*l_90) = ((0x0335L != (*l_73)) , (*l_73))))), 9))) , g_91[0])) , l_73) != (void*)0), 8)) , l_73);
            (*l_93) = 1L;
        }
    }
    return (*l_73);
}



static int64_t  func_29(int32_t * p_30, uint32_t  p_31, int32_t * const  p_32, int32_t * p_33, uint32_t  p_34)
{ 
    int64_t l_54[2];
    int32_t *l_55[2];
    int i;
    for (i = 0; i < 2; i++)
        l_54[i] = 0xA4A104ACD6BA8DADLL;
    for (i = 0; i < 2; i++)
        l_55[i] = &g_45;
    g_56[1] &= l_54[0];
    for (g_11 = 0; (g_11 > (-29)); g_11 = safe_sub_func_uint32_t_u_u(g_11, 1))
    { 
        return p_34;
    }
    return g_3;
}



static int32_t * func_35(int32_t * p_36, int32_t * p_37, int32_t * p_38)
{ 
    volatile int32_t *l_41 = &g_3;
    l_41 = &g_3;
    for (g_11 = 27; (g_11 == (-29)); --g_11)
    { 
        int32_t l_48 = 8L;
        int32_t *l_49 = &l_48;
        int32_t *l_50[2];
        int i;
        for (i = 0; i < 2; i++)
            l_50[i] = &l_48;
        for (g_45 = 0; (g_45 >= 16); g_45 = safe_add_func_int64_t_s_s(g_45, 8))
        { 
            (*l_41) |= l_48;
        }
        g_51--;
    }
    return p_38;
}





int main (int argc, char* argv[])
{
    int i;
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, "g_2", print_hash_value);
    transparent_crc(g_3, "g_3", print_hash_value);
    transparent_crc(g_4, "g_4", print_hash_value);
    transparent_crc(g_7, "g_7", print_hash_value);
    transparent_crc(g_11, "g_11", print_hash_value);
    transparent_crc(g_44, "g_44", print_hash_value);
    transparent_crc(g_45, "g_45", print_hash_value);
    transparent_crc(g_51, "g_51", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_56[i], "g_56[i]", print_hash_value);

    }
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_91[i], "g_91[i]", print_hash_value);

    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
