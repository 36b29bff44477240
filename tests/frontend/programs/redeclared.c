/* Library functions that are called before the program defines them otherwise, and unions whose members are initialised in turn. */

int printf(const char *, ...);

static int early(void) { return strncmp("a", "b", 1) + (int)strspn("abc", "a"); }

__attribute__((noinline)) int strncmp(char *a, char *b, int n) { return *a + *b + n; }

unsigned strspn(s, t) char *s, *t; { return *s + *t; }

union value { int i; float f; };
union outer { struct { int x; char y[2]; } u; union value v; };
static union outer taken = {42, 1, .v.f = 2.5}, kept = {.u.x = 1, .u.y[1] = 2};

int main(void)
{
    union outer back = {.v.f = 4.5, .u.y[1] = 3}, same = {.u = {1, 2}, .u.y[0] = 7, .u.y[1] = 8};

    printf("%d\n", early() > 0);
    printf("%x %d %d %d\n", taken.u.x, taken.u.y[0], kept.u.x, kept.u.y[1]);
    printf("%x %d %d %d %d\n", back.u.x, back.u.y[1], same.u.x, same.u.y[0], same.u.y[1]);
    return 0;
}
