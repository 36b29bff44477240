#include "csmith.h"


static long __undefined;


struct S0 {
   const int8_t  f0;
   int8_t  f1;
   int32_t  f2;
};


static uint16_t g_5 = 0xAE8CL;
static int32_t g_8 = 1L;
static uint64_t g_13 = 2UL;
static uint32_t g_21 = 4294967295UL;
static uint32_t g_24[1] = {0UL};
static int32_t g_27 = (-10L);
static struct S0 g_40[1] = {{-1L,-9L,0x185F1871L}};
static struct S0 g_42 = {0L,-1L,-5L};
static int32_t **g_67 = (void*)0;
static int32_t *g_75 = &g_42.f2;
static uint32_t g_77 = 0x4770C58FL;
static uint64_t *g_88 = &g_13;



static uint64_t  func_1(void);
static const int32_t  func_16(int16_t  p_17, int32_t * p_18, int32_t  p_19, uint32_t  p_20);
static struct S0 * func_33(uint8_t  p_34, int64_t  p_35, int64_t  p_36);




static uint64_t  func_1(void)
{ 
    int32_t l_4 = 0L;
    int32_t l_9 = 0x4ACCB24CL;
    struct S0 *l_82 = &g_42;
    struct S0 **l_81 = &l_82;
    struct S0 ***l_80 = &l_81;
    if ((safe_mod_func_uint64_t_u_u(l_4, g_5)))
    { 
        int32_t *l_7 = &l_4;
        const int32_t l_43 = (-1L);
        struct S0 **l_46[2];
        int i;
        for (i = 0; i < 2; i++)
            l_46[i] = (void*)0;
        (*l_7) ^= (~0x87F2L);
        if ((g_5 <= g_5))
        { 
            int32_t *l_10 = &l_4;
            int32_t *l_11 = &l_4;
            int32_t *l_12[1];
            struct S0 *l_41 = &g_42;
            int i;
            for (i = 0; i < 1; i++)
                l_12[i] = (void*)0;
            --g_13;
            if (func_16(g_13, l_7, g_8, (*l_7)))
            { 
                uint16_t l_37 = 0xE1CCL;
                l_41 = func_33(l_9, (*l_7), l_37);
                g_40[0].f2 &= (l_43 || 0x191DL);
            }
            else
            { 
                (*l_7) = (((*l_7) != g_8) || g_40[0].f2);
                return g_13;
            }
        }
        else
        { 
            uint32_t l_50 = 7UL;
            for (g_42.f1 = (-28); (g_42.f1 < 5); ++g_42.f1)
            { 
                struct S0 ***l_47 = &l_46[0];
                int32_t **l_48[4];
                int32_t *l_49[4];
                int i;
                for (i = 0; i < 4; i++)
                    l_48[i] = &l_7;
                for (i = 0; i < 4; i++)
                    l_49[i] = &l_9;
                (*l_47) = l_46[0];
                (*l_7) = ((l_49[3] = &g_27) == &g_27);
            }
            (*l_7) = ((((l_50 & l_50) | g_13) || (*l_7)) > 4294967290UL);
        }
    }
    else
    { 
        uint16_t l_54 = 65529UL;
        uint32_t *l_57 = &g_21;
        for (g_21 = 0; (g_21 == 27); g_21 = safe_add_func_uint16_t_u_u(g_21, 7))
        { 
            int32_t *l_53[2];
            int i;
            for (i = 0; i < 2; i++)
                l_53[i] = &g_27;
            g_27 = 0xF86F4C35L;
            l_54++;
        }
        if (((--(*l_57)) != (safe_lshift_func_int8_t_s_u(((((g_40[0].f1 != 0x4B57DC510CE4AC03LL) != g_13) & g_5) & 0x9DL), 4))))
        { 
            uint64_t *l_62 = (void*)0;
            uint64_t *l_63[4] = {&g_13,&g_13,&g_13,&g_13};
            int32_t *l_66 = (void*)0;
            int32_t *l_73 = &g_27;
            int32_t **l_74[4];
            int i;
            for (i = 0; i < 4; i++)
                l_74[i] = &l_66;
            if ((((g_13 = 0xF5CA20838156AC6DLL) < l_54) <= g_42.f0))
            { 
                int32_t *l_64 = (void*)0;
                int32_t **l_65[2];
                int i;
                for (i = 0; i < 2; i++)
                    l_65[i] = &l_64;
                l_66 = l_64;
                l_66 = &g_27;
            }
            else
            { 
                int32_t ***l_68 = &g_67;
                (*l_68) = g_67;
            }
            if ((((safe_div_func_uint32_t_u_u((safe_div_func_uint32_t_u_u(((g_75 = l_73) != &g_27), g_8)), l_54)) & 0xC403CB7EA8D29EDDLL) & g_42.f1))
            { 
                int8_t l_76[3];
                int i;
                for (i = 0; i < 3; i++)
                    l_76[i] = 0x3AL;
                (*l_73) = (*l_73);
                g_77--;
            }
            else
            { 
                l_9 ^= l_4;
                l_80 = l_80;
            }
        }
        else
        { 
            for (g_5 = 0; (g_5 <= 0); g_5 += 1)
            { 
                int i;
                (*g_75) = (safe_mod_func_uint32_t_u_u((safe_mod_func_int16_t_s_s((l_57 != (void*)0), g_24[g_5])), g_27));
            }
            for (l_4 = 0; (l_4 >= 0); l_4 -= 1)
            { 
                uint64_t *l_87 = &g_13;
                (*g_75) = ((l_87 = (void*)0) != g_88);
            }
        }
    }
    if (l_4)
    { 
        uint32_t *l_90 = &g_21;
        int32_t l_91 = 0x3B7D0C55L;
        (*g_75) = (((*l_90) = (safe_unary_minus_func_int32_t_s(6L))) != l_91);
    }
    else
    { 
        uint64_t l_96[3];
        uint32_t l_106 = 3UL;
        int i;
        for (i = 0; i < 3; i++)
            l_96[i] = 0x50EBCE04D8298A3CLL;
lbl_101:
        if ((l_9 <= g_21))
        { 
            for (l_4 = 19; (l_4 > (-12)); l_4 = safe_sub_func_int16_t_s_s(l_4, 7))
            { 
                uint64_t **l_95 = &g_88;
                uint64_t ***l_94 = &l_95;
                (*l_94) = &g_88;
                l_96[2] |= (*g_75);
            }
        }
        else
        { 
            for (g_13 = 0; (g_13 <= 2); g_13 += 1)
            { 
                int i;
                (*g_75) = (safe_lshift_func_uint16_t_u_u((safe_div_func_uint8_t_u_u((l_96[g_13] | 6L), g_40[0].f1)), g_5));
            }
            if (l_4)
                goto lbl_101;
        }
        for (l_4 = 0; (l_4 > 20); l_4++)
        { 
            int32_t *l_104 = &g_27;
            int32_t *l_105[3];
            int i;
            for (i = 0; i < 3; i++)
                l_105[i] = &g_42.f2;
            if (l_4)
                break;
            --l_106;
        }
    }
    return (*g_88);
}



