/* Structs by value: arguments and results of 1 to 20 bytes and more, with every kind of member. */
#include <stdio.h>
#include <string.h>

typedef struct { unsigned char b[1]; } S1;
static S1 make1(int k) { S1 s; int i; for (i = 0; i < 1; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum1(int x, S1 s, char c, S1 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 1; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S1 pass1(S1 s) { s.b[0] ^= 0x55; return s; }
static S1 global1;
static S1 (*through1)(S1) = pass1;
static void test1(void)
{
    S1 array[3], s = make1(5), *p = array;
    array[0] = s; array[1] = pass1(s); *(p + 2) = through1(pass1(make1(9)));
    global1 = array[2] = p[1];
    printf("1: %08x %08x", sum1(1, s, 'c', array[1], 3), sum1(-1, make1(77), -5, pass1(through1(global1)), 7));
    printf(" %u %d\n", make1(3).b[0], memcmp(&array[1], &global1, sizeof s));
}

typedef struct { unsigned char b[2]; } S2;
static S2 make2(int k) { S2 s; int i; for (i = 0; i < 2; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum2(int x, S2 s, char c, S2 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 2; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S2 pass2(S2 s) { s.b[1] ^= 0x55; return s; }
static S2 global2;
static S2 (*through2)(S2) = pass2;
static void test2(void)
{
    S2 array[3], s = make2(5), *p = array;
    array[0] = s; array[1] = pass2(s); *(p + 2) = through2(pass2(make2(9)));
    global2 = array[2] = p[1];
    printf("2: %08x %08x", sum2(1, s, 'c', array[1], 3), sum2(-1, make2(77), -5, pass2(through2(global2)), 7));
    printf(" %u %d\n", make2(3).b[1], memcmp(&array[1], &global2, sizeof s));
}

typedef struct { unsigned char b[3]; } S3;
static S3 make3(int k) { S3 s; int i; for (i = 0; i < 3; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum3(int x, S3 s, char c, S3 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 3; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S3 pass3(S3 s) { s.b[1] ^= 0x55; return s; }
static S3 global3;
static S3 (*through3)(S3) = pass3;
static void test3(void)
{
    S3 array[3], s = make3(5), *p = array;
    array[0] = s; array[1] = pass3(s); *(p + 2) = through3(pass3(make3(9)));
    global3 = array[2] = p[1];
    printf("3: %08x %08x", sum3(1, s, 'c', array[1], 3), sum3(-1, make3(77), -5, pass3(through3(global3)), 7));
    printf(" %u %d\n", make3(3).b[2], memcmp(&array[1], &global3, sizeof s));
}

typedef struct { unsigned char b[4]; } S4;
static S4 make4(int k) { S4 s; int i; for (i = 0; i < 4; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum4(int x, S4 s, char c, S4 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 4; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S4 pass4(S4 s) { s.b[2] ^= 0x55; return s; }
static S4 global4;
static S4 (*through4)(S4) = pass4;
static void test4(void)
{
    S4 array[3], s = make4(5), *p = array;
    array[0] = s; array[1] = pass4(s); *(p + 2) = through4(pass4(make4(9)));
    global4 = array[2] = p[1];
    printf("4: %08x %08x", sum4(1, s, 'c', array[1], 3), sum4(-1, make4(77), -5, pass4(through4(global4)), 7));
    printf(" %u %d\n", make4(3).b[3], memcmp(&array[1], &global4, sizeof s));
}

typedef struct { unsigned char b[5]; } S5;
static S5 make5(int k) { S5 s; int i; for (i = 0; i < 5; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum5(int x, S5 s, char c, S5 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 5; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S5 pass5(S5 s) { s.b[2] ^= 0x55; return s; }
static S5 global5;
static S5 (*through5)(S5) = pass5;
static void test5(void)
{
    S5 array[3], s = make5(5), *p = array;
    array[0] = s; array[1] = pass5(s); *(p + 2) = through5(pass5(make5(9)));
    global5 = array[2] = p[1];
    printf("5: %08x %08x", sum5(1, s, 'c', array[1], 3), sum5(-1, make5(77), -5, pass5(through5(global5)), 7));
    printf(" %u %d\n", make5(3).b[4], memcmp(&array[1], &global5, sizeof s));
}

typedef struct { unsigned char b[6]; } S6;
static S6 make6(int k) { S6 s; int i; for (i = 0; i < 6; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum6(int x, S6 s, char c, S6 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 6; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S6 pass6(S6 s) { s.b[3] ^= 0x55; return s; }
static S6 global6;
static S6 (*through6)(S6) = pass6;
static void test6(void)
{
    S6 array[3], s = make6(5), *p = array;
    array[0] = s; array[1] = pass6(s); *(p + 2) = through6(pass6(make6(9)));
    global6 = array[2] = p[1];
    printf("6: %08x %08x", sum6(1, s, 'c', array[1], 3), sum6(-1, make6(77), -5, pass6(through6(global6)), 7));
    printf(" %u %d\n", make6(3).b[5], memcmp(&array[1], &global6, sizeof s));
}

typedef struct { unsigned char b[7]; } S7;
static S7 make7(int k) { S7 s; int i; for (i = 0; i < 7; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum7(int x, S7 s, char c, S7 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 7; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S7 pass7(S7 s) { s.b[3] ^= 0x55; return s; }
static S7 global7;
static S7 (*through7)(S7) = pass7;
static void test7(void)
{
    S7 array[3], s = make7(5), *p = array;
    array[0] = s; array[1] = pass7(s); *(p + 2) = through7(pass7(make7(9)));
    global7 = array[2] = p[1];
    printf("7: %08x %08x", sum7(1, s, 'c', array[1], 3), sum7(-1, make7(77), -5, pass7(through7(global7)), 7));
    printf(" %u %d\n", make7(3).b[6], memcmp(&array[1], &global7, sizeof s));
}

typedef struct { unsigned char b[8]; } S8;
static S8 make8(int k) { S8 s; int i; for (i = 0; i < 8; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum8(int x, S8 s, char c, S8 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 8; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S8 pass8(S8 s) { s.b[4] ^= 0x55; return s; }
static S8 global8;
static S8 (*through8)(S8) = pass8;
static void test8(void)
{
    S8 array[3], s = make8(5), *p = array;
    array[0] = s; array[1] = pass8(s); *(p + 2) = through8(pass8(make8(9)));
    global8 = array[2] = p[1];
    printf("8: %08x %08x", sum8(1, s, 'c', array[1], 3), sum8(-1, make8(77), -5, pass8(through8(global8)), 7));
    printf(" %u %d\n", make8(3).b[7], memcmp(&array[1], &global8, sizeof s));
}

typedef struct { unsigned char b[9]; } S9;
static S9 make9(int k) { S9 s; int i; for (i = 0; i < 9; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum9(int x, S9 s, char c, S9 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 9; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S9 pass9(S9 s) { s.b[4] ^= 0x55; return s; }
static S9 global9;
static S9 (*through9)(S9) = pass9;
static void test9(void)
{
    S9 array[3], s = make9(5), *p = array;
    array[0] = s; array[1] = pass9(s); *(p + 2) = through9(pass9(make9(9)));
    global9 = array[2] = p[1];
    printf("9: %08x %08x", sum9(1, s, 'c', array[1], 3), sum9(-1, make9(77), -5, pass9(through9(global9)), 7));
    printf(" %u %d\n", make9(3).b[8], memcmp(&array[1], &global9, sizeof s));
}

typedef struct { unsigned char b[10]; } S10;
static S10 make10(int k) { S10 s; int i; for (i = 0; i < 10; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum10(int x, S10 s, char c, S10 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 10; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S10 pass10(S10 s) { s.b[5] ^= 0x55; return s; }
static S10 global10;
static S10 (*through10)(S10) = pass10;
static void test10(void)
{
    S10 array[3], s = make10(5), *p = array;
    array[0] = s; array[1] = pass10(s); *(p + 2) = through10(pass10(make10(9)));
    global10 = array[2] = p[1];
    printf("10: %08x %08x", sum10(1, s, 'c', array[1], 3), sum10(-1, make10(77), -5, pass10(through10(global10)), 7));
    printf(" %u %d\n", make10(3).b[9], memcmp(&array[1], &global10, sizeof s));
}

typedef struct { unsigned char b[11]; } S11;
static S11 make11(int k) { S11 s; int i; for (i = 0; i < 11; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum11(int x, S11 s, char c, S11 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 11; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S11 pass11(S11 s) { s.b[5] ^= 0x55; return s; }
static S11 global11;
static S11 (*through11)(S11) = pass11;
static void test11(void)
{
    S11 array[3], s = make11(5), *p = array;
    array[0] = s; array[1] = pass11(s); *(p + 2) = through11(pass11(make11(9)));
    global11 = array[2] = p[1];
    printf("11: %08x %08x", sum11(1, s, 'c', array[1], 3), sum11(-1, make11(77), -5, pass11(through11(global11)), 7));
    printf(" %u %d\n", make11(3).b[10], memcmp(&array[1], &global11, sizeof s));
}

typedef struct { unsigned char b[12]; } S12;
static S12 make12(int k) { S12 s; int i; for (i = 0; i < 12; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum12(int x, S12 s, char c, S12 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 12; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S12 pass12(S12 s) { s.b[6] ^= 0x55; return s; }
static S12 global12;
static S12 (*through12)(S12) = pass12;
static void test12(void)
{
    S12 array[3], s = make12(5), *p = array;
    array[0] = s; array[1] = pass12(s); *(p + 2) = through12(pass12(make12(9)));
    global12 = array[2] = p[1];
    printf("12: %08x %08x", sum12(1, s, 'c', array[1], 3), sum12(-1, make12(77), -5, pass12(through12(global12)), 7));
    printf(" %u %d\n", make12(3).b[11], memcmp(&array[1], &global12, sizeof s));
}

typedef struct { unsigned char b[13]; } S13;
static S13 make13(int k) { S13 s; int i; for (i = 0; i < 13; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum13(int x, S13 s, char c, S13 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 13; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S13 pass13(S13 s) { s.b[6] ^= 0x55; return s; }
static S13 global13;
static S13 (*through13)(S13) = pass13;
static void test13(void)
{
    S13 array[3], s = make13(5), *p = array;
    array[0] = s; array[1] = pass13(s); *(p + 2) = through13(pass13(make13(9)));
    global13 = array[2] = p[1];
    printf("13: %08x %08x", sum13(1, s, 'c', array[1], 3), sum13(-1, make13(77), -5, pass13(through13(global13)), 7));
    printf(" %u %d\n", make13(3).b[12], memcmp(&array[1], &global13, sizeof s));
}

typedef struct { unsigned char b[14]; } S14;
static S14 make14(int k) { S14 s; int i; for (i = 0; i < 14; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum14(int x, S14 s, char c, S14 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 14; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S14 pass14(S14 s) { s.b[7] ^= 0x55; return s; }
static S14 global14;
static S14 (*through14)(S14) = pass14;
static void test14(void)
{
    S14 array[3], s = make14(5), *p = array;
    array[0] = s; array[1] = pass14(s); *(p + 2) = through14(pass14(make14(9)));
    global14 = array[2] = p[1];
    printf("14: %08x %08x", sum14(1, s, 'c', array[1], 3), sum14(-1, make14(77), -5, pass14(through14(global14)), 7));
    printf(" %u %d\n", make14(3).b[13], memcmp(&array[1], &global14, sizeof s));
}

typedef struct { unsigned char b[15]; } S15;
static S15 make15(int k) { S15 s; int i; for (i = 0; i < 15; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum15(int x, S15 s, char c, S15 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 15; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S15 pass15(S15 s) { s.b[7] ^= 0x55; return s; }
static S15 global15;
static S15 (*through15)(S15) = pass15;
static void test15(void)
{
    S15 array[3], s = make15(5), *p = array;
    array[0] = s; array[1] = pass15(s); *(p + 2) = through15(pass15(make15(9)));
    global15 = array[2] = p[1];
    printf("15: %08x %08x", sum15(1, s, 'c', array[1], 3), sum15(-1, make15(77), -5, pass15(through15(global15)), 7));
    printf(" %u %d\n", make15(3).b[14], memcmp(&array[1], &global15, sizeof s));
}

typedef struct { unsigned char b[16]; } S16;
static S16 make16(int k) { S16 s; int i; for (i = 0; i < 16; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum16(int x, S16 s, char c, S16 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 16; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S16 pass16(S16 s) { s.b[8] ^= 0x55; return s; }
static S16 global16;
static S16 (*through16)(S16) = pass16;
static void test16(void)
{
    S16 array[3], s = make16(5), *p = array;
    array[0] = s; array[1] = pass16(s); *(p + 2) = through16(pass16(make16(9)));
    global16 = array[2] = p[1];
    printf("16: %08x %08x", sum16(1, s, 'c', array[1], 3), sum16(-1, make16(77), -5, pass16(through16(global16)), 7));
    printf(" %u %d\n", make16(3).b[15], memcmp(&array[1], &global16, sizeof s));
}

typedef struct { unsigned char b[17]; } S17;
static S17 make17(int k) { S17 s; int i; for (i = 0; i < 17; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum17(int x, S17 s, char c, S17 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 17; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S17 pass17(S17 s) { s.b[8] ^= 0x55; return s; }
static S17 global17;
static S17 (*through17)(S17) = pass17;
static void test17(void)
{
    S17 array[3], s = make17(5), *p = array;
    array[0] = s; array[1] = pass17(s); *(p + 2) = through17(pass17(make17(9)));
    global17 = array[2] = p[1];
    printf("17: %08x %08x", sum17(1, s, 'c', array[1], 3), sum17(-1, make17(77), -5, pass17(through17(global17)), 7));
    printf(" %u %d\n", make17(3).b[16], memcmp(&array[1], &global17, sizeof s));
}

typedef struct { unsigned char b[18]; } S18;
static S18 make18(int k) { S18 s; int i; for (i = 0; i < 18; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum18(int x, S18 s, char c, S18 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 18; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S18 pass18(S18 s) { s.b[9] ^= 0x55; return s; }
static S18 global18;
static S18 (*through18)(S18) = pass18;
static void test18(void)
{
    S18 array[3], s = make18(5), *p = array;
    array[0] = s; array[1] = pass18(s); *(p + 2) = through18(pass18(make18(9)));
    global18 = array[2] = p[1];
    printf("18: %08x %08x", sum18(1, s, 'c', array[1], 3), sum18(-1, make18(77), -5, pass18(through18(global18)), 7));
    printf(" %u %d\n", make18(3).b[17], memcmp(&array[1], &global18, sizeof s));
}

typedef struct { unsigned char b[19]; } S19;
static S19 make19(int k) { S19 s; int i; for (i = 0; i < 19; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum19(int x, S19 s, char c, S19 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 19; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S19 pass19(S19 s) { s.b[9] ^= 0x55; return s; }
static S19 global19;
static S19 (*through19)(S19) = pass19;
static void test19(void)
{
    S19 array[3], s = make19(5), *p = array;
    array[0] = s; array[1] = pass19(s); *(p + 2) = through19(pass19(make19(9)));
    global19 = array[2] = p[1];
    printf("19: %08x %08x", sum19(1, s, 'c', array[1], 3), sum19(-1, make19(77), -5, pass19(through19(global19)), 7));
    printf(" %u %d\n", make19(3).b[18], memcmp(&array[1], &global19, sizeof s));
}

typedef struct { unsigned char b[20]; } S20;
static S20 make20(int k) { S20 s; int i; for (i = 0; i < 20; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum20(int x, S20 s, char c, S20 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 20; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S20 pass20(S20 s) { s.b[10] ^= 0x55; return s; }
static S20 global20;
static S20 (*through20)(S20) = pass20;
static void test20(void)
{
    S20 array[3], s = make20(5), *p = array;
    array[0] = s; array[1] = pass20(s); *(p + 2) = through20(pass20(make20(9)));
    global20 = array[2] = p[1];
    printf("20: %08x %08x", sum20(1, s, 'c', array[1], 3), sum20(-1, make20(77), -5, pass20(through20(global20)), 7));
    printf(" %u %d\n", make20(3).b[19], memcmp(&array[1], &global20, sizeof s));
}

typedef struct { unsigned char b[33]; } S33;
static S33 make33(int k) { S33 s; int i; for (i = 0; i < 33; i++) s.b[i] = k + i * 7; return s; }
static unsigned sum33(int x, S33 s, char c, S33 t, int y)
{ unsigned r = x; int i; for (i = 0; i < 33; i++) r = r * 31 + s.b[i] * 3 + t.b[i]; return r * y + c; }
static S33 pass33(S33 s) { s.b[16] ^= 0x55; return s; }
static S33 global33;
static S33 (*through33)(S33) = pass33;
static void test33(void)
{
    S33 array[3], s = make33(5), *p = array;
    array[0] = s; array[1] = pass33(s); *(p + 2) = through33(pass33(make33(9)));
    global33 = array[2] = p[1];
    printf("33: %08x %08x", sum33(1, s, 'c', array[1], 3), sum33(-1, make33(77), -5, pass33(through33(global33)), 7));
    printf(" %u %d\n", make33(3).b[32], memcmp(&array[1], &global33, sizeof s));
}

struct mixed { char c; short s; int i; long long q; float f; double d; };
struct floats { float a, b; };
struct doubles { double a, b, c; };
struct one { float f; };
struct onechar { char c; };
struct nested { struct onechar c; struct { struct one o; short s[2]; } in; };
struct words { int a, b, c; };
union either { int i; float f; char c[4]; };

static struct mixed mix(struct mixed m, int by)
{
    m.c += by; m.s -= by; m.i *= by; m.q <<= by; m.f /= by; m.d += m.f;
    return m;
}

static struct floats swap(struct floats f) { struct floats g; g.a = f.b; g.b = f.a; return g; }
static struct doubles turn(struct doubles x) { struct doubles y = {x.b, x.c, x.a}; return y; }
static struct one half(struct one x) { x.f /= 2; return x; }
static struct nested deep(struct nested n, struct one o) { n.in.o = half(o); n.in.s[1]++; n.c.c--; return n; }
static union either other(union either e) { e.c[0]++; return e; }
static struct words recursive(struct words w) { if (w.a-- > 0) { w.b += w.a; w = recursive(w); w.c++; } return w; }
static int late(int a, int b, int c, int d, int e, int f, int g, struct words w, struct onechar k, struct words v)
{ return a + b + c + d + e + f + g + w.a * 10 + w.b * 100 + w.c * 1000 + k.c + v.a - v.b + v.c; }

int main(void)
{
    struct mixed m = {1, 2, 3, 4, 5.5f, 6.25}, *p = &m;
    struct floats f = {1.5f, 2.5f};
    struct doubles d = {1, 2, 3};
    struct nested n = {{9}, {{3.5f}, {7, 8}}};
    struct words w = {5, 6, 7}, v;
    union either e;
    struct onechar k = {'k'};
    int which;

    test1();
    test2();
    test3();
    test4();
    test5();
    test6();
    test7();
    test8();
    test9();
    test10();
    test11();
    test12();
    test13();
    test14();
    test15();
    test16();
    test17();
    test18();
    test19();
    test20();
    test33();
    m = mix(mix(m, 2), 3);
    printf("%d %d %d %lld %.4f %.4f\n", m.c, m.s, m.i, m.q, m.f, m.d);
    *p = mix(*p, 1);
    printf("%d %d %d %lld %.4f %.4f\n", p->c, p->s, p->i, p->q, p->f, p->d);
    f = swap(f);
    printf("%.1f %.1f %.1f\n", f.a, f.b, swap(swap(f)).a);
    d = turn(turn(d));
    printf("%.1f %.1f %.1f\n", d.a, d.b, d.c);
    n = deep(n, n.in.o);
    printf("%d %.2f %d %d\n", n.c.c, n.in.o.f, n.in.s[0], n.in.s[1]);
    memset(&e, 0, sizeof e);
    e = other(other(e));
    printf("%d\n", e.c[0]);
    v = recursive(w);
    printf("%d %d %d\n", v.a, v.b, v.c);
    printf("%d\n", late(1, 2, 3, 4, 5, 6, 7, w, k, v));
    for (which = 0; which < 3; which++) {
        struct words x = which ? v : w, y = (v.a++, which == 1) ? x : w;
        x = y = which > 1 ? recursive(x) : x;
        printf("%d %d %d %d\n", x.a, x.b, x.c, y.c + v.a);
    }
    return 0;
}
