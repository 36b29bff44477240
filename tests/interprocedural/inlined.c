/* Functions whose bodies go into their callers, and what may go wrong there. */
int printf(const char *, ...);

struct pair { int a, b; };
struct big { char name[40]; double value; };

static struct pair swapped(struct pair p) { struct pair q; q.a = p.b; q.b = p.a; return q; }
static struct big named(struct big b, const char *name) {
  int i = 0;
  while ((b.name[i] = name[i]) != 0) i++;
  return b;
}
static int narrow(signed char c, unsigned short u) { c += 1; return c * 1000 + u; }
static signed char narrowed(int x) { return x; }
static int assigned(int n) { int s = 0; while (n > 0) s += n--; return s; }
static void set(int *p, int v) { *p = v; }
static int early(int x) {
  if (x < 0) return -1;
  for (;;) {
    if (x % 7 == 0) return x;
    x++;
  }
}
static int oldstyle(c, f) char c; float f; { return c + (int)f; }
static long sum_to(long a, int n) { if (n == 0) return a; return sum_to(a + n, n - 1); }
static int swap_arguments(int a, int b, int n) { return n ? swap_arguments(b, a, n - 1) : a * 10 + b; }
static int counter;
static int next(void) { return ++counter; }
static int both(int a, int b) { return a * 100 + b; }
static int apply(int (*f)(int), int x) { return f(x); }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static double scaled(double x, double k) { return x * k; }
static volatile int device = 5;
static int ignored(int x) { return 3; }
static int fresh(int first) { int kept[3]; kept[first] = first; kept[0] = kept[first] + 1; return kept[0]; }
static void nothing(void) {}
static int goes(int x) {
again:
  if (x > 100) goto out;
  x *= 3;
  goto again;
out:
  return x;
}
static const char *kind(int k) {
  switch (k) {
  case 0: return "zero";
  case 1: return "one";
  case 5: return "five";
  default: return k < 0 ? "negative" : "many";
  }
}

int main(void) {
  struct pair p = {1, 2};
  struct big b = {"x", 2.5};
  int i, x = 3, y;
  p = swapped(p);
  printf("%d %d\n", p.a, p.b);
  p = swapped(swapped(p));
  printf("%d %d\n", p.a, p.b);
  b = named(b, "a longer name");
  printf("%s %g\n", b.name, b.value);
  printf("%d %d %d\n", narrow(127, 65535), narrow(-1, (unsigned short)70000), narrowed(511));
  x = assigned(x) + x;
  printf("%d\n", x);
  set(&x, 8);
  set(&y, x + 1);
  for (i = 0; i < 3; i++) printf("%d %d %d\n", early(x + i), goes(i + y), assigned(i));
  printf("%d %d\n", early(-4), oldstyle(300, 2.5));
  printf("%ld %d %d\n", sum_to(0, 1000), swap_arguments(1, 2, 5), swap_arguments(x, y, x));
  y = both(next(), next());
  printf("%d %d\n", y > 100, counter);
  x = both(x, 4);
  printf("%d\n", apply(assigned, 6) + apply(early, 6));
  printf("%d %d\n", even(10), odd(7));
  printf("%g %g\n", scaled(1.5, 2), scaled(2.5, 2));
  printf("%d\n", ignored(device) + ignored(device++));
  printf("%d %d %d\n", device, fresh(2), fresh(1));
  nothing();
  for (i = -1; i < 7; i += 2) printf("%s %s\n", kind(i), kind(5));
  return narrowed(7);
}
