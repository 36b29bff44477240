#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H
#include <sys/types.h>
/* There are no other processes: waiting fails with ECHILD. */
#define WNOHANG 1
#define WUNTRACED 2
#define WIFEXITED(status) (((status) & 0x7f) == 0)
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WIFSIGNALED(status) (((status) & 0x7f) != 0 && ((status) & 0x7f) != 0x7f)
#define WTERMSIG(status) ((status) & 0x7f)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
pid_t wait(int *), waitpid(pid_t, int *, int);
#endif
