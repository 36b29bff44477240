#ifndef _SIGNAL_H
#define _SIGNAL_H
/* Handlers are called by raise and abort, and for faults of the machine: SIGSEGV, SIGBUS, SIGFPE. */
typedef int sig_atomic_t;
typedef void (*__handler)(int);
typedef __handler __sighandler_t;
#define SIG_DFL ((__handler)0)
#define SIG_IGN ((__handler)1)
#define SIG_ERR ((__handler)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT SIGABRT
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD SIGCHLD
#define SIGCONT 18
#define SIGSTOP 19
#define NSIG 65
#define _NSIG NSIG
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL SIGIO
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
__handler signal(int, __handler);
int raise(int);
/* Nothing is sent but by the program itself; what a mask holds back is sent when it allows it. */
#include <sys/types.h>
#include <_sigset_t.h>
#include <_timespec.h>
typedef __handler sighandler_t;
typedef __handler sig_t;
union sigval {
    int sival_int;
    void *sival_ptr;
};
typedef union sigval sigval_t;
struct sigevent {
    int sigev_notify, sigev_signo;
    union sigval sigev_value;
    void (*sigev_notify_function)(union sigval);
    void *sigev_notify_attributes;
};
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
typedef struct {
    int si_signo, si_code, si_errno;
    pid_t si_pid;
    uid_t si_uid;
    void *si_addr;
    int si_status;
    long si_band;
    union sigval si_value;
} siginfo_t;
/* si_code: sent by kill, by raise; a fault has one of those that follow. */
#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define SI_MESGQ (-3)
#define SI_ASYNCIO (-4)
#define SI_TKILL (-6)
#define ILL_ILLOPC 1
#define ILL_ILLOPN 2
#define ILL_ILLADR 3
#define ILL_ILLTRP 4
#define ILL_PRVOPC 5
#define ILL_PRVREG 6
#define ILL_COPROC 7
#define ILL_BADSTK 8
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define FPE_FLTSUB 8
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define BUS_OBJERR 3
#define TRAP_BRKPT 1
#define TRAP_TRACE 2
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#define POLL_IN 1
#define POLL_OUT 2
#define POLL_MSG 3
#define POLL_ERR 4
#define POLL_PRI 5
#define POLL_HUP 6
struct sigaction {
    union {
        __handler sa_handler;
        void (*sa_sigaction)(int, siginfo_t *, void *);
    };
    sigset_t sa_mask;
    int sa_flags;
};
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#if __INT_MAX__ > 0x7fff
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#else
#define SA_ONSTACK 0x0800
#define SA_RESTART 0x1000
#define SA_NODEFER 0x2000
#define SA_RESETHAND 0x4000
#endif
/* Handlers of faults have a stack of their own, not that which the program offers.  If it offers one, those with SA_ONSTACK are
   called when the program's stack is exhausted. */
typedef struct {
    void *ss_sp;
    int ss_flags;
    size_t ss_size;
} stack_t;
typedef struct {
    long __nothing;
} mcontext_t;
typedef struct __ucontext {
    struct __ucontext *uc_link;
    sigset_t uc_sigmask;
    stack_t uc_stack;
    mcontext_t uc_mcontext; /* no handler is given one */
} ucontext_t;
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
int kill(pid_t, int), killpg(pid_t, int), sigaction(int, const struct sigaction *, struct sigaction *);
int sigprocmask(int, const sigset_t *, sigset_t *), sigpending(sigset_t *), sigsuspend(const sigset_t *);
int sigemptyset(sigset_t *), sigfillset(sigset_t *), sigaddset(sigset_t *, int), sigdelset(sigset_t *, int);
int sigismember(const sigset_t *, int);
int sigaltstack(const stack_t *, stack_t *), siginterrupt(int, int);
void psignal(int, const char *), psiginfo(const siginfo_t *, const char *);
int sigqueue(pid_t, int, union sigval), sigwait(const sigset_t *, int *), sigwaitinfo(const sigset_t *, siginfo_t *);
int sigtimedwait(const sigset_t *, siginfo_t *, const struct timespec *);
int sigisemptyset(const sigset_t *), sigandset(sigset_t *, const sigset_t *, const sigset_t *);
int sigorset(sigset_t *, const sigset_t *, const sigset_t *);
/* Older ways. */
#define SIG_HOLD ((__handler)2)
#define sigmask(number) (1 << ((number) - 1))
int sighold(int), sigrelse(int), sigignore(int), sigpause(int), sigblock(int), sigsetmask(int), siggetmask(void);
__handler sigset(int, __handler), bsd_signal(int, __handler);
/* For signals that no fault of the machine becomes; the compiler uses them if it knows the signal. */
__handler __set_handler(int, __handler);
int __set_action(int, const struct sigaction *, struct sigaction *);
#endif
