/* Formats text: a small printf of its own, and paragraphs that are filled, justified and numbered. */

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *start;
    int size, used;
};

static void put(struct buffer *out, char letter)
{
    if (out->used < out->size)
        out->start[out->used] = letter;
    out->used++;
}

static void put_number(struct buffer *out, unsigned long value, unsigned base, int width, char fill, int negative)
{
    char digits[24];
    int count = 0;

    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    if (negative && fill == '0')
        put(out, '-');
    for (int i = count + negative; i < width; i++)
        put(out, fill);
    if (negative && fill != '0')
        put(out, '-');
    while (count)
        put(out, digits[--count]);
}

static void put_text(struct buffer *out, const char *text, int width, int most, int left)
{
    int length = (int)strlen(text);

    if (most >= 0 && length > most)
        length = most;
    for (int i = length; !left && i < width; i++)
        put(out, ' ');
    for (int i = 0; i < length; i++)
        put(out, text[i]);
    for (int i = length; left && i < width; i++)
        put(out, ' ');
}

static int format(char *start, int size, const char *text, ...)
{
    struct buffer out = {start, size - 1, 0};
    va_list list;

    va_start(list, text);
    for (; *text; text++) {
        int width = 0, most = -1, left = 0;
        char fill = ' ';

        if (*text != '%') {
            put(&out, *text);
            continue;
        }
        for (text++; *text == '-' || *text == '0'; text++)
            *text == '-' ? (left = 1) : (fill = '0');
        for (; *text >= '0' && *text <= '9'; text++)
            width = width * 10 + *text - '0';
        if (*text == '.')
            for (text++, most = 0; *text >= '0' && *text <= '9'; text++)
                most = most * 10 + *text - '0';
        switch (*text) {
        case 'd': {
            int value = va_arg(list, int);

            put_number(&out, value < 0 ? 0ul - (unsigned long)value : (unsigned long)value, 10, width, fill, value < 0);
            break;
        }
        case 'x':
            put_number(&out, va_arg(list, unsigned), 16, width, fill, 0);
            break;
        case 's':
            put_text(&out, va_arg(list, const char *), width, most, left);
            break;
        case 'c':
            put(&out, (char)va_arg(list, int));
            break;
        default:
            put(&out, *text);
        }
    }
    va_end(list);
    start[out.used < out.size ? out.used : out.size] = 0;
    return out.used;
}

/* Copies words into a line of a width, with spaces spread between them; returns where the next line begins. */
static const char *fill(const char *text, char *line, int width)
{
    const char *end = text, *scan = text;
    int words = 0, letters = 0, gaps, spaces;

    while (*scan) {
        const char *word = scan;

        while (*scan && *scan != ' ')
            scan++;
        if (words && letters + words + (int)(scan - word) > width)
            break;
        words++;
        letters += (int)(scan - word);
        end = scan;
        while (*scan == ' ')
            scan++;
    }
    gaps = words - 1;
    spaces = *scan ? width - letters : gaps;
    while (text < end) {
        if (*text != ' ') {
            *line++ = *text++;
            continue;
        }
        for (int count = gaps > 0 ? (spaces + gaps - 1) / gaps : 0; count > 0; count--, spaces--)
            *line++ = ' ';
        gaps--;
        while (*text == ' ')
            text++;
    }
    *line = 0;
    while (*text == ' ')
        text++;
    return text;
}

int main(int argc, char **argv)
{
    static const char paragraph[] = "A report is a table of numbers and some words about them; the words are filled into "
                                    "lines of equal length, as printers do, and each of the lines has a number of its own.";
    int rounds = argc > 1 ? atoi(argv[1]) : 40;
    uint32_t sum = 0;
    char line[128], numbered[160];

    for (int round = 0; round < rounds; round++) {
        const char *rest = paragraph;
        int number = round * 1000 - 3;

        while (*rest) {
            int length;

            rest = fill(rest, line, 24 + round % 40);
            length = format(numbered, (int)sizeof numbered, "%06d|%-70s|%4x %c%%%.3s", number, line, (unsigned)number & 0xffff,
                            'a' + round % 26, line);
            for (int i = 0; numbered[i]; i++)
                sum = sum * 31 + (unsigned char)numbered[i];
            sum += (uint32_t)length;
            number += 7;
        }
        if (round == 2)
            printf("%s\n", numbered);
    }
    printf("%08lx\n", (unsigned long)sum);
    return 0;
}
