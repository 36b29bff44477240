#include "host.h"
typedef struct { int x, y; } P;
typedef struct { char c[13]; double d; } Big;
struct an { int a; union { int b; struct { short c, d; }; }; enum { E1, E2=7 } e; };
_Static_assert(sizeof(P)==8, "P");
static P mk(int a, int b) { P p = {a, b}; return p; }
static Big big(int k) { Big b; memset(&b, 0, sizeof b); b.c[3] = k; b.d = k/2.0; return b; }
static int sum(int n, ...) { va_list ap, aq; int s = 0; va_start(ap, n); va_copy(aq, ap);
  while (n--) s += va_arg(ap, int); s += va_arg(aq, int)*1000; va_end(ap); va_end(aq); return s; }
static double mixed(const char *f, ...) { va_list ap; double r=0; va_start(ap,f);
  for(;*f;f++) switch(*f){ case 'i': r+=va_arg(ap,int); break; case 'd': r+=va_arg(ap,double); break; case 'l': r+=va_arg(ap,long); break; case 'P': {P p=va_arg(ap,P); r+=p.x*p.y; break;} case 'B': r+=va_arg(ap,Big).d; }
  va_end(ap); return r; }
int knr(a, b, c) char a; float b; short *c; { return a + (int)b + *c; }
int knr2();
static int fact(int n) { return n < 2 ? 1 : n * fact(n-1); }
static int (*table[])(int) = { fact, &fact, 0 };
static const char *names[] = { "zero", "one", [4] = "four", "five" };
static char buf[] = "hello", *bp = &buf[1], *be = buf + sizeof buf - 1;
static struct { int a[3]; P p; char s[4]; } init[] = { {{1,2},{3,4},"abc"}, 5,6,7,8,9,"xy", { .p.y = 3, .a[1] = 4, 5 }, [4].s = {'a','b'} };
static P *pp = &(P){11,12};
static int *ip = &init[1].a[2];
static long off = (long)offsetof_idiom(struct an, d);
static unsigned long off2 = (unsigned long)&((struct an *)0)->e;
struct bf { unsigned a:3; int b:7; unsigned :0; _Bool c:1; unsigned long long d:37; signed char e:4; enum {X,Y,Z} z:2; } ;
static struct bf sbf = { 5, -3, 1, 0x1234567890ull, -2, Z };
static void duff(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) { case 0: do { *to++ = *from++; case 7: *to++ = *from++; case 6: *to++ = *from++;
   case 5: *to++ = *from++; case 4: *to++ = *from++; case 3: *to++ = *from++; case 2: *to++ = *from++; case 1: *to++ = *from++; } while (--n > 0); } }
static int counter(void) { static int n = 5; static int arr[3] = {1,2,3}; arr[1] += n; return n++ + arr[1]; }
static inline int inl(int x) { return x * 3; }
int tent; int tent; extern int tent; int tent2[]; 
static unsigned char uc = 200; static short sh = -5; static long long ll = -1; static float fl = 1.5f; static unsigned ui = 4000000000u;
typedef __CHAR16_TYPE__ c16; typedef __CHAR32_TYPE__ c32;
static c16 u16[] = u"a\u00e9" "\U0001f363", part[2] = u"xyz", after[] = "12" u"3"; static c32 u32[] = U"q\U0001f363"; struct { c16 s[3]; } in16[] = { u"ab", { u"cd" } };
static void unicode(void) { const c16 *p = u"lit" "eral"; c16 l[] = u"loc";
  printf("%d %d %d %d %d %x %x %x %x %x %x\n", (int)sizeof u16, (int)sizeof after, (int)sizeof u32, (int)sizeof l, (int)sizeof u'x', u16[2], u16[3], part[1], u32[1], in16[1].s[1], p[6]);
  printf("%d %d %d\n", u'\xffff' > 0, U'\xffffffff' > 0, L'\xffffffff' > 0); }
