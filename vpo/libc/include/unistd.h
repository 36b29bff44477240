#ifndef _UNISTD_H
#define _UNISTD_H
#include <sys/types.h>
#define _POSIX_VERSION 200809L
#define _POSIX2_VERSION 200809L
#define _XOPEN_VERSION 700
#define _POSIX_TIMERS 200809L
#define _POSIX_MONOTONIC_CLOCK 200809L
#define _POSIX_FSYNC 200809L
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int close(int);
off_t lseek(int, off_t, int);
int unlink(const char *);
void _exit(int);
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
int eaccess(const char *, int), euidaccess(const char *, int), getdtablesize(void), lockf(int, int, off_t);
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
int access(const char *, int), isatty(int), fsync(int), fdatasync(int);
ssize_t pread(int, void *, size_t, off_t), pwrite(int, const void *, size_t, off_t);
int dup(int), dup2(int, int), dup3(int, int, int), rmdir(const char *), ftruncate(int, off_t), truncate(const char *, off_t);
char *getcwd(char *, size_t), *getlogin(void), *ttyname(int);
extern char **environ;
/* One process, one user, one machine. */
pid_t getpid(void), getppid(void), getpgrp(void), setsid(void);
uid_t getuid(void), geteuid(void);
gid_t getgid(void), getegid(void);
int gethostname(char *, size_t), getpagesize(void);
void sync(void);
/* Time does not pass while a program waits, but for timers. */
unsigned sleep(unsigned), alarm(unsigned);
int usleep(unsigned), pause(void);
long sysconf(int), pathconf(const char *, int), fpathconf(int, int);
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_NGROUPS_MAX 3
#define _SC_OPEN_MAX 4
#define _SC_VERSION 29
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
/* A program reads itself what it writes; nothing waits: calls that would have to fail with EAGAIN. */
int pipe(int[2]), pipe2(int[2], int);
/* There is nothing behind these: they fail with ENOSYS. */
int chdir(const char *), fchdir(int), link(const char *, const char *), symlink(const char *, const char *);
int chown(const char *, uid_t, gid_t), fchown(int, uid_t, gid_t), lchown(const char *, uid_t, gid_t);
int setuid(uid_t), setgid(gid_t), seteuid(uid_t), setegid(gid_t), nice(int), chroot(const char *);
ssize_t readlink(const char *, char *, size_t), readlinkat(int, const char *, char *, size_t);
int unlinkat(int, const char *, int), faccessat(int, const char *, int, int), fchownat(int, const char *, uid_t, gid_t, int);
int linkat(int, const char *, int, const char *, int), symlinkat(const char *, int, const char *);
pid_t fork(void), vfork(void);
int execv(const char *, char *const[]), execvp(const char *, char *const[]), execve(const char *, char *const[], char *const[]);
int execl(const char *, const char *, ...), execlp(const char *, const char *, ...);
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const[], const char *);
int getentropy(void *, size_t);
int brk(void *);
void *sbrk(__PTRDIFF_TYPE__);
#ifndef L_SET
#define L_SET 0
#define L_INCR 1
#define L_XTND 2
#endif
#define _SC_STREAM_MAX 5
#define _SC_TZNAME_MAX 6
#define _SC_JOB_CONTROL 7
#define _SC_SAVED_IDS 8
#define _SC_LINE_MAX 43
#define _SC_RE_DUP_MAX 44
#define _SC_IOV_MAX 60
#define _SC_THREADS 67
#define _SC_GETGR_R_SIZE_MAX 69
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_LOGIN_NAME_MAX 71
#define _SC_TTY_NAME_MAX 72
#define _SC_MONOTONIC_CLOCK 149
#define _SC_SYMLOOP_MAX 173
#define _SC_HOST_NAME_MAX 180
#define _PC_LINK_MAX 0
#define _PC_MAX_CANON 1
#define _PC_MAX_INPUT 2
#define _PC_PIPE_BUF 5
#define _PC_CHOWN_RESTRICTED 6
#define _PC_NO_TRUNC 7
#define _PC_VDISABLE 8
#define _CS_PATH 0
size_t confstr(int, char *, size_t);
int getgroups(int, gid_t[]), getlogin_r(char *, size_t), ttyname_r(int, char *, size_t);
int getdomainname(char *, size_t), setpgid(pid_t, pid_t), setpgrp(void), setreuid(uid_t, uid_t), setregid(gid_t, gid_t);
int sethostname(const char *, size_t), daemon(int, int), tcsetpgrp(int, pid_t), execle(const char *, const char *, ...);
int fexecve(int, char *const[], char *const[]);
pid_t getpgid(pid_t), getsid(pid_t), tcgetpgrp(int);
long gethostid(void);
char *getpass(const char *), *getwd(char *);
void closefrom(int), swab(const void *, void *, __PTRDIFF_TYPE__);
useconds_t ualarm(useconds_t, useconds_t);
#endif
