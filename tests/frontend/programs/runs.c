/* Long runs of constants in initialisers of all kinds. */
int printf(const char*,...);
#define S 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,-17,0xff,300,0
int a[] = {S, S, 5}; char b[] = {S}; short c[2][8] = {S}; unsigned long long d[30] = {S, [3] = 77, -1, [25] = 1}; struct { int a, b; char c[4]; } e[] = {S}; double f[] = {S}; _Bool g[] = {S}; long h[3][4] = {{1}, S}; int *p[] = {0, S};
struct { unsigned char x[3], y; int z[5]; } k = {S}; struct {int a,b;} o[2] = {{1,2},{3,4},[0]={5}}; union { char s[24]; char c; } u = { .s = {S}, .c = 3 };
int q[] = {1, S, S}; int r = {1, S};
void dump(const void *v, int n) { const unsigned char *c = v; unsigned long long h = n; while (n--) h = h * 31 + *c++; printf("%llx\n", h); }
#define D(x) dump(&x, sizeof x)
int main(void) { int l[] = {S, [2] = 9}; unsigned short m[40] = {l[0], S, l[1]}; int n[3] = {sizeof((char[]){S})}; int z[sizeof((char[]){S, 1}) ]; int y = (int[sizeof((char[]){S})]){S}[17] + (int)sizeof(z);
 D(a); D(b); D(c); D(d); D(e); D(f); D(g); D(h); D(p); D(k); D(o); D(u); D(q); D(r); D(l); D(m); D(n); D(y); return 0; }
