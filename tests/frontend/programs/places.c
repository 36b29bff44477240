/* What tells where it stands: built-in functions and macros. */
int printf(const char *, ...);
char *strrchr(const char *, int);

#define LOG(x) tell(x, __builtin_FILE(), __builtin_LINE(), __builtin_FUNCTION())

static const char *file = __builtin_FILE();
static int line = __builtin_LINE(), lines[__builtin_LINE()];

static void tell(int x, const char *where, int number, const char *function)
{
    printf("%d %s %d %s\n", x, strrchr(where, '/') ? strrchr(where, '/') + 1 : where, number, function);
}

#line 100 "somewhere/other.h"
static int called(int x)
{
    static const char *function = __builtin_FUNCTION();

    LOG(x);
    tell(__INCLUDE_LEVEL__, __builtin_FILE(),
         __builtin_LINE(), function);
    return __builtin_speculation_safe_value(x) + __builtin_speculation_safe_value(x * 2, 3);
}

int main(void)
{
    LOG(
        1);
    printf("%d %d %d %s\n", line, (int)sizeof lines, called(2), __FILE_NAME__);
    printf("%s %s\n", strrchr(file, '/'), strrchr("/" __BASE_FILE__, '/'));
    printf("%d %d\n", (int)sizeof __TIMESTAMP__, (int)sizeof __builtin_LINE());
    return 0;
}
