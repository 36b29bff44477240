/* Parameters of variably modified types. */
int printf(const char *, ...);
int proto(int n, int a[n][n]); int proto2(int, int a[*][*]); int proto3(int a[static 3], int b[const 3], int n, int (*c)[n], int d[restrict]);
int proto(int n, int a[n][n]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j] * (i + 10 * j); return s; }
int cube(int n, int m, double a[][n][m]) { int s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < n; j++) for (int k = 0; k < m; k++) s = s * 3 + a[i][j][k]; return s + (int)sizeof a[0] + (int)sizeof *a[0]; }
int mixed(int n, char a[4][n], char (*b)[n + 1]) { int (*q)[n] ; return (int)(&a[3] - &a[1]) + (int)((char *)(b + 1) - (char *)b) * 10 + (int)sizeof *q + (int)sizeof(int[n][3]); }
int effect(int n, int a[n++]) { return n; }
int old(n, a) char n; int a[][n]; { return a[1][1]; }
int neg(int n, int a[n][n], int i) { int (*p)[n] = a + 2; p -= i; p++; typedef int row[n]; n = 77; row *r = a; return p[-1][0] + (*p)[1] + r[1][1] + (int)sizeof(row); }
int proto2(int n, int a[n][n]) { return a[n-1][n-1]; }
int (*fp)(int n, int a[n][n]) = proto;
int main(int argc, char **argv) { int a[3][3] = {1,2,3,4,5,6,7,8,9}; double d[2][2][3] = {1,2,3,4,5,6,7,8,9,10,11,12}; char c[4][5], e[2][6];
 int (*m)[argc + 2] = a; 
 printf("%d %d %d %d %d %d %d %d\n", proto(3, a), cube(2, 3, d), mixed(5, c, e), effect(4, a[0]), old(3, a), neg(3, a, 1), proto2(3, m), fp(3, a) + m[1][1]);
 int k = 3; printf("%d %d\n", (int)sizeof(int[k++]), k); return 0; }