int main(int argc, char **argv) { unicode();
  int i = 0, j, arr[5] = {1,2,[3]=9}, (*pa)[5] = &arr, m[2][3] = {{1,2,3},4,5,6};
  P p = mk(3,4), q; Big b; struct an s = { 1, { .c = 2 }, E2 }; struct bf lb = {7, 63, 0, 5, 7, Y}, *pb = &lb;
  char local[] = "local string", l2[20] = "pad", l3[3] = "abc";
  volatile int v = 3; double d; float f = 2.5f; void *vp = &i; unsigned u; long double ld = 1.25L;
  int *np = 0; const char *w; wchar: ;
  q = p; q.x += 10; printf("%d %d %d %d\n", p.x, p.y, q.x, q.y);
  b = big(42); printf("%d %g %g\n", b.c[3], b.d, big(7).d);
  printf("%d %g\n", sum(4, 1,2,3,4), mixed("idlPB", 1, 2.5, 100L, mk(6,7), big(9)));
  printf("%d\n", knr('a', 3.7f, &sh) + knr2(1));
  printf("%d %d\n", table[0](5), (*table[1])(4)); printf("%d\n", (**table)(3));
  for (i = 0; i < 6; i++) printf("%s ", names[i] ? names[i] : "null"); printf("\n");
  printf("%s %s %ld\n", buf, bp, (long)(be - buf));
  for (i = 0; i < 5; i++) printf("{%d %d %d, %d %d, %.4s}", init[i].a[0], init[i].a[1], init[i].a[2], init[i].p.x, init[i].p.y, init[i].s);
  printf("\n%d %d %d %ld %lu\n", pp->x, pp->y, *ip, off, (unsigned long)off2);
  printf("%d %d %d %llx %d %d %d\n", sbf.a, sbf.b, sbf.c, (unsigned long long)sbf.d, sbf.e, sbf.z, (int)sizeof sbf);
  printf("%d %d %d %llx %d %d\n", lb.a, lb.b, lb.c, (unsigned long long)lb.d, lb.e, lb.z);
  pb->a += 3; pb->b <<= 1; pb->c = 2; pb->d--; pb->e = pb->a++; ++pb->z; printf("%d %d %d %llx %d %d\n", pb->a, pb->b, pb->c, (unsigned long long)pb->d, pb->e, pb->z);
  printf("%d\n", (lb.a = 13) + (lb.e = 9));
  duff(l2, local, 11); printf("%s %.3s %d %d\n", l2, l3, (int)sizeof local, (int)sizeof l3);
  printf("%d ", counter()); printf("%d\n", counter());
  printf("%d %d %d\n", (*pa)[3], m[1][0], (int)(sizeof m / sizeof m[0]));
  
  i = 3; j = (i > 2 && i < 5) || v; printf("%d %d %d\n", j, !i, !!i);
  printf("%d %d %d %d\n", uc + 100, (signed char)uc, (char)300, sh >> 1);
  printf("%d %d %d\n", ui > -1, ll < ui, -1 < (unsigned char)1);
  printf("%u %lld %lld\n", ui * 2, ll * ui, (long long)ui << 3);
  d = fl; d += f; d *= 3; printf("%g %d %u %g\n", d, (int)d, (unsigned)d, (double)(float)0.1);
  printf("%d %d\n", (int)(7 / -2), -7 % 3); printf("%u\n", -7u % 3);
  u = 1u << 31; printf("%u %d\n", u >> 3, (int)u >> 3);
  i = 10; do { if (i == 7) continue; if (i < 5) break; printf("%d ", i); } while (i--); printf("\n");
  switch (argc + 2) { int k; case 1: printf("one\n"); default: printf("dflt "); case 3: printf("three "); case 4: k = 4; printf("four %d\n", k); break; case 100: ; }
  goto done; printf("skipped\n");
done:
  { int i = 77; { extern int tent; tent += i; } } printf("%d %d\n", tent, i);
  w = i ? "a" : np ? "b" : (char *)0; printf("%s %d\n", w, (int)(sizeof(i ? 'a' : 1L)));
  printf("%d %d %d\n", s.a, s.c, s.e); printf("%s\n", __func__);
  printf("%d\n", (p.x, p.y)); for (int k = 0, z = 3; k < z; k++) printf("%d,", k * inl(z)); printf("\n");
  { P a[3] = { {1,2}, mk(3,4), p }; printf("%d %d %d\n", a[1].y, a[2].x, a[0].x); }
  { struct { P p; int k; } z = { p, 3 }, zz = { mk(8,9) }; printf("%d %d %d %d %d\n", z.p.x, z.p.y, z.k, zz.p.y, zz.k); }
  printf("%d\n", ((int[]){1,2,3})[1] + (&(P){4,5})->y); printf("%d %d\n", '\x41' + '\101', 'ab');
  printf("%d\n", (int)sizeof(int[3][4]) + (int)_Alignof(double)); printf("%g\n", (double)ld / 3);
  { unsigned char c = 255; c++; printf("%d ", c); c -= 1; printf("%d ", c); c >>= 4; c |= 0x80; c = ~c; printf("%d\n", c); }
  { int a[4] = {0}; int *e = a + 4, *t = a; while (t != e) { *t = (int)(t - a); t++; } printf("%d %d %d\n", a[0], a[3], (int)(e - a)); }
  { _Bool bb = 5; bb += 3; printf("%d ", bb); bb = 0.2; printf("%d ", bb); bb = np; printf("%d %d\n", bb, (_Bool)&i); }
  { float ff = 16777216.0f; ff += 1; printf("%g %g\n", ff, 1.0f/3); } printf("%d %d\n", 1.0 < 0.0/0.0, !(1.0 < 0.0/0.0)); { double nan = 0.0; nan /= nan; if (!(nan < 1)) printf("nan ok "); if (nan >= 1) printf("bad"); else printf("fine\n"); }
  { enum { mine = 7 }; for (i = 0; i < 2; i += sizeof(enum { mine = 1, more }) ? mine : 0) printf("%d ", mine); printf("%d\n", mine); }
  printf("%d\n", _Generic(1.0f, int: 1, float: 2, default: 3)); printf("%d %d\n", L"abc"[1], (int)sizeof(L"abc")); printf("%s\n", "a" "b\0c" + 0); printf("%d\n", sizeof "a\0b" == 4);
  { const int ci = 4; int x[4] = { ci, ci * 2, counter(), v }; printf("%d %d %d %d\n", x[0], x[1], x[2], x[3]); }
  { union { int i; char c[4]; float f; } un = { 0x41424344 }, un2 = { .f = 1.0f }; printf("%.4s %x\n", un.c, un2.i); }
  printf("%lu\n", (unsigned long)(char *)(vp = (char *)8 + 1)); printf("%d\n", *(short *)&sh); printf("%d\n", 5 [arr] * 0 + 3[arr]);
  return argv[argc] != NULL;
}
int knr2(x) { return x + 1; }
