#include "csmith.h"


static long __undefined;


union U0 {
   const uint64_t  f0;
   const volatile int16_t  f1;
   int64_t  f2;
   volatile int8_t * const  f3;
   uint64_t  f4;
};

union U3 {
   volatile int8_t  f0;
   const uint8_t  f1;
};


static volatile int32_t g_3 = 0x67B8F5F4L;
static volatile int32_t g_4 = (-1L);
static int32_t g_5 = 6L;
static int64_t g_23 = 0L;
static int64_t *g_22[1][3][3] = {{{&g_23,&g_23,&g_23},{&g_23,&g_23,&g_23},{&g_23,&g_23,&g_23}}};
static volatile union U3 g_30[2][1][3] = {{{{0xBDL},{0xBDL},{0xBDL}}},{{{0xBDL},{0xBDL},{0xBDL}}}};
static volatile union U3 *g_29 = &g_30[0][0][0];
static volatile int32_t g_37 = 0x8F15EA37L;
static int32_t g_52 = 0x8ECA1AEAL;
static int32_t * volatile g_51 = &g_52;
static volatile union U0 g_54 = {0x0EC31937DA878156LL};
static volatile union U0 *g_53 = &g_54;



static uint16_t  func_1(void);




static uint16_t  func_1(void)
{ 
    int32_t l_2[3];
    uint32_t l_9 = 5UL;
    int32_t l_11 = 0L;
    int8_t l_24 = 1L;
    uint64_t l_45 = 0x418E8DCE9DB3FA3CLL;
    int i;
    for (i = 0; i < 3; i++)
        l_2[i] = 9L;
    for (g_5 = 0; (g_5 <= 2); g_5 += 1)
    { 
        int64_t *l_10 = (void*)0;
        int32_t l_26 = 2L;
        uint64_t l_41 = 0UL;
        uint64_t l_50 = 0x04C7C9A7B2E0AD50LL;
        if ((safe_div_func_int64_t_s_s(((((((!(((l_11 ^= l_9) | l_9) || l_2[1])) , 0x72L) == g_5) , g_5) ^ l_9) <= g_4), g_5)))
        { 
            int32_t *l_25 = &l_11;
            if ((l_26 = (safe_mod_func_int32_t_s_s(((*l_25) &= (safe_lshift_func_uint8_t_u_s((safe_mul_func_uint16_t_u_u((safe_add_func_uint32_t_u_u((safe_sub_func_int64_t_s_s((g_22[0][0][2] != (void*)0), g_23)), 4294967295UL)), l_24)), l_2[0]))), 1L))))
            { 
                (*l_25) = ((safe_lshift_func_uint8_t_u_s(((0xEFC72FA5D8720725LL > l_9) & g_4), g_23)) <= 9L);
                g_29 = g_29;
            }
            else
            { 
                int32_t l_34 = 3L;
                (*l_25) &= (safe_unary_minus_func_uint16_t_u((safe_sub_func_uint32_t_u_u(0xA87EA82BL, l_34))));
                (*l_25) = ((safe_rshift_func_uint16_t_u_u((g_37 || l_26), l_24)) == 0L);
            }
        }
        else
        { 
            uint8_t l_40 = 1UL;
            for (l_9 = 0; (l_9 <= 2); l_9 += 1)
            { 
                int32_t *l_42 = &l_26;
                int32_t *l_43 = (void*)0;
                int32_t *l_44[2];
                int i;
                for (i = 0; i < 2; i++)
                    l_44[i] = (void*)0;
                l_41 = ((safe_rshift_func_uint16_t_u_u(0UL, l_40)) ^ l_26);
                ++l_45;
            }
            (*g_51) = (((safe_mod_func_uint8_t_u_u((0xAAC0L || 0x777FL), l_50)) <= l_26) == l_40);
        }
        g_53 = g_53;
    }
    return l_24;
}





int main (int argc, char* argv[])
{
    int i, j, k;
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_3, "g_3", print_hash_value);
    transparent_crc(g_4, "g_4", print_hash_value);
    transparent_crc(g_5, "g_5", print_hash_value);
    transparent_crc(g_23, "g_23", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        for (j = 0; j < 1; j++)
        {
            for (k = 0; k < 3; k++)
            {
                transparent_crc(g_30[i][j][k].f0, "g_30[i][j][k].f0", print_hash_value);
                transparent_crc(g_30[i][j][k].f1, "g_30[i][j][k].f1", print_hash_value);

            }
        }
    }
    transparent_crc(g_37, "g_37", print_hash_value);
    transparent_crc(g_52, "g_52", print_hash_value);
    transparent_crc(g_54.f0, "g_54.f0", print_hash_value);
    transparent_crc(g_54.f1, "g_54.f1", print_hash_value);
    transparent_crc(g_54.f2, "g_54.f2", print_hash_value);
    transparent_crc(g_54.f4, "g_54.f4", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
