/* What tells a measurement about a program; nothing here becomes an instruction, but for ease_line. */
#ifndef _EASE_H
#define _EASE_H

/* Between the lines of the two lies a region: `easecc -region NAME` reports it, with all that is called there.  Both stand in
   one file, each on a line of its own: ease_begin("sort"); ... ease_end("sort"); */
#define ease_begin(name) ((void)0)
#define ease_end(name) ((void)0)

/* An interpreter says which line of its own program it executes: `easecc -tool interpreted_lines` reports these lines. */
static volatile int ease_current_line;
#define ease_line(number) ((void)(ease_current_line = (number)))

#endif
