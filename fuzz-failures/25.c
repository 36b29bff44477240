
#define NO_LONGLONG

#include "csmith.h"


static long __undefined;



static int32_t g_3 = 0xADE19D29;
static int32_t *g_4 = &g_3;
static int32_t **g_56 = &g_4;
static int32_t g_61 = 0xAEF2D6A3;
static int32_t * volatile g_60 = &g_61;
static int32_t g_78 = 0xE0F7F7A3;



static const uint8_t  func_1(void);




static const uint8_t  func_1(void)
{ 
    int32_t *l_2 = &g_3;
    int32_t **l_73 = &g_4;
    uint32_t l_77 = 4294967295U;
    int32_t *l_80 = (void*)0;
lbl_22:
    g_4 = l_2;
    if ((((((g_3 | (l_2 == &g_3)) != (((l_2 == &g_3) < ((safe_rshift_func_int8_t_s_u(g_3, 1)) ^ (-1))) >= (*l_2))) | (*l_2)) == (*l_2)) || (*l_2)))
    { 
        int32_t *l_21 = (void*)0;
        if ((safe_div_func_int16_t_s_s((safe_div_func_int16_t_s_s((safe_add_func_uint16_t_u_u((((g_3 || ((*l_2) != (safe_mul_func_uint16_t_u_u(0U, (*l_2))))) < (safe_div_func_uint32_t_u_u(((l_2 == l_21) == g_3), (-4)))) < g_3), 0xD77C)), g_3)), 0x0A9F)))
        { 
            int32_t **l_23 = &g_4;
            if (g_3)
                goto lbl_22;
            (*l_23) = l_21;
        }
        else
        { 
            int16_t l_26 = 0xBBFA;
            int8_t l_35 = (-1);
            (*g_4) = (safe_lshift_func_uint16_t_u_s(((l_26 > (safe_div_func_int32_t_s_s((&g_3 != &g_3), (safe_mod_func_int32_t_s_s((*l_2), (*g_4)))))) && (safe_add_func_int16_t_s_s((0 || (*l_2)), g_3))), (*l_2)));
            (*l_2) = ((safe_sub_func_uint16_t_u_u(l_35, (safe_rshift_func_uint16_t_u_u(((*g_4) ^ ((g_3 || (((void*)0 != l_2) >= l_35)) ^ 0)), (*l_2))))) < 4294967290U);
        }
    }
    else
    { 
        uint32_t l_46 = 0xC927DB40;
        int32_t **l_55 = (void*)0;
        int32_t **l_59 = &g_4;
        uint8_t l_76 = 255U;
        int16_t l_82 = 0xCDF3;
        if (((safe_mul_func_int16_t_s_s((safe_lshift_func_uint8_t_u_s((safe_lshift_func_uint8_t_u_s(0x0C, (safe_mod_func_uint32_t_u_u((l_46 || ((safe_mod_func_uint32_t_u_u(4294967295U, (safe_sub_func_uint8_t_u_u((safe_lshift_func_int16_t_s_s((*l_2), (*l_2))), ((safe_rshift_func_uint16_t_u_s((&g_3 == (void*)0), g_3)) == g_3))))) <= (*l_2))), (*g_4))))), g_3)), g_3)) | (*g_4)))
        { 
            g_56 = l_55;
            (*g_4) = (*g_4);
        }
        else
        { 
            (*g_56) = (*g_56);
        }
        if (g_3)
            goto lbl_62;
lbl_62:
        (*g_60) |= (safe_lshift_func_int8_t_s_s(((g_3 ^ 0x40DA) > (l_59 != (void*)0)), ((&g_4 == l_55) | (**l_59))));
        if ((safe_add_func_int16_t_s_s(g_3, (safe_rshift_func_uint16_t_u_u((((((0x59 && ((safe_div_func_int16_t_s_s((safe_lshift_func_int8_t_s_u((((safe_div_func_int16_t_s_s(((void*)0 != l_73), (safe_mod_func_uint16_t_u_u((((*l_73) == (*l_73)) <= g_61), l_76)))) > 0xC4) > g_61), 3)), g_3)) && l_77)) == 0x30D2) | (*g_60)) < g_78) | 255U), 1)))))
        { 
            int32_t *l_79 = &g_3;
            (*l_73) = l_79;
        }
        else
        { 
            int32_t *l_81 = &g_61;
            (*l_81) = (((&g_4 == l_55) | (((void*)0 != l_80) < ((void*)0 == l_81))) == l_82);
        }
    }
    (*l_73) = (void*)0;
    return g_3;
}





int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_3, "g_3", print_hash_value);
    transparent_crc(g_61, "g_61", print_hash_value);
    transparent_crc(g_78, "g_78", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
