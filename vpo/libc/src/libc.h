/* What the sources of the library share. */

#include <stddef.h>
#include <stdint.h>

/* Word at a time: a word is a long; a word contains a zero byte iff HAS_ZERO(word). */
typedef unsigned long word;
#define WORD sizeof(word)
#define MISALIGNED(address) ((uintptr_t)(address) & (WORD - 1))
#define ONES (~(word)0 / 255)
#define HAS_ZERO(w) (((w) - ONES) & ~(w) & ONES << 7)

/* Turns a system call's answer into -1 and errno if it is an error. */
long __result(long);

#define HERE (-100L) /* the working directory, for system calls that take the descriptor of a folder */

int __open_file(const char *, int, int);

/* What exit must do; each is set by the part of the library that needs it. */
extern void (*__run_atexit)(int), (*__flush_all)(void);

/* Up to where the program has got memory from the system itself, which malloc must not take. */
extern char *__foreign_break;

/* What abort must do first, once a program has asked for signals. */
extern void (*__handle_abort)(void);

/* Searches in linear time; simple searches turn to it when they have compared TOO_MANY bytes in vain. */
void *__two_way(const void *text, size_t text_length, const void *part, size_t part_length, int folds);
#define TOO_MANY 4096
