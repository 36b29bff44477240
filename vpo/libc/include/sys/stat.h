#ifndef _SYS_STAT_H
#define _SYS_STAT_H
#include <sys/types.h>
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
#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFDIR 0040000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 070
#define S_IRGRP 040
#define S_IWGRP 020
#define S_IXGRP 010
#define S_IRWXO 07
#define S_IROTH 04
#define S_IWOTH 02
#define S_IXOTH 01
int stat(const char *, struct stat *), lstat(const char *, struct stat *), fstat(int, struct stat *);
int mkdir(const char *, mode_t), chmod(const char *, mode_t), fchmod(int, mode_t);
int fstatat(int, const char *, struct stat *, int), mkdirat(int, const char *, mode_t), fchmodat(int, const char *, mode_t, int);
mode_t umask(mode_t);
int mkfifo(const char *, mode_t), futimens(int, const struct timespec[2]);
int utimensat(int, const char *, const struct timespec[2], int);
#define UTIME_NOW 0x3fffffffL
#define UTIME_OMIT 0x3ffffffeL
#endif
