/* setjmp and longjmp: writes how many checks held, of so many. */

#include <setjmp.h>
#include <unistd.h>

static jmp_buf outer;
static int checks, held;

static void check(int condition)
{
    checks++;
    held += condition;
}

static int deep(int n, double scale)
{
    int a = n * 3, b = n ^ 5, c = n + 7;
    double d = scale * n;
    if (n == 0)
        longjmp(outer, 42);
    return deep(n - 1, scale * 1.5) + a + b + c + (int)d;
}

static int twice(int x)
{
    return 2 * x;
}

/* Jumps within one activation; locals that do not change keep their values, volatile ones the last. */
static int protect(int (*work)(int), int argument)
{
    jmp_buf here;
    volatile int tries = 0;
    int constant = argument * 11, code;
    int kept[4] = {1, 2, 3, argument};

    code = setjmp(here);
    if (tries > 0)
        check(code == tries + 100 && constant == argument * 11 && kept[3] + kept[0] == argument + 1);
    if (++tries < 4)
        longjmp(here, tries + 100);
    return work(argument) + constant;
}

/* Activations of one function differ in their stack pointers only. */
static int nest(int level)
{
    jmp_buf here;
    int local = level * 17;
    double number = level / 4.0;

    if (setjmp(here) != 0) {
        check(local == level * 17 && number == level / 4.0);
        if (level == 1)
            return local;
        longjmp(outer, level);
    }
    if (level == 5)
        longjmp(here, 1);
    return nest(level + 1) + local;
}

static void give_up(int number)
{
    if (number == 3)
        longjmp(outer, 0);
}

static void count(void (*visit)(int))
{
    int i;
    for (i = 0;; i++)
        visit(i);
}

static void in_loop(void)
{
    jmp_buf here;
    volatile int round, seen = 0;

    for (round = 0; round < 5; round++) {
        if (setjmp(here)) {
            check(seen == round * 2 && round % 2 == 1);
            continue;
        }
        seen = round * 2;
        if (round % 2)
            longjmp(here, 1);
    }
}

int main(void)
{
    volatile double changed = 1.25;
    double constant = 0.5;
    int i;
    char said[4];

    switch (setjmp(outer)) {
    case 0:
        changed = 7.5;
        deep(20, 0.25);
        break;
    case 42:
        check(changed == 7.5 && constant == 0.5);
    }
    check(protect(twice, 21) == 273);
    if (setjmp(outer) == 0)
        nest(1);
    else
        check(1);
    i = setjmp(outer);
    if (i == 0)
        count(give_up);
    check(i == 1);
    in_loop();
    said[0] = '0' + held;
    said[1] = '0' + checks;
    write(1, said, 2);
    return checks - held;
}
