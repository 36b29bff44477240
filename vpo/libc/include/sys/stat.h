#ifndef _SYS_STAT_H
#define _SYS_STAT_H
#include <sys/types.h>
#include <_file_modes.h>
#include <_timespec.h>
/* Kind, size and permissions of a file are known; its times are all the same, and its owner is the only user. */
struct stat {
    dev_t st_dev, st_rdev;
    ino_t st_ino;
    mode_t st_mode;
    nlink_t st_nlink;
    uid_t st_uid;
    gid_t st_gid;
    off_t st_size;
    long st_blksize, st_blocks;
    struct timespec st_atim, st_mtim, st_ctim;
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define S_TYPEISMQ(file) 0
#define S_TYPEISSEM(file) 0
#define S_TYPEISSHM(file) 0
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
int stat(const char *, struct stat *), lstat(const char *, struct stat *), fstat(int, struct stat *);
int mkdir(const char *, mode_t), chmod(const char *, mode_t), fchmod(int, mode_t);
int fstatat(int, const char *, struct stat *, int), mkdirat(int, const char *, mode_t), fchmodat(int, const char *, mode_t, int);
mode_t umask(mode_t);
int mkfifo(const char *, mode_t), futimens(int, const struct timespec[2]);
int utimensat(int, const char *, const struct timespec[2], int);
int mkfifoat(int, const char *, mode_t), mknod(const char *, mode_t, dev_t), mknodat(int, const char *, mode_t, dev_t);
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE
#define S_IREAD S_IRUSR
#define S_IWRITE S_IWUSR
#define S_IEXEC S_IXUSR
#define ACCESSPERMS (S_IRWXU | S_IRWXG | S_IRWXO)
#define ALLPERMS (S_ISUID | S_ISGID | S_ISVTX | ACCESSPERMS)
#define DEFFILEMODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)
#define S_BLKSIZE 512
int lchmod(const char *, mode_t);
#endif
#endif
