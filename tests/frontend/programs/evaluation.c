/* Order of evaluation where C fixes it, single evaluation of lvalues, conversions, volatile objects. */
#include "host.h"
static int calls, log_[64];
static int note(int value) { log_[calls++ & 63] = value; return value; }
static int *slot(int *base, int index) { note(index); return base + index; }
struct pair { short a; int b; double d; };
static struct pair make(int a) { struct pair p; p.a = a; p.b = a * 2; p.d = a / 4.0; return p; }
static struct pair choose(int which, struct pair x, struct pair y) { return which ? x : y; }
static long widths(signed char c, unsigned char uc, short s, unsigned short us, float f, long l) { return c + uc * 3 + s * 5 + us * 7 + (long)(f * 8) + l; }
static unsigned char low(int x) { return x; }
static short shorten(long x) { return x; }
static int apply(int (*f)(int), int x) { return f(f(x)); }
typedef int (*unary)(int);
static unary pick(int n) { return n ? note : 0; }
static volatile int vol;
static int global = 10;
static int bump(void) { return global++; }
static int deep(int n) { if (n <= 0) return 0; else if (n & 1) return 1 + deep(n - 1); return deep(n - 2) ? 2 : 3; }
int main(void) {
  int a[8] = {0}, i, j, *p; struct pair s, *sp = &s, arr[3]; unsigned u; long long big; double d; unsigned char c; char text[] = "text";
  *slot(a, 2) += 5; (*slot(a, 3))++; --*slot(a, 4); *slot(a, 5) = *slot(a, 2) * 2; printf("%d %d %d %d %d\n", a[2], a[3], a[4], a[5], calls);
  i = 0; a[i++] = 7; a[i++] += 3; p = a; *p++ = 9; (*p)--; printf("%d %d %d %d\n", a[0], a[1], i, (int)(p - a));
  j = (note(1) && note(0) && note(2)) || (note(0) || note(3)); printf("%d %d\n", j, calls);
  j = note(4) ? note(5) : note(6), j += 2; printf("%d %d\n", j, log_[(calls - 1) & 63]);
  s = make(5); *sp = choose(0, make(1), s); printf("%d %d %g\n", sp->a, s.b, s.d); arr[1] = *sp; arr[2] = (arr[0] = arr[1]); printf("%d %g %d\n", arr[2].b, choose(1, arr[0], s).d, make(9).b);
  printf("%ld\n", widths(-3, 250, -300, 65000, 2.5f, 1L << 40)); printf("%d %d %d\n", low(0x1ff), shorten(0x18000L), (signed char)low(200));
  printf("%d %d\n", apply(note, 3), pick(1)(8)); printf("%d\n", (i = 3, j = i * 2, i + j)); i = j = 4; printf("%d %d\n", i, j);
  vol = 3; vol++; vol += vol; vol; printf("%d\n", vol); i = global + bump() * 0; printf("%d\n", global);
  for (i = 0, j = 10; i < j; i++, j--) if (i == 3) continue; else if (j == 6) break; printf("%d %d\n", i, j);
  u = 0x80000000u; big = u; printf("%lld %lld %d\n", big, (long long)(int)u, (int)(u >> 31)); big = -1; printf("%d %d %d\n", big < 0u, big == 0xffffffffffffffff, (int)(unsigned short)big);
  d = 1e10; printf("%lld %u %g\n", (long long)d, (unsigned)3e9, (double)(float)1e-3); d = -1.5; printf("%d %g %g\n", (int)d, -d, d * d); printf("%g\n", (double)18446744073709551615ull); 
  c = 250; c += 10; printf("%d ", c); c = c << 7; printf("%d ", c); c ^= 0xff; c /= 2; c %= 50; printf("%d\n", c); { short x = 32767; x++; printf("%d\n", x); }
  i = -17; printf("%d %d %d %d %u\n", i / 4, i % 4, i >> 2, i << 2, (unsigned)i >> 28); printf("%d %d\n", -1 < 1u, (short)-1 < (unsigned short)1);
  printf("%d %s %c\n", deep(9), text + 1, *(text + 2)); printf("%d %d\n", (int)sizeof(text), (int)sizeof(struct pair));
  { int x = 5; int *q = &x; int **r = &q; **r = 6; *q += 1; printf("%d %d\n", x, q == *r); } { const char *e = "end"; while (*e) printf("%c", *e++); printf("\n"); }
  { unsigned long long h = 14695981039346656037ull; for (i = 0; i < 5; i++) { h ^= text[i]; h *= 1099511628211ull; } printf("%llx\n", h); }
  { int m[2][3][2] = {{{1, 2}, {3}}, {[1] = {7, 8}}}; int (*q)[3][2] = m + 1; printf("%d %d %d %d\n", m[0][1][0], (*q)[1][1], q[-1][0][1], (int)(&m[1] - &m[0])); }
  { float f = 0.1f; double g = f; f = f * 3 + 1; printf("%.9g %.9g %d\n", f, g, f > 1.3); f++; f -= 0.5; printf("%.9g\n", f); i = 7; i *= 1.5; printf("%d\n", i); i += 'a'; printf("%d\n", i); }
  return 0;
}
