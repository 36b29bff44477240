#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H
#include <sys/cdefs.h> /* as glibc: programs use __BEGIN_DECLS without asking for it */
#include <_size_t.h>
#include <stdint.h>
#ifndef _SSIZE_T
#define _SSIZE_T
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
#endif
typedef unsigned int mode_t;
typedef unsigned int useconds_t, id_t;
typedef int key_t;
#ifndef _SUSECONDS_T
#define _SUSECONDS_T
typedef long suseconds_t;
#endif
typedef long blksize_t, blkcnt_t, daddr_t;
#include <_clock_t.h>
#include <_pthread_types.h>
typedef unsigned long fsblkcnt_t, fsfilcnt_t;
typedef long long off64_t;
typedef char *caddr_t;
typedef int pid_t;
typedef unsigned int uid_t, gid_t, nlink_t;
typedef unsigned long dev_t, ino_t;
#include <_time_t.h>
typedef int timer_t;
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _BSD_SOURCE
#include <endian.h>
#include <sys/select.h>
typedef unsigned char u_char;
typedef unsigned short u_short, ushort;
typedef unsigned int u_int, uint;
typedef unsigned long u_long, ulong;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef long long quad_t;
typedef unsigned long long u_quad_t;
#endif
#endif
