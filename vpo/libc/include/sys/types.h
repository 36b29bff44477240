#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H
#include <_size_t.h>
#include <stdint.h>
typedef intptr_t ssize_t;
typedef long off_t;
typedef unsigned int mode_t;
typedef int pid_t;
#ifndef _TIME_T
#define _TIME_T
typedef long time_t;
#endif
#endif
