/* Several declarators behind one body; labels and enumerators named like types. */
int printf(const char *, ...);
struct s { int a; } x = {1}, y = {2}, *px = &y, ax[2] = {{3},{4}};
typedef struct node { int v; struct node *next; } node, *nodeptr;
enum { A, B = 7 } e1 = B, e2;
union { int i; char c[4]; } u1, u2;
struct rr { int q; } f(void), r;
struct outer { struct { int m, n; } in1, in2; enum { X1 = 5, X2 } k1, k2; union { int o; } *w; } o1, o2;
typedef int T;
typedef struct { int z; } L;
struct loc0 {int a;};
int g(int n) { T i = 0; 
  T: i++; L: if (i < n) goto T; 
  switch (i) { case 3: T2: i += 100; break; default: L2: ; }
  if (i == -1) goto L;
  { enum { T = 9, R } t1 = T, t2 = R; i += t1 + t2; enum { Q } q; }
  for (struct loc0 a = {1}, b = {2}; a.a < b.a; a.a++) i++;
  struct loc { int a; } l1 = {3}, l2 = {4}; static struct { int s; } s1 = {5}, s2 = {6};
  return i + l1.a * l2.a + s1.s + s2.s; T t; }
int h(node *first, int n) { int sum = 0;
  for (node node, *p = first, *const end = first + n; p != end && (node = *p, 1); p++) sum += node.v;
  { T T = 1, *q = &T, c = sizeof T; typeof(n) *n = q, d = 4; sum += *n + c + d; { struct node *T, r = {5}; T = &r; sum += T->v; } }
  return sum; }
int main(void) { node n = {1, 0}; nodeptr p = &n; y = x; u1 = u2; o1.in1 = o1.in2; o1.k1 = X2;
  printf("%d %d %d %d %d %d %d %d\n", x.a, px->a, ax[1].a, p->v, e1, e2, (int)sizeof r, g(3)); printf("%d\n", h(p, 1)); return f().q + o1.k1 - 6; }
struct rr f(void) { r.q = 0; return r; }
