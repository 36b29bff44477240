/* What scanf takes for a floating number: it reads a character ahead, never two. */

#include <ctype.h>
#include "scanf.h"

/* A number being read: the next character is `c`. */
struct reader {
    struct input *input;
    char *to, *end;
    int c;
};

static void keep(struct reader *reader)
{
    if (reader->to < reader->end)
        *reader->to++ = reader->c;
    reader->c = __next_character(reader->input);
}

/* Keeps the letters of a word; says whether all were there. */
static int keep_word(struct reader *reader, const char *word)
{
    for (; *word; word++) {
        if ((reader->c | 32) != *word)
            return 0;
        keep(reader);
    }
    return 1;
}

static int keep_digits(struct reader *reader, int hexadecimal)
{
    int any = 0;

    while (reader->c != EOF && (hexadecimal ? isxdigit(reader->c) != 0 : isdigit(reader->c))) {
        any = 1;
        keep(reader);
    }
    return any;
}

static void keep_sign(struct reader *reader)
{
    if (reader->c == '-' || reader->c == '+')
        keep(reader);
}

static int keep_number(struct reader *reader)
{
    int hexadecimal = 0;
    int any = 0;

    keep_sign(reader);
    if ((reader->c | 32) == 'n')
        return keep_word(reader, "nan");
    if ((reader->c | 32) == 'i')
        return keep_word(reader, "inf") && ((reader->c | 32) != 'i' || keep_word(reader, "inity"));
    if (reader->c == '0') {
        any = 1;
        keep(reader);
        if ((reader->c | 32) == 'x') {
            hexadecimal = 1;
            any = 0;
            keep(reader);
        }
    }
    any |= keep_digits(reader, hexadecimal);
    if (reader->c == '.') {
        keep(reader);
        any |= keep_digits(reader, hexadecimal);
    }
    if (any && (reader->c | 32) == (hexadecimal ? 'p' : 'e')) {
        keep(reader);
        keep_sign(reader);
        keep_digits(reader, 0); /* without any, as others do, the exponent is 0 */
    }
    return any;
}

int __scan_float(struct input *input, char *text, int size)
{
    struct reader reader;
    int any;

    reader.input = input;
    reader.to = text;
    reader.end = text + size - 1;
    reader.c = __next_character(input);
    any = keep_number(&reader);
    __give_back(input, reader.c);
    *reader.to = 0;
    return any ? reader.to - text : 0;
}
