/* Structures that become scalars, wholly, partly or not at all, and what may go wrong there. */
int printf(const char *, ...);

struct pair { int a, b; };
struct point { double x; float y; short z; char c; };
struct nested { struct pair first; struct point second; struct pair third; };
struct flags { unsigned a : 3, b : 7; int c; };
struct array { int at[4]; };
struct link { struct link *next; int value; };
union number { int i; float f; unsigned char bytes[4]; };
struct holder { union number n; struct pair p; };

static struct pair global = {11, 22};
static int seed = 7;
static int next(void) { return seed = (seed * 37 + 11) % 1009; }

static struct nested make(int k) {
  struct nested n = {{k, k + 1}, {k * 0.5, k * 0.25f, (short)k, (char)k}};
  return n;
}
static struct nested turned(struct nested n) {
  struct pair kept = n.first;
  n.first = n.third;
  n.third = kept;
  n.second.c++;
  return n;
}
static int total(struct nested n, int depth) {
  if (depth == 0) return n.first.a + n.first.b + n.third.a + n.second.c + n.second.z;
  n.third.a += depth;
  return total(turned(n), depth - 1) + total(n, depth - 1);
}
static int partly(struct pair p) { return p.b; }
static int only(struct array a, int i) { return a.at[i] + a.at[0]; }
static void swap(struct pair *p) { int a = p->a; p->a = p->b; p->b = a; }
static void both(int *a, int *b) { int *c = a, **d = &c; **d += 1; *b += *a; }
static int chars(struct point p, struct flags f) { return p.c + p.z * f.a + f.b - f.c; }

static int bits(int k) {
  struct flags f = {0}, g;
  f.a = k;
  f.b = k * 3;
  f.c = k;
  g = f;
  g.a++;
  return f.a * 1000 + g.a * 100 + g.b + g.c;
}
static int pun(int k) {
  union number n, m;
  struct holder h = {{0}}, g;
  n.f = (float)k;
  m = n;
  h.n = m;
  h.p.a = k;
  g = h;
  return g.n.bytes[3] + g.n.i % 1000 + g.p.a + g.p.b;
}
static int overlapping(int k) {
  struct pair p, *whole = &p;
  p.a = k;
  p.b = k * 2;
  return ((char *)whole)[0] + *(long long *)whole % 1001 % 5;
}
static int follow(int k) {
  struct link one = {0, k}, two = {&one, k * 2}, three = {&two, k * 3}, at = three;
  int sum = at.value;
  at = *at.next;
  sum = sum * 10 + at.value;
  at = *at.next;
  return sum * 10 + at.value + (at.next == 0);
}
static int stored(struct pair *out, int k) {
  struct pair p, *where = out;
  struct { struct pair *to; int n; } s;
  s.to = out;
  s.n = k;
  p.a = k;
  p.b = s.n;
  *s.to = p;
  where->a++;
  *where = *where;
  p = p;
  return out->a * p.b;
}
static int loops(int n) {
  struct pair p = {0, 1}, q;
  int i, sum = 0;
  for (i = 0; i < n; i++) {
    struct pair fresh = {0};
    if (i & 1) q = p;
    else q = global;
    fresh.b += i;
    p.a = p.b;
    p.b = q.a + fresh.a + fresh.b;
    sum += partly(i % 3 ? p : q);
  }
  return sum;
}
static int elements(int k) {
  int a[4] = {1, 2}, sum = 0;
  struct array b = {{k, k + 1, k + 2, k + 3}}, c = b;
  a[2] = k;
  a[3] = a[1] + a[2];
  c.at[k & 3] = 100;
  sum = only(b, k & 3) + only(c, 1);
  return a[0] + a[1] * a[2] - a[3] + sum;
}
static struct pair chosen(int k, struct pair yes, struct pair no) { return k ? yes : no; }
static struct pair early(int k) {
  struct pair p = {k, 2};
  if (k > 3) return p;
  p = chosen(k, global, p);
  swap(&p);
  return p;
}

int main(void) {
  struct pair p = {1, 2}, q;
  volatile struct pair v = {3, 4};
  struct point c = {1.5, 2.5f, 3, 4};
  struct flags f = {5, 100, 9};
  int i;
  for (i = 0; i < 6; i++) {
    struct nested n = make(next());
    printf("%d %d %d ", total(n, 3), partly(n.third), partly(turned(n).third));
    q = early(i);
    both(&p.a, &p.b);
    printf("%d %d %d %d ", p.a, p.b, q.a, q.b);
    swap(&q);
    c.z = next();
    f.a = i;
    printf("%d %d %d %d ", bits(i), pun(next()), overlapping(i), chars(c, f));
    printf("%d %d %d %d\n", follow(i), stored(&global, i), loops(next()), elements(i));
    v.a += q.a;
  }
  printf("%d %d %g %g %d\n", v.a, v.b, make(9).second.x, turned(make(9)).second.y, chosen(i, p, q).a);
  return 0;
}
