#ifndef _ERROR_H
#define _ERROR_H
extern unsigned error_message_count;
extern int error_one_per_line;
extern void (*error_print_progname)(void);
void error(int, int, const char *, ...), error_at_line(int, int, const char *, unsigned, const char *, ...);
#endif
