/*
 * diff - show how one text file differs from another, line by line.
 *
 * The output is that of the Unix command: changes such as "3,5c4", followed by
 * lines of the first file after "<" and of the second after ">".  The longest
 * common subsequence of lines is found by Myers's O(ND) algorithm in linear
 * space: "An O(ND) Difference Algorithm and Its Variations", 1986.
 *
 * Exit status: 0 when the files are equal, 1 when they differ, 2 for trouble.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line, where it stands in the text of its file, and the number of its class of equal lines. */
struct line {
    const char *text;
    size_t length; /* with the newline, which a last line may lack */
    int class;
};

struct file {
    char *text;
    size_t size;
    struct line *lines;
    int count;
    char *changed; /* for each line: has it no counterpart in the other file? */
};

/* An entry of the hash table from lines to classes. */
struct class_entry {
    const struct line *line;
    struct class_entry *next;
    unsigned long hash;
    int class;
};

static int ignore_space;
static int ignore_case;
static int brief;

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "diff: %s%s\n", what, name);
    exit(2);
}

static void usage(void)
{
    fprintf(stderr, "usage: diff [-biq] FILE1 FILE2   (- is standard input)\n"
                    "  -b  ignore changes in the amount of white space\n"
                    "  -i  ignore case    -q  only tell whether the files differ\n");
    exit(2);
}

static void *allocate(size_t count, size_t item_size)
{
    void *memory = calloc(count + 1, item_size);

    if (memory == NULL)
        fail("out of memory", "");
    return memory;
}

/* ---- reading ----------------------------------------------------------- */

static void read_text(const char *name, struct file *file)
{
    FILE *stream = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    size_t capacity = 4096, got;

    if (stream == NULL)
        fail("cannot open ", name);
    file->text = allocate(capacity, 1);
    while ((got = fread(file->text + file->size, 1, capacity - file->size, stream)) > 0) {
        file->size += got;
        if (file->size == capacity) {
            capacity *= 2;
            file->text = realloc(file->text, capacity);
            if (file->text == NULL)
                fail("out of memory", "");
        }
    }
    if (ferror(stream))
        fail("cannot read ", name);
    if (stream != stdin)
        fclose(stream);
}

static void split_lines(struct file *file)
{
    const char *at = file->text, *end = file->text + file->size;
    size_t i;
    int count = 0;

    for (i = 0; i < file->size; i++)
        count += file->text[i] == '\n';
    file->count = count + (file->size > 0 && end[-1] != '\n');
    file->lines = allocate((size_t)file->count, sizeof *file->lines);
    file->changed = allocate((size_t)file->count, 1);
    for (count = 0; at < end; count++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));

        file->lines[count].text = at;
        file->lines[count].length = (size_t)((newline == NULL ? end : newline + 1) - at);
        at += file->lines[count].length;
    }
}

/* ---- classes of equal lines -------------------------------------------- */

/* The next character that counts of a line, or EOF; moves *at behind it. */
static int next_character(const struct line *line, size_t *at)
{
    int c;

    if (*at == line->length)
        return EOF;
    c = (unsigned char)line->text[(*at)++];
    if (ignore_space && isspace(c)) {
        while (*at < line->length && isspace((unsigned char)line->text[*at]))
            (*at)++;
        return *at == line->length ? EOF : ' ';
    }
    return ignore_case ? tolower(c) : c;
}

static unsigned long hash_line(const struct line *line)
{
    unsigned long hash = 0;
    size_t at = 0;
    int c;

    while ((c = next_character(line, &at)) != EOF)
        hash = hash * 33 + (unsigned long)c;
    return hash & 0xffffffffUL;
}

static int equal_lines(const struct line *a, const struct line *b)
{
    size_t at_a = 0, at_b = 0;
    int c;

    if (!ignore_space && !ignore_case)
        return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
    do {
        c = next_character(a, &at_a);
        if (c != next_character(b, &at_b))
            return 0;
    } while (c != EOF);
    return 1;
}

