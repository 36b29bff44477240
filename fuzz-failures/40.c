
#define NO_LONGLONG

#include "csmith.h"


static long __undefined;


union U0 {
   int8_t * const  f0;
   const signed f1 : 16;
   int32_t  f2;
};


static union U0 g_3 = {0};
static const int16_t g_4 = 0xD4EA;



static const int16_t  func_1(void);




static const int16_t  func_1(void)
{ 
    union U0 *l_2 = &g_3;
    l_2 = l_2;
    return g_4;
}





int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_4, "g_4", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
