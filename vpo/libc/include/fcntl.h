#ifndef _FCNTL_H
#define _FCNTL_H
#include <sys/types.h>
#include <_file_modes.h>
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_EXEC 010000000
#define O_SEARCH O_EXEC
#define O_TTY_INIT 0
#ifdef __O_CREAT
#define O_CREAT __O_CREAT
#else
#define O_CREAT 0100
#endif
#ifdef __O_EXCL
#define O_EXCL __O_EXCL
#else
#define O_EXCL 0200
#endif
#ifdef __O_TRUNC
#define O_TRUNC __O_TRUNC
#else
#define O_TRUNC 01000
#endif
#ifdef __O_APPEND
#define O_APPEND __O_APPEND
#else
#define O_APPEND 02000
#endif
#define O_ACCMODE 3
/* These need no bits of their own: there are no terminals, no other processes, and nothing waits. */
#define O_NOCTTY 0
#define O_CLOEXEC 0
#define O_NONBLOCK 0
#define O_SYNC 0
#define O_DSYNC 0
#define O_LARGEFILE 0
#define O_NOFOLLOW 0
#define O_DIRECTORY 0
#define O_ASYNC 0
#define O_RSYNC 0
#define O_FSYNC 0
#define O_NDELAY 0
#define O_NOATIME 0
#define O_PATH 0
#define FAPPEND O_APPEND
#define FNDELAY O_NDELAY
#define FNONBLOCK O_NONBLOCK
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_SETOWN 8
#define F_GETOWN 9
#define F_DUPFD_CLOEXEC 1030
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define FD_CLOEXEC 1
/* Folders are named by paths only: the functions with a folder's descriptor take AT_FDCWD or an absolute path. */
#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_REMOVEDIR 0x200
#define AT_EACCESS 0x200
#define AT_SYMLINK_FOLLOW 0x400
#define AT_EMPTY_PATH 0x1000
struct flock {
    short l_type, l_whence;
    off_t l_start, l_len;
    pid_t l_pid;
};
int fcntl(int, int, ...);
int open(const char *, int, ...);
int creat(const char *, mode_t), openat(int, const char *, int, ...);
/* Advice changes nothing. */
#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5
int posix_fadvise(int, off_t, off_t, int), posix_fallocate(int, off_t, off_t);
#endif
