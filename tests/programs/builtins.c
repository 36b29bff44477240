/* What gcc has built in: arithmetic that tells of overflow, types, alloca; expressions evaluated once, scopes of conditions. */
#include <stdio.h>
#include <limits.h>
#include <stdint.h>
void *alloca(unsigned long);
#define T(op, A, B, R, a, b) { A x = a; B y = b; R r; int o = __builtin_##op##_overflow(x, y, &r); printf("%d %llx ", o, (unsigned long long)r); }
enum { in = 0 };
static int c; static int ones(void) { return ++c; }
static void *context[5]; static void deep(int n) { if (n) deep(n - 1); else __builtin_longjmp(context, 1); }
static int saved(int n) { volatile int kept = 0; if (__builtin_setjmp(context)) return kept; kept = n; deep(n); return -1; }
int main(void) {
  T(add,int,int,int,INT_MAX,1) T(add,unsigned,int,int,0xffffffffu,1) T(sub,int,unsigned,unsigned,-1,1) T(mul,unsigned,unsigned,unsigned,0xffffffffu,0xffffffffu) T(mul,int,int,short,300,200) T(mul,int,int,long long,INT_MIN,INT_MIN) T(add,char,char,signed char,100,27)
  puts("");
  long long v[] = { 0, 1, -1, LLONG_MIN, LLONG_MAX, 3037000500LL, -3037000500LL, 5, 1LL << 62, -7 };
  for (int i = 0; i < 10; i++) for (int j = 0; j < 10; j++) { T(add,long long,long long,long long,v[i],v[j]) T(sub,long long,long long,long long,v[i],v[j]) T(mul,long long,long long,long long,v[i],v[j]) T(add,unsigned long long,unsigned long long,unsigned long long,v[i],v[j]) T(sub,unsigned long long,unsigned long long,unsigned long long,v[i],v[j]) T(mul,unsigned long long,unsigned long long,unsigned long long,v[i],v[j]) puts(""); }
  int r; unsigned u; printf("%d %d %d\n", __builtin_sadd_overflow(INT_MAX, 1, &r), __builtin_umul_overflow(70000, 70000, &u), __builtin_ssub_overflow(1, 2, &r));
  printf("%d %d %d\n", __builtin_types_compatible_p(int, signed), __builtin_types_compatible_p(int, long), __builtin_types_compatible_p(const char *, char *));
  char *p = alloca(10); p[9] = 1; if (sizeof(enum { in = 1 })) printf("%d ", in); printf("%d %c\n", in, '\q');
  int a[6] = { [0 ... 2] = ones(), [3 ... 4] = ones() }; for (int i = 0; i < 6; i++) printf("%d ", a[i]); printf("%d\n", c);
  const x = 6; printf("%d\n", *(const *)&x);
  printf("%d ", saved(3)); printf("%d\n", saved(7));
  return 0; }
