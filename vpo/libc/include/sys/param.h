#ifndef _SYS_PARAM_H
#define _SYS_PARAM_H
#include <limits.h>
#include <endian.h>
#include <sys/types.h>
#define MAXPATHLEN PATH_MAX
#define MAXHOSTNAMELEN HOST_NAME_MAX
#define MAXSYMLINKS 20
#define NOFILE 256
#define NGROUPS NGROUPS_MAX
#define NBBY 8
#define DEV_BSIZE 512
#define howmany(x, unit) (((x) + ((unit) - 1)) / (unit))
#define roundup(x, unit) (howmany(x, unit) * (unit))
#define powerof2(x) ((((x) - 1) & (x)) == 0)
#define setbit(bytes, i) ((bytes)[(i) / NBBY] |= 1 << (i) % NBBY)
#define clrbit(bytes, i) ((bytes)[(i) / NBBY] &= ~(1 << (i) % NBBY))
#define isset(bytes, i) ((bytes)[(i) / NBBY] & 1 << (i) % NBBY)
#define isclr(bytes, i) (!isset(bytes, i))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
