/* Members without the alignment of their types, and objects with more than it. */
#include <stdio.h>
#include <stddef.h>
#include <string.h>
struct __attribute__((packed)) a { char c; int i; short s; double d; long long l; };
struct b { char c; int i __attribute__((packed)); short s; } ;
typedef struct { unsigned char t; struct a in; unsigned short v[3]; struct { int q; } z; } __attribute__((__packed__)) P;
struct q { char c; } __attribute__((aligned(16)));
struct bc { unsigned char x : 5, y : 8, z : 3; } __attribute__((packed));
struct bf { unsigned x : 5; unsigned y : 13; int z : 17; char c; } __attribute__((packed));
int al __attribute__((aligned(32))), b2; struct m { char c; int x __attribute__((aligned(16))); };
static struct a g = { 1, 2, 3, 4.5, 5 }; P arr[3] = { [1] = { .t = 9, .in = { 7, 70000, -3, 2.25, -9 }, .v = { 1, 2, 3 }, .z.q = -77 } };
static int f(P *p, struct a v) { p->in.i += v.i; p->v[1]++; p->in.d *= 2; p->z.q--; return p->in.i + p->v[1] + (int)p->in.d + p->z.q + (int)v.l; }
enum __attribute__((packed)) tiny { T1, T2 = 200 }; typedef enum { N1 = -1, N2 = 300 } __attribute__((packed)) narrow;
struct in { int a; double b; }; struct out { char c; struct in i; _Complex float z; } __attribute__((packed)) far;
static void nested(struct in i, struct out *p) {
  struct out l = { 1, i, 2 }; struct in z = l.i, *q = &i; p->i = z; l.i = (struct in){ 5, 6 }; *q = l.i; p->z = l.z; p->z += 1; __imag__ p->z = q->a;
  printf("%d %g %d %g %g %g\n", p->i.a, p->i.b, q->a, q->b, __real__ p->z, __imag__ p->z);
}
int main(void) {
  enum tiny t = T2; narrow n = N1; struct { char c; narrow n; enum tiny t; } e = { 1, N2, T1 };
  printf("%d %d %d %d %d\n", (int)sizeof t, (int)sizeof n, t + n, (int)sizeof e, e.n + e.t);
  struct a x = { 'a', 100000, 7, 1.5, 1LL << 40 }, y = x; struct bf w = { 3, 5000, -60000, 'z' }; P l; memset(&l, 0, sizeof l); l.in = x; l.v[2] = 500; l.z.q = 12;
  printf("%d %d %d %d %d\n", (int)sizeof(struct a), (int)sizeof(struct b), (int)sizeof(P), (int)sizeof(struct q), (int)sizeof(struct bf));
  printf("%d %d %d\n", (int)offsetof(struct a, d), (int)offsetof(struct b, s), (int)offsetof(struct m, x));
  y.i++; y.d += 1; y.l++; y.s--; printf("%d %d %g %lld %d\n", y.c, y.i, y.d, y.l, y.s);
  printf("%d %d %d %d\n", w.x, w.y, w.z, w.c); w.y = 8191; w.z++; w.x = 31; printf("%d %d %d %d\n", w.x, w.y, w.z, w.c);
  printf("%d %d\n", f(&arr[1], g), f(&l, y)); printf("%d %g %d %d\n", arr[1].in.i, arr[1].in.d, arr[1].v[1], arr[1].z.q);
  struct bc k[2] = { { 30, 200, 5 }, { 1, 2, 3 } }; k[1].y += 100; k[0].z--; printf("%d %d %d %d %d %d\n", k[0].x, k[0].y, k[0].z, k[1].x, k[1].y, (int)sizeof k);
  printf("%d %d\n", (int)((size_t)&al % 32), l.in.s + l.v[2]); nested((struct in){ 3, 4 }, &far);
  return 0; }
