#ifndef _SIZE_T_H
#define _SIZE_T_H
#if __SIZEOF_POINTER__ == __SIZEOF_INT__
typedef unsigned int size_t;
#else
typedef unsigned long size_t;
#endif
#define NULL ((void *)0)
#endif
