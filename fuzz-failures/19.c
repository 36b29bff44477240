
#define NO_LONGLONG

#include "csmith.h"


static long __undefined;



static int32_t g_3 = 0xFF606579;
static int16_t g_22 = 0xD91E;
static int32_t g_56 = 0x1F7B4007;
static volatile int32_t g_59 = 0x88CA0E2C;
static volatile uint32_t g_70 = 0xEDE5C489;
static uint8_t g_81 = 249U;



static int16_t  func_1(void);




static int16_t  func_1(void)
{ 
    int32_t *l_2 = &g_3;
    int32_t *l_4 = &g_3;
    int32_t *l_5 = &g_3;
    int32_t *l_6 = &g_3;
    int32_t *l_7 = (void*)0;
    int32_t *l_8 = &g_3;
    int32_t *l_9 = &g_3;
    int32_t *l_10 = &g_3;
    int32_t *l_11 = &g_3;
    int32_t *l_12 = &g_3;
    int32_t *l_13 = &g_3;
    int32_t *l_14 = &g_3;
    int32_t *l_15 = &g_3;
    int32_t *l_16 = (void*)0;
    int32_t *l_17 = (void*)0;
    int32_t *l_18 = &g_3;
    int32_t *l_19 = &g_3;
    int32_t *l_20 = &g_3;
    int32_t *l_21 = &g_3;
    int32_t *l_23 = &g_3;
    int32_t *l_24 = (void*)0;
    int32_t *l_25 = &g_3;
    int32_t *l_26 = &g_3;
    int32_t *l_27 = &g_3;
    int32_t *l_28 = &g_3;
    int32_t *l_29 = &g_3;
    int32_t *l_30 = &g_3;
    int32_t *l_31 = &g_3;
    int32_t *l_32 = &g_3;
    int32_t *l_33 = &g_3;
    int32_t *l_34 = &g_3;
    int32_t *l_35 = &g_3;
    int32_t *l_36 = &g_3;
    int32_t *l_37 = &g_3;
    int32_t l_38 = 1;
    int32_t *l_39 = &g_3;
    int32_t *l_40 = &l_38;
    int32_t *l_41 = &g_3;
    int32_t *l_42 = &l_38;
    int32_t *l_43 = &l_38;
    int32_t *l_44 = &g_3;
    int32_t *l_45 = &g_3;
    int32_t *l_46 = &l_38;
    int32_t *l_47 = &g_3;
    int32_t *l_48 = &l_38;
    int32_t *l_49 = &l_38;
    int32_t *l_50 = &l_38;
    int32_t *l_51 = &g_3;
    int32_t l_52 = (-1);
    int32_t *l_53 = &l_38;
    int32_t *l_54 = (void*)0;
    int32_t *l_55 = &l_52;
    int32_t *l_57 = &l_38;
    int32_t *l_58 = (void*)0;
    int32_t l_60 = 0x3F6D1D89;
    int32_t *l_61 = &l_52;
    int32_t *l_62 = &l_60;
    int32_t *l_63 = &l_38;
    int32_t *l_64 = &g_3;
    int32_t *l_65 = (void*)0;
    int32_t *l_66 = (void*)0;
    int32_t *l_67 = &l_60;
    int32_t l_68 = 0;
    int32_t *l_69 = &l_60;
    g_70++;
    g_81 &= (g_22 <= ((safe_rshift_func_uint16_t_u_u((safe_mul_func_uint16_t_u_u(((*l_45) ^ (safe_sub_func_uint8_t_u_u((safe_add_func_int32_t_s_s((((((g_3 || (*l_23)) || (*l_25)) | (-10)) != 0x0D) >= g_22), g_70)), g_3))), g_22)), 4)) , (*l_42)));
    return g_56;
}





int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_3, "g_3", print_hash_value);
    transparent_crc(g_22, "g_22", print_hash_value);
    transparent_crc(g_56, "g_56", print_hash_value);
    transparent_crc(g_59, "g_59", print_hash_value);
    transparent_crc(g_70, "g_70", print_hash_value);
    transparent_crc(g_81, "g_81", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