/* Number the classes of the lines of both files: equal lines get equal numbers. */
static void classify(struct file *files)
{
    size_t buckets = (size_t)(files[0].count + files[1].count) + 1;
    struct class_entry **table = allocate(buckets, sizeof *table);
    struct class_entry *entries = allocate(buckets, sizeof *entries);
    int classes = 0, f, i;

    for (f = 0; f < 2; f++)
        for (i = 0; i < files[f].count; i++) {
            struct line *line = &files[f].lines[i];
            unsigned long hash = hash_line(line);
            struct class_entry **bucket = &table[hash % buckets];
            struct class_entry *entry = *bucket;

            while (entry != NULL && (entry->hash != hash || !equal_lines(entry->line, line)))
                entry = entry->next;
            if (entry == NULL) {
                entry = &entries[classes];
                entry->line = line;
                entry->hash = hash;
                entry->class = classes++;
                entry->next = *bucket;
                *bucket = entry;
            }
            line->class = entry->class;
        }
    free(table);
    free(entries);
}

/* ---- comparing --------------------------------------------------------- */

static struct file *old_file, *new_file;

/*
 * How far the search has come: on each diagonal k = x - y, the greatest x that
 * was reached from the start, and the smallest from the end, of the part of
 * the files that is compared.
 */
static int *forward_x, *backward_x;

#define NOT_FORWARD (INT_MIN / 2) /* diagonals that were not reached */
#define NOT_BACKWARD (INT_MAX / 2)

static int same(int x, int y)
{
    return old_file->lines[x].class == new_file->lines[y].class;
}

/* One more edit on a diagonal, from a neighbour that is nearer the start; then equal lines. */
static int step_forward(int k, int x1, int y1)
{
    int x = forward_x[k - 1] < x1 ? forward_x[k - 1] + 1 : NOT_FORWARD;
    int y;

    if (forward_x[k + 1] > x && forward_x[k + 1] - k <= y1)
        x = forward_x[k + 1];
    if (x < 0)
        return forward_x[k] = NOT_FORWARD;
    for (y = x - k; x < x1 && y < y1 && same(x, y); y++)
        x++;
    return forward_x[k] = x;
}

static int step_backward(int k, int x0, int y0)
{
    int x = backward_x[k + 1] > x0 ? backward_x[k + 1] - 1 : NOT_BACKWARD;
    int y;

    if (backward_x[k - 1] < x && backward_x[k - 1] - k >= y0)
        x = backward_x[k - 1];
    if (x >= NOT_BACKWARD - 1)
        return backward_x[k] = NOT_BACKWARD;
    for (y = x - k; x > x0 && y > y0 && same(x - 1, y - 1); y--)
        x--;
    return backward_x[k] = x;
}

/*
 * The x of a point in the middle of a shortest edit path from (x0, y0) to
 * (x1, y1), and its diagonal: search from both ends until the searches meet.
 */
static int find_middle(int x0, int y0, int x1, int y1, int *diagonal)
{
    int start = x0 - y0, end = x1 - y1; /* diagonals of the corners */
    int low = x0 - y1, high = x1 - y0;  /* all diagonals */
    int odd = (end - start) % 2 != 0;
    int d, k, x;

    for (k = low - 1; k <= high + 1; k++) {
        forward_x[k] = NOT_FORWARD;
        backward_x[k] = NOT_BACKWARD;
    }
    forward_x[start + 1] = x0;
    backward_x[end - 1] = x1;
    for (d = 0;; d++) {
        for (k = start - d; k <= start + d; k += 2) {
            if (k < low || k > high)
                continue;
            x = step_forward(k, x1, y1);
            if (odd && x >= backward_x[k]) {
                *diagonal = k;
                return x;
            }
        }
        for (k = end - d; k <= end + d; k += 2) {
            if (k < low || k > high)
                continue;
            x = step_backward(k, x0, y0);
            if (!odd && x <= forward_x[k]) {
                *diagonal = k;
                return x;
            }
        }
    }
}

