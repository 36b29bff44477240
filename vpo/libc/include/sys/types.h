#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H
#include <_size_t.h>
#include <stdint.h>
#ifndef _SSIZE_T
#define _SSIZE_T
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
#endif
typedef unsigned int mode_t;
typedef int pid_t;
typedef unsigned int uid_t, gid_t, nlink_t;
typedef unsigned long dev_t, ino_t;
#ifndef _TIME_T
#define _TIME_T
typedef long time_t;
#endif
#endif
