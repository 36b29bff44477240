/* wait, waitpid */

#include <errno.h>
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
