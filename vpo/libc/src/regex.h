/* What the parts of regex share: a compiled expression is a program for a machine with many threads. */

#include <regex.h>

enum operation {
    ONE_CHARACTER, /* argument: which one */
    ANY_CHARACTER,
    IN_SET,        /* argument: the number of the set */
    SPLIT,         /* goes on with the next instruction and at argument from here */
    JUMP,
    SAVE,          /* argument: the place that gets the position */
    SAME_AGAIN,    /* argument: the group whose text must follow */
    LINE_BEGIN, LINE_END, TEXT_BEGIN, TEXT_END, WORD_BEGIN, WORD_END, WORD_EDGE, NO_WORD_EDGE,
    FOUND
};

struct instruction {
    short operation;
    short argument;
};

typedef unsigned char set[32];

struct _expression {
    struct instruction *code;
    set *sets;
    int size, room, set_count, flags, groups, has_references;
};

#define CONTAINS(set, c) ((set)[(c) >> 3] >> ((c) & 7) & 1)
