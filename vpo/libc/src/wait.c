/* wait and its kin */

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>

pid_t waitpid(pid_t process, int *status, int how)
{
    (void)process;
    (void)status;
    (void)how;
    errno = ECHILD;
    return -1;
}

pid_t wait(int *status)
{
    return waitpid(-1, status, 0);
}

pid_t wait4(pid_t process, int *status, int how, struct rusage *usage)
{
    (void)usage;
    return waitpid(process, status, how);
}

pid_t wait3(int *status, int how, struct rusage *usage)
{
    return wait4(-1, status, how, usage);
}

int waitid(idtype_t kind, id_t which, siginfo_t *information, int how)
{
    (void)kind;
    (void)information;
    return (int)waitpid((pid_t)which, NULL, how);
}