/* Mark the lines in which a part of the old file differs from a part of the new one. */
static void compare(int x0, int y0, int x1, int y1)
{
    while (x0 < x1 && y0 < y1 && same(x0, y0)) {
        x0++;
        y0++;
    }
    while (x0 < x1 && y0 < y1 && same(x1 - 1, y1 - 1)) {
        x1--;
        y1--;
    }
    if (x0 == x1 || y0 == y1) {
        memset(old_file->changed + x0, 1, (size_t)(x1 - x0));
        memset(new_file->changed + y0, 1, (size_t)(y1 - y0));
    } else {
        int diagonal;
        int x = find_middle(x0, y0, x1, y1, &diagonal);

        compare(x0, y0, x, x - diagonal);
        compare(x, x - diagonal, x1, y1);
    }
}

static void compare_files(void)
{
    size_t diagonals = (size_t)old_file->count + (size_t)new_file->count + 3;
    int *forward = allocate(diagonals, sizeof *forward);
    int *backward = allocate(diagonals, sizeof *backward);

    forward_x = forward + new_file->count + 1; /* diagonals may be negative */
    backward_x = backward + new_file->count + 1;
    compare(0, 0, old_file->count, new_file->count);
    free(forward);
    free(backward);
}

/* ---- output ------------------------------------------------------------ */

/* Lines are counted from 1; of an empty range, the line before it is named. */
static void print_range(int from, int to)
{
    if (to - from > 1)
        printf("%d,%d", from + 1, to);
    else
        printf("%d", to);
}

static void print_lines(const struct file *file, int from, int to, char mark)
{
    for (; from < to; from++) {
        const struct line *line = &file->lines[from];

        printf("%c ", mark);
        fwrite(line->text, 1, line->length, stdout);
        if (line->text[line->length - 1] != '\n')
            printf("\n\\ No newline at end of file\n");
    }
}

static void print_change(int x0, int x1, int y0, int y1)
{
    print_range(x0, x1);
    putchar(x0 == x1 ? 'a' : y0 == y1 ? 'd' : 'c');
    print_range(y0, y1);
    putchar('\n');
    print_lines(old_file, x0, x1, '<');
    if (x0 < x1 && y0 < y1)
        puts("---");
    print_lines(new_file, y0, y1, '>');
}

/* Print the changes; returns how many there are. */
static int print_changes(void)
{
    int x = 0, y = 0, changes = 0;

    while (x < old_file->count || y < new_file->count) {
        int x0 = x, y0 = y;

        while (x < old_file->count && old_file->changed[x])
            x++;
        while (y < new_file->count && new_file->changed[y])
            y++;
        if (x > x0 || y > y0) {
            changes++;
            if (!brief)
                print_change(x0, x, y0, y);
        } else {
            x++;
            y++;
        }
    }
    return changes;
}

int main(int argc, char **argv)
{
    static struct file files[2];
    int changes, f, i;

    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        const char *letter;

        for (letter = argv[i] + 1; *letter != '\0'; letter++) {
            if (*letter == 'b')
                ignore_space = 1;
            else if (*letter == 'i')
                ignore_case = 1;
            else if (*letter == 'q')
                brief = 1;
            else
                usage();
        }
    }
    if (argc - i != 2)
        usage();

    for (f = 0; f < 2; f++) {
        read_text(argv[i + f], &files[f]);
        split_lines(&files[f]);
    }
    classify(files);
    old_file = &files[0];
    new_file = &files[1];
    compare_files();
    changes = print_changes();
    if (brief && changes > 0)
        printf("Files %s and %s differ\n", argv[i], argv[i + 1]);
    for (f = 0; f < 2; f++) {
        free(files[f].text);
        free(files[f].lines);
        free(files[f].changed);
    }
    return changes > 0 ? 1 : 0;
}
