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
#define __SYS_dup 32
#define __SYS_dup2 33
#define __SYS_pipe2 293
#define __SYS_ftruncate 77
#define __SYS_getcwd 79
#define __SYS_chdir 80
#define __SYS_fchdir 81
#define __SYS_chmod 90
#define __SYS_fchmod 91
#define __SYS_mkdir 83
#define __SYS_rmdir 84
#define __SYS_getdents64 217
#define __SYS_statx 332
#define __SYS_time 201
#elif defined(__riscv)
#define __SYS_getcwd 17
#define __SYS_chdir 49
#define __SYS_fchdir 50
#define __SYS_fchmod 52
#define __SYS_fchmodat 53
#define __SYS_dup 23
#define __SYS_dup3 24
#define __SYS_pipe2 59
#define __SYS_mkdirat 34
#define __SYS_unlinkat 35
#define __SYS_getdents64 61
#define __SYS_statx 291
#define __SYS_openat 56
#define __SYS_close 57
#if __riscv_xlen == 32
#define __SYS_llseek 62
#define __SYS_ftruncate64 46
#else
#define __SYS_lseek 62
#define __SYS_ftruncate 46
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
#define __SYS_mkdir 39
#define __SYS_rmdir 40
#define __SYS_dup 41
#define __SYS_dup2 63
#define __SYS_pipe2 327
#define __SYS_ftruncate 93
#define __SYS_getcwd 183
#define __SYS_chdir 12
#define __SYS_fchdir 133
#define __SYS_chmod 15
#define __SYS_fchmod 94
#define __SYS_getdents64 220
#define __SYS_statx 379
#define __SYS_brk 45
#define __SYS_gettimeofday 78
#endif
