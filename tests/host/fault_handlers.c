/* Handlers of faults: left by longjmp or by exit, told the address, reset, not called while one is under way. */

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
    int value;
    struct node *next;
};

static sigjmp_buf back;
static volatile int faults, place;
static int *volatile nowhere;
static volatile int zero;
static void (*volatile no_function)(void);
static struct node wrong = {1, (struct node *)0x44}, list[3] = {{1, list + 1}, {2, list + 2}, {3, 0}};

/* Prints a word and a number, by little code. */
static void say(const char *word, long number)
{
    char text[40];
    int end = sizeof text;

    text[--end] = '\n';
    do
        text[--end] = '0' + number % 10;
    while ((number /= 10) != 0);
    text[--end] = ' ';
    end -= strlen(word);
    memcpy(text + end, word, strlen(word));
    write(1, text + end, sizeof text - end);
}

static void leave(int number)
{
    faults++;
    siglongjmp(back, number);
}

static void tell(int number, siginfo_t *information, void *context)
{
    faults++;
    say("signal", information->si_signo);
    say("by a reference to nothing", information->si_code == SEGV_MAPERR);
    say("by a division by zero", information->si_code == FPE_INTDIV);
    say("address", (long)information->si_addr);
    siglongjmp(back, 100);
}

static void end(int number)
{
    say("faults", faults);
    exit(3);
}

static int sum(int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += i;
    return total + *nowhere;
}

static int deep(int n)
{
    return n ? deep(n - 1) + 1 : sum(5);
}

static int total(const struct node *p)
{
    int result = 0;
    for (; p; p = p->next)
        result += p->value;
    return result;
}

static int length(const char *text)
{
    int n = 0;
    while (text[n])
        n++;
    return n;
}

static void try(void (*action)(void))
{
    int value = sigsetjmp(back, 1);

    if (!value)
        action();
    else
        say("left at", 1000L * place + value);
}

static void read_deep(void) { say("value", deep(3)); }
static void write_there(void) { *nowhere = 5; }
static void call_there(void) { no_function(); }
static void walk(void) { say("value", total(place & 1 ? &wrong : list)); }
static void measure(void) { say("value", length(place & 1 ? (char *)0x88 : "text")); }
static void fill(void) { memset((char *)0x90, 1, 100); }
static void divide(void) { say("value", 7 / zero); }

static void (*const actions[])(void) = {read_deep, write_there, call_there, walk, walk, measure, measure, fill};

int main(void)
{
    struct sigaction action = {0};

    signal(SIGSEGV, leave);
    for (place = 0; place < 8; place++)
        try(actions[place]);
    action.sa_sigaction = tell;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, 0);
    nowhere = (int *)64;
    try(read_deep);
    if (DIVIDES) {
        signal(SIGFPE, leave);
        try(divide);
    }
    action.sa_handler = end;
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGSEGV, &action, &action);
    say("value", action.sa_sigaction == tell);
    try(fill);
    return 0;
}
