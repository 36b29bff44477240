/* strsignal, psignal */

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char *const names[32] = {
    NULL, "Hangup", "Interrupt", "Quit", "Illegal instruction", "Trace/breakpoint trap", "Aborted", "Bus error",
    "Floating point exception", "Killed", "User defined signal 1", "Segmentation fault", "User defined signal 2",
    "Broken pipe", "Alarm clock", "Terminated", "Stack fault", "Child exited", "Continued", "Stopped (signal)",
    "Stopped",
    "Stopped (tty input)", "Stopped (tty output)", "Urgent I/O condition", "CPU time limit exceeded",
    "File size limit exceeded", "Virtual timer expired", "Profiling timer expired", "Window changed", "I/O possible",
    "Power failure", "Bad system call"
};

char *strsignal(int number)
{
    static char unknown[32];

    if (number > 0 && number < (int)(sizeof names / sizeof *names))
        return (char *)names[number];
    if (number >= SIGRTMIN && number <= SIGRTMAX)
        sprintf(unknown, "Real-time signal %d", number - SIGRTMIN);
    else
        sprintf(unknown, "Unknown signal %d", number);
    return unknown;
}

void psignal(int number, const char *prefix)
{
    if (prefix && *prefix)
        fprintf(stderr, "%s: ", prefix);
    fprintf(stderr, "%s\n", strsignal(number));
}
