#ifndef _FCNTL_H
#define _FCNTL_H
#include <sys/types.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
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
int open(const char *, int, ...);
int creat(const char *, mode_t);
#endif
