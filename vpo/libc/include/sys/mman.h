#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H
#include <sys/types.h>
/* Memory of its own, with a copy of the file; changes do not go back, so shared writable maps fail with ENODEV. */
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FILE 0
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_STACK 0x20000
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t), mprotect(void *, size_t, int), msync(void *, size_t, int);
/* Advice and locks change nothing. */
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_RANDOM 1
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3
#define POSIX_MADV_DONTNEED 4
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_HUGEPAGE 14
#define MADV_NOHUGEPAGE 15
#define MCL_CURRENT 1
#define MCL_FUTURE 2
int posix_madvise(void *, size_t, int), madvise(void *, size_t, int), mlock(const void *, size_t), munlock(const void *, size_t);
int mlockall(int), munlockall(void);
#endif
