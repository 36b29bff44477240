/* Truths that bits join, as conditions: the second need not be found out, unless that is an access to a volatile object. */
int printf(const char *, ...);
volatile int v;
int calls;
int side(int x) { calls++; return x; }
int f1(int k, int j) { int n = 0; for (; (k < 32) & (j - k >= 0); k++) n += k; return n; }
int f2(int a, int b, int c) { if ((a == 1) | (b == 2) | (c == 3)) return 10; return 20; }
int f3(double a, double b) { if ((a < b) & (b < a + 2)) return 1; if (!((a < b) | (b > 1))) return 2; return 3; }
int f4(int a) { if ((a < 3) & (v == 0)) return 1; return 2; }
int f5(int a) { if ((a < 3) & (side(a) > 0)) return 1; return 2; }
int f6(int a, int b, int *p) { return ((a > 0) & ((b > 0) | (*p == 5))) ? 7 : 8; }
int f7(int a, int b) { int r = 0; while (!((a > 3) | (b < a))) { r++; a++; b--; } return r; }
int f8(unsigned char a, long long b) { _Bool x = a > 3; if (x & (b < 5)) return 1; return (a != 2) & (b != 4) ? 5 : 6; }
int main(void) {
  int p5 = 5, p6 = 6;
  for (int a = -3; a < 5; a++) for (int b = -3; b < 6; b++) {
    printf("%d %d %d ", f1(a, b), f2(a, b, a + b), f3(a, b));
    printf("%d %d %d %d %d %d\n", f4(a), f5(a), f6(a, b, &p5), f6(a, b, &p6), f7(a, b), f8(a, b));
  }
  printf("%d %d\n", calls, f3(0.0 / 0.0 * calls, 1));
}
