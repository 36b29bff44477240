/* What our compiler predefines, for another compiler: the system and its numbers. */
long __ease_syscall(long, ...);
#define __CONTEXT_SIZE__ 64
#if defined(__x86_64__)
#define __SYS_read 0
#define __SYS_write 1
#define __SYS_open 2
#define __SYS_close 3
#define __SYS_lseek 8
#define __SYS_brk 12
#define __SYS_exit 60
#define __SYS_rename 82
#define __SYS_unlink 87
#define __SYS_gettimeofday 96
#define __SYS_time 201
#elif defined(__riscv)
#define __SYS_unlinkat 35
#define __SYS_openat 56
#define __SYS_close 57
#if __riscv_xlen == 32
#define __SYS_llseek 62
#else
#define __SYS_lseek 62
#endif
#define __SYS_read 63
#define __SYS_write 64
#define __SYS_exit 93
#define __SYS_brk 214
#define __SYS_renameat2 276
#define __SYS_clock_gettime64 403
#elif defined(__m68k__)
#define __SYS_exit 1
#define __SYS_read 3
#define __SYS_write 4
#define __SYS_open 5
#define __SYS_close 6
#define __SYS_unlink 10
#define __SYS_time 13
#define __SYS_lseek 19
#define __SYS_rename 38
#define __SYS_brk 45
#define __SYS_gettimeofday 78
#endif