static const int32_t  func_16(int16_t  p_17, int32_t * p_18, int32_t  p_19, uint32_t  p_20)
{ 
    uint32_t l_30 = 0xFA66FA4BL;
    --g_21;
    for (g_5 = 0; (g_5 <= 0); g_5 += 1)
    { 
        int32_t *l_26 = &g_27;
        int32_t *l_28 = &g_27;
        int32_t *l_29 = &g_27;
        for (g_8 = 0; (g_8 <= 0); g_8 += 1)
        { 
            int i;
            (*p_18) &= (!g_24[g_8]);
            for (p_20 = 0; (p_20 <= 0); p_20 += 1)
            { 
                int i;
                return g_24[g_5];
            }
        }
        l_30++;
    }
    return (*p_18);
}



static struct S0 * func_33(uint8_t  p_34, int64_t  p_35, int64_t  p_36)
{ 
    struct S0 *l_39 = &g_40[0];
    g_27 = (~0x73A151CD25BB5A27LL);
    return l_39;
}





int main (void)
{
    int i;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_5, "g_5", print_hash_value);
    transparent_crc(g_8, "g_8", print_hash_value);
    transparent_crc(g_13, "g_13", print_hash_value);
    transparent_crc(g_21, "g_21", print_hash_value);
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_24[i], "g_24[i]", print_hash_value);

    }
    transparent_crc(g_27, "g_27", print_hash_value);
    for (i = 0; i < 1; i++)
    {
        transparent_crc(g_40[i].f0, "g_40[i].f0", print_hash_value);
        transparent_crc(g_40[i].f1, "g_40[i].f1", print_hash_value);
        transparent_crc(g_40[i].f2, "g_40[i].f2", print_hash_value);

    }
    transparent_crc(g_42.f0, "g_42.f0", print_hash_value);
    transparent_crc(g_42.f1, "g_42.f1", print_hash_value);
    transparent_crc(g_42.f2, "g_42.f2", print_hash_value);
    transparent_crc(g_77, "g_77", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
