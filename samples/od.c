/*
 * od - dump files in octal and other formats.
 *
 * As the Unix command: each line has an offset and 16 bytes of the input (all
 * files joined), once in each of the formats asked for.  A run of lines equal
 * to the one before is shown as a single "*".  Two-byte formats take the less
 * significant byte first on every machine.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 16
#define MAX_FORMATS 8

/* How one format shows a unit of the input. */
struct format {
    char letter;
    int unit;         /* bytes */
    int width;        /* columns of one unit, with the space before it */
    const char *text; /* for printf; NULL for characters */
};

static const struct format known_formats[] = {
    {'b', 1, 4, "%03o"},
    {'c', 1, 4, NULL},
    {'d', 2, 6, "%5u"},
    {'o', 2, 7, "%06o"},
    {'x', 2, 5, "%04x"}
};
#define KNOWN_FORMATS ((int)(sizeof known_formats / sizeof known_formats[0]))

static const struct format *formats[MAX_FORMATS];
static int format_count;
static int columns_per_two_bytes; /* of the widest format: they are all aligned */

static char offset_radix = 'o';
static int show_all; /* also lines that repeat */
static unsigned long skip_bytes;
static unsigned long max_bytes;
static int has_max_bytes;

static char **files; /* still to be read */
static FILE *input;
static int status;

static void usage(void)
{
    fprintf(stderr, "usage: od [-bcdovx] [-A RADIX] [-j SKIP] [-N COUNT] [FILE]...\n"
                    "  -b bytes in octal   -c characters   -d words in decimal\n"
                    "  -o words in octal (default)   -x words in hexadecimal\n"
                    "  -v show repeated lines   -A offsets in o, d, x or n (none)\n");
    exit(2);
}

/* ---- input ------------------------------------------------------------- */

/* Open the next file that can be opened; returns 0 when there is none. */
static int open_next(void)
{
    while (*files != NULL) {
        const char *name = *files++;

        input = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
        if (input != NULL)
            return 1;
        fprintf(stderr, "od: cannot open %s\n", name);
        status = 1;
    }
    return 0;
}

/* The next byte of all files joined, or EOF. */
static int next_byte(void)
{
    while (input != NULL || open_next()) {
        int c = getc(input);

        if (c != EOF)
            return c;
        if (ferror(input)) {
            fprintf(stderr, "od: read error\n");
            status = 1;
        }
        if (input != stdin)
            fclose(input);
        input = NULL;
    }
    return EOF;
}

/* Read at most wanted bytes; returns how many were there. */
static int read_line(unsigned char *line, unsigned long wanted)
{
    int count = 0;

    while (count < LINE_BYTES && (unsigned long)count < wanted) {
        int c = next_byte();

        if (c == EOF)
            break;
        line[count++] = (unsigned char)c;
    }
    return count;
}

static void skip_input(void)
{
    unsigned long i;

    for (i = 0; i < skip_bytes; i++)
        if (next_byte() == EOF) {
            fprintf(stderr, "od: cannot skip past the end of the input\n");
            exit(1);
        }
}

/* ---- output ------------------------------------------------------------ */

static void print_offset(unsigned long offset)
{
    switch (offset_radix) {
    case 'o':
        printf("%07lo", offset);
        break;
    case 'd':
        printf("%07lu", offset);
        break;
    case 'x':
        printf("%06lx", offset);
        break;
    }
}

/* Three columns. */
static void print_character(int c)
{
    static const char codes[] = "\0\a\b\f\n\r\t\v";
    static const char letters[] = "0abfnrtv";
    const char *found = memchr(codes, c, sizeof codes - 1);

    if (found != NULL)
        printf(" \\%c", letters[found - codes]);
    else if (c >= ' ' && c <= '~')
        printf("  %c", c);
    else
        printf("%03o", (unsigned int)c);
}

static void print_padding(int columns)
{
    while (columns-- > 0)
        putchar(' ');
}

static void print_units(const struct format *format, const unsigned char *line, int count)
{
    int room = columns_per_two_bytes * format->unit / 2;
    int i;

    for (i = 0; i < count; i += format->unit) {
        if (format->text == NULL) {
            print_padding(room - 3);
            print_character(line[i]);
        } else {
            unsigned int value = line[i];

            if (format->unit == 2)
                value |= (unsigned int)line[i + 1] << 8;
            print_padding(room - format->width + 1);
            printf(format->text, value);
        }
    }
    putchar('\n');
}

static void print_line(unsigned long offset, const unsigned char *line, int count)
{
    int i;

    print_offset(offset);
    for (i = 0; i < format_count; i++) {
        if (i > 0 && offset_radix != 'n')
            print_padding(offset_radix == 'x' ? 6 : 7);
        print_units(formats[i], line, count);
    }
}

static void dump(void)
{
    unsigned char lines[2][LINE_BYTES + 1];
    unsigned long offset = skip_bytes;
    unsigned long left = has_max_bytes ? max_bytes : ~0UL;
    int current = 0, started = 0, in_run = 0, count;

    while ((count = read_line(lines[current], left)) > 0) {
        lines[current][count] = 0; /* completes a last word */
        if (!show_all && started && count == LINE_BYTES
            && memcmp(lines[0], lines[1], LINE_BYTES) == 0) {
            if (!in_run)
                puts("*");
            in_run = 1;
        } else {
            print_line(offset, lines[current], count);
            in_run = 0;
        }
        offset += (unsigned long)count;
        left -= (unsigned long)count;
        started = 1;
        current = !current;
    }
    print_offset(offset);
    if (offset_radix != 'n')
        putchar('\n');
}

/* ---- command line ------------------------------------------------------ */

static void add_format(char letter)
{
    int i;

    for (i = 0; i < KNOWN_FORMATS && known_formats[i].letter != letter; i++)
        ;
    if (i == KNOWN_FORMATS || format_count == MAX_FORMATS)
        usage();
    formats[format_count++] = &known_formats[i];
    if (columns_per_two_bytes < known_formats[i].width * 2 / known_formats[i].unit)
        columns_per_two_bytes = known_formats[i].width * 2 / known_formats[i].unit;
}

/* A number of bytes, also 0x hexadecimal or with a leading 0 octal. */
static unsigned long parse_count(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 0);

    if (!isdigit((unsigned char)text[0]) || *end != '\0')
        usage();
    return value;
}

static void set_option(char letter, const char *value)
{
    if (letter == 'j') {
        skip_bytes = parse_count(value);
    } else if (letter == 'N') {
        max_bytes = parse_count(value);
        has_max_bytes = 1;
    } else {
        if (strlen(value) != 1 || strchr("odxn", value[0]) == NULL)
            usage();
        offset_radix = value[0];
    }
}

int main(int argc, char **argv)
{
    static char standard_input[] = "-";
    static char *only_standard_input[] = {standard_input, NULL};
    int i;

    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        const char *letter;

        for (letter = argv[i] + 1; *letter != '\0'; letter++) {
            if (*letter == 'v') {
                show_all = 1;
            } else if (strchr("AjN", *letter) == NULL) {
                add_format(*letter);
            } else if (letter[1] != '\0') { /* -Ax */
                set_option(*letter, letter + 1);
                break;
            } else if (i + 1 < argc) { /* -A x */
                set_option(*letter, argv[++i]);
                break;
            } else {
                usage();
            }
        }
    }
    if (format_count == 0)
        add_format('o');
    files = i < argc ? argv + i : only_standard_input;

    skip_input();
    dump();
    return status;
}
