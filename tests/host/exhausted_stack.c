/* An exhausted stack becomes SIGSEGV for a handler on a stack of its own; the program goes on behind it. */

#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int faults, limit;
static char offered[8192];
static char line[] = "0: signal .., value ..\n";

static void leave(int number)
{
    faults++;
    siglongjmp(back, number);
}

static int deep(volatile int n)
{
    volatile int here[20];
    here[n % 20] = n;
    return n == limit ? n : deep(n + 1) + here[n % 20] % 2;
}

static void say(int round, int signal, int value)
{
    line[0] = '0' + round;
    line[10] = '0' + signal / 10;
    line[11] = '0' + signal % 10;
    line[20] = '0' + value / 10;
    line[21] = '0' + value % 10;
    write(1, line, sizeof line - 1);
}

int main(void)
{
    stack_t stack = {0};
    struct sigaction action = {0};

    stack.ss_sp = offered;
    stack.ss_size = sizeof offered;
    if (OFFERS && sigaltstack(&stack, 0))
        return 1;
    action.sa_handler = leave;
    action.sa_flags = ON_STACK ? SA_ONSTACK : 0;
    sigaction(SIGSEGV, &action, 0);
    for (int round = 0; round < 3; round++) {
        limit = round == 1 ? 20 : -1;
        int number = sigsetjmp(back, 1);
        say(round, number, number ? faults : deep(1));
    }
    return 0;
}
