/* Complex numbers: parts, operators, conversions, arguments and results. */

#include "host.h"

typedef double _Complex cd;
typedef float _Complex cf;

static cd constant = 1.5 + 2.5i, zero;
static cf array[] = { 1.0fi, 2, { 3 }, 4 - 1.0if };
static _Complex int whole = 3 + 4i;
struct both { char c; cd z; float f; };
static struct both table[2] = { { 1, 2 + 3i, 4 }, { .z = 5i } };

static void show(const char *what, cd z) { printf("%s %.10g %.10g\n", what, __real__ z, __imag__ z); }
static cf single(cf a, int n, cf b) { return a * b + n; }
static cd twice(cd z) { return z + z; }
static struct both changed(struct both b, cd by) { b.z *= by; return b; }
static int calls;
static cd counted(double x) { calls++; return x + 1i; }
static cd choose(int n, cd a, double b) { return n ? a : b; }

int main(void)
{
    cd a = 3 + 4i, b = 1 - 2i, c;
    cf f = 0.5f + 0.25fi;
    volatile cd v = a;
    double x = 2;
    show("sum", a + b), show("difference", a - b), show("product", a * b), show("quotient", a / b);
    show("with real", a + x), show("with real", x - a), show("with real", a * x), show("with real", x / a), show("with real", a / 2);
    show("negative", -a), show("conjugate", ~a), show("plus", +a);
    show("constant", constant), show("zero", zero);
    for (int i = 0; i < 4; i++)
        show("array", array[i]);
    show("whole", whole), show("whole", whole * whole), show("whole", (whole + 1) / (1 + 1i));
    show("table", table[0].z + table[1].z);
    show("single", single(f, 3, 2.0fi));
    show("call", twice(a) * twice(b));
    struct both r = changed(table[0], 1i);
    show("record", r.z);
    c = a;
    c += b, c *= 2, c -= 1i, c /= a;
    show("assigned", c);
    c = x = 5 + 7i;
    show("real part assigned", c);
    __real__ c = 9, __imag__ c += 3;
    show("parts", c);
    show("step", c++), show("step", ++c), show("step", c--), show("step", --c);
    __imag__ c++;
    show("part", c);
    show("real", __real__ 5.5), show("imaginary", __imag__ 3);
    show("volatile", v + v);
    v = v * 2;
    show("volatile", v);
    printf("%d %d %d %d %d\n", a == b, a != b, a == 3 + 4i, (cd)3 == 3, 0i == 0);
    printf("%d %d %d %d\n", !zero, !a, zero || 1i, zero && a);
    if (zero) printf("wrong\n"); else if (1i) printf("true\n");
    while (a) { a = 0; }
    printf("%d %d %d\n", (int)(3.7 + 1i), (_Bool)1i, (int)sizeof(struct both));
    show("choice", choose(0, b, 3)), show("choice", choose(1, b, 3));
    show("choice", x > 0 ? b : 1), show("choice", 1 ? 2 : b);
    show("comma", (calls++, counted(1) + counted(2) * counted(3)));
    printf("%d\n", calls);
    show("statement", ({ cd t = b; t * t; }));
    cd *p = &b, many[3] = { 1, 2i }, copy[2][2] = { { 1, 2 }, { 3, 4i } };
    p[0] *= many[1];
    show("pointer", *p), show("matrix", copy[1][1] + many[2]);
    show("precision", (cd)(cf)(0.1 + 0.2i));
    printf("%d %d %d\n", __builtin_types_compatible_p(__typeof__(f + 1.0), cd), __builtin_types_compatible_p(__typeof__(f * 2), cf),
           __builtin_types_compatible_p(__typeof__(__real__ f), float));
    double huge = 1e300;
    c = (huge + huge * 1i) / (huge + huge * 1i);
    show("no overflow", c);
    double inf = huge * huge;
    c = __builtin_complex(inf, 1.0) * __builtin_complex(1.0, inf);
    printf("%d %d\n", __real__ c < -huge || __real__ c != __real__ c, __imag__ c > huge);
    show("built", __builtin_complex(-0.0, 1.0));
    return 0;
}
