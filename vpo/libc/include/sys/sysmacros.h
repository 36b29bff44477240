#ifndef _SYS_SYSMACROS_H
#define _SYS_SYSMACROS_H
#include <sys/types.h>
#define major(device) ((unsigned)(device) >> 8 & 0xfff)
#define minor(device) ((unsigned)(device) & 0xff)
#define makedev(major, minor) ((dev_t)(major) << 8 | (minor))
#endif
