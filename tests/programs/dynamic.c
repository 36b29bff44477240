/* Objects whose size is known when control reaches them. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct big { int a[20]; };

static int sum(int n)
{
    int v[n], i, s = 0;
    for (i = 0; i < n; i++) v[i] = i * i;
    for (i = 0; i < n; i++) s += v[i];
    return s + (int)sizeof v;
}

static int nested(int n)
{
    int total = 0;
    for (int i = 1; i <= n; i++) {
        char text[i + 1];
        memset(text, 'x', i);
        text[i] = 0;
        if (i % 3 == 0) continue;
        if (i > 50) break;
        { short more[i * 2]; more[i] = (short)i; total += more[i] + (int)strlen(text) + (int)(sizeof more / sizeof *more); }
        if (i == 40) goto out;
    }
out:
    return total;
}

static int matrix(int rows, int columns)
{
    int m[rows][columns], (*row)[columns] = m, i, j, t = 0;
    for (i = 0; i < rows; i++) for (j = 0; j < columns; j++) m[i][j] = 10 * i + j;
    for (i = 0; i < rows; i++, row++) t += (*row)[columns - 1];
    return t * 1000 + (int)(sizeof m / sizeof m[0][0]);
}

static char *joined(const char *a, const char *b)
{
    static char result[100];
    char *both = alloca(strlen(a) + strlen(b) + 1);
    strcpy(both, a);
    strcat(both, b);
    return strcpy(result, both);
}

static struct big filled(int n)
{
    struct big v[n];
    for (int i = 0; i < n; i++) v[i].a[0] = i, v[i].a[19] = -i;
    return v[n - 1];
}

static int recursive(int n)
{
    int v[n + 1];
    v[n] = n;
    return n == 0 ? 0 : v[n] + recursive(n - 1);
}

static int is_empty(int n) { int v[n ? n : 1]; v[0] = n; return ({ char c[n + 2]; c[1] = 7; c[1]; }) + v[0]; }

static int backward(void)
{
    int n = 0;
again:;
    int v[n % 100 + 1];
    v[n % 100] = n;
    if (++n < 20000) goto again;
    return v[(n - 1) % 100];
}

int main(void)
{
    int i, large = 0;
    for (i = 0; i < 200; i++) { char v[1 + i * 37]; v[i * 37] = 1; large += v[i * 37]; }
    printf("%d %d %d\n", sum(10), sum(1), nested(100));
    printf("%d %s %d\n", matrix(3, 7), joined("hello, ", "world"), recursive(400));
    printf("%d %d %d %d\n", filled(9).a[0], filled(9).a[19], is_empty(3), large);
    printf("%d\n", backward());
    return 0;
}
