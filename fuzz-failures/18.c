#include <float.h>
#include <math.h>
#include "csmith.h"


static long __undefined;


struct S1 {
   signed f0 : 23;
   unsigned f1 : 14;
   signed f2 : 15;
};


static struct S1 g_2[3][4] = {{{1370,12,128},{1643,16,-40},{1370,12,128},{1370,12,128}},{{1643,16,-40},{1643,16,-40},{-613,17,108},{1643,16,-40}},{{1643,16,-40},{1370,12,128},{1370,12,128},{1643,16,-40}}};



static int32_t  func_1(void);




static int32_t  func_1(void)
{ 
    struct S1 l_3 = {741,68,144};
    l_3 = g_2[0][2];
    return l_3.f1;
}





int main (void)
{
    int i, j;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    for (i = 0; i < 3; i++)
    {
        for (j = 0; j < 4; j++)
        {
            transparent_crc(g_2[i][j].f0, "g_2[i][j].f0", print_hash_value);
            transparent_crc(g_2[i][j].f1, "g_2[i][j].f1", print_hash_value);
            transparent_crc(g_2[i][j].f2, "g_2[i][j].f2", print_hash_value);

        }
    }
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
