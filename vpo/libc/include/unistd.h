#ifndef _UNISTD_H
#define _UNISTD_H
#include <sys/types.h>
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
int access(const char *, int), isatty(int), fsync(int);
pid_t getpid(void);
uid_t getuid(void), geteuid(void);
gid_t getgid(void), getegid(void);
/* There is nothing behind these: they fail with ENOSYS. */
int dup(int), dup2(int, int), pipe(int[2]), chdir(const char *), rmdir(const char *), link(const char *, const char *);
int symlink(const char *, const char *), ftruncate(int, off_t), truncate(const char *, off_t);
int chown(const char *, uid_t, gid_t), fchown(int, uid_t, gid_t);
ssize_t readlink(const char *, char *, size_t);
pid_t fork(void);
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const[], const char *);
#endif
