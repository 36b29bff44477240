/*
 * puzzle - pack rectangular blocks into a box, without gaps.
 *
 * The idea is that of Forest Baskett's puzzle benchmark: a box of 5 x 5 x 5
 * cells, to be filled by 13 blocks of 4 x 2 x 1, three of 3 x 1 x 1, one of
 * 2 x 2 x 1 and one of 2 x 2 x 2, each of which may be turned.  That puzzle
 * is the default; others are read from a file of lines such as
 *
 *     # anything behind a number sign is a comment
 *     box 3 3 3
 *     block 6  2 2 1
 *     block 3  1 1 1
 *
 * The search always fills the first free cell: it tries each block that is
 * left, in each distinct orientation, and backtracks.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EDGE 8
#define MAX_CELLS (MAX_EDGE * MAX_EDGE * MAX_EDGE)
#define MAX_KINDS 16
#define MAX_SHAPES (6 * MAX_KINDS)
#define MAX_LINE 256

/* Blocks that are alike. */
struct kind {
    int edge[3];
    int left; /* how many are not yet placed */
};

/* One orientation of a kind, as offsets from its first cell in the box. */
struct shape {
    int kind;
    int extent[3];
    int cells;
    short offset[MAX_CELLS];
};

static int box[3];
static int kind_count;
static struct kind kinds[MAX_KINDS];
static int shape_count;
static struct shape shapes[MAX_SHAPES];

static int cell_count;
static short cell_owner[MAX_CELLS]; /* 0 when free, else number of a placed block */

static unsigned long trials;    /* blocks placed, ever */
static unsigned long solutions;
static unsigned long max_solutions = 1;
static int quiet;

static const char default_puzzle[] =
    "box 5 5 5\n"
    "block 13  2 4 1\n" /* the order of edges decides what is tried first */
    "block 3   3 1 1\n"
    "block 1   2 2 1\n"
    "block 1   2 2 2\n";

static void usage(void)
{
    fprintf(stderr, "usage: puzzle [-q] [-a | -n SOLUTIONS] [FILE]\n"
                    "  -a  find all solutions    -n  stop after so many (default 1)\n"
                    "  -q  do not draw the first solution\n");
    exit(2);
}

static void fail(const char *where, int line, const char *what)
{
    fprintf(stderr, "puzzle: %s:%d: %s\n", where, line, what);
    exit(1);
}

/* ---- reading a puzzle -------------------------------------------------- */

/* Read count positive numbers, up to a limit, from the rest of a line. */
static int read_numbers(const char *text, int count, int limit, int *numbers)
{
    char *end;
    int i;

    for (i = 0; i < count; i++) {
        long value = strtol(text, &end, 10);

        if (end == text || value < 1 || value > limit)
            return 0;
        numbers[i] = (int)value;
        text = end;
    }
    while (isspace((unsigned char)*text))
        text++;
    return *text == '\0';
}

static void read_line(char *line, const char *where, int number)
{
    char *comment = strchr(line, '#');
    int numbers[4];

    if (comment != NULL)
        *comment = '\0';
    while (isspace((unsigned char)*line))
        line++;
    if (*line == '\0')
        return;
    if (strncmp(line, "box ", 4) == 0) {
        if (!read_numbers(line + 4, 3, MAX_EDGE, box))
            fail(where, number, "expected three edges of the box");
    } else if (strncmp(line, "block ", 6) == 0) {
        if (kind_count == MAX_KINDS)
            fail(where, number, "too many kinds of blocks");
        if (!read_numbers(line + 6, 4, MAX_CELLS, numbers))
            fail(where, number, "expected a count and three edges of the block");
        kinds[kind_count].left = numbers[0];
        memcpy(kinds[kind_count].edge, numbers + 1, sizeof kinds[kind_count].edge);
        kind_count++;
    } else {
        fail(where, number, "expected 'box' or 'block'");
    }
}

static void read_puzzle_file(const char *name)
{
    char line[MAX_LINE];
    int number = 0;
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");

    if (file == NULL) {
        fprintf(stderr, "puzzle: cannot open %s\n", name);
        exit(1);
    }
    while (fgets(line, sizeof line, file) != NULL)
        read_line(line, name, ++number);
    if (file != stdin)
        fclose(file);
}

static void read_default_puzzle(void)
{
    char line[MAX_LINE];
    const char *text = default_puzzle;
    int number = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        memcpy(line, text, length);
        line[length] = '\0';
        read_line(line, "default", ++number);
        text += length + 1;
    }
}

/* ---- preparing the search ---------------------------------------------- */

static int cell_index(int x, int y, int z)
{
    return (x * box[1] + y) * box[2] + z;
}

static void add_shape(int kind, int a, int b, int c)
{
    struct shape *shape = &shapes[shape_count];
    int i, x, y, z;

    if (a > box[0] || b > box[1] || c > box[2])
        return;
    for (i = 0; i < shape_count; i++)
        if (shapes[i].kind == kind && shapes[i].extent[0] == a && shapes[i].extent[1] == b
            && shapes[i].extent[2] == c)
            return;
    shape->kind = kind;
    shape->extent[0] = a;
    shape->extent[1] = b;
    shape->extent[2] = c;
    shape->cells = 0;
    for (x = 0; x < a; x++)
        for (y = 0; y < b; y++)
            for (z = 0; z < c; z++)
                shape->offset[shape->cells++] = (short)cell_index(x, y, z);
    shape_count++;
}

static void add_orientations(int kind)
{
    const int *edge = kinds[kind].edge;

    add_shape(kind, edge[0], edge[1], edge[2]);
    add_shape(kind, edge[0], edge[2], edge[1]);
    add_shape(kind, edge[1], edge[0], edge[2]);
    add_shape(kind, edge[1], edge[2], edge[0]);
    add_shape(kind, edge[2], edge[0], edge[1]);
    add_shape(kind, edge[2], edge[1], edge[0]);
}

/* Returns whether the blocks have the volume of the box. */
static int prepare(void)
{
    long volume = 0;
    int i;

    cell_count = box[0] * box[1] * box[2];
    for (i = 0; i < kind_count; i++) {
        const int *edge = kinds[i].edge;

        if (edge[0] > MAX_EDGE || edge[1] > MAX_EDGE || edge[2] > MAX_EDGE)
            return 0;
        add_orientations(i);
        volume += (long)kinds[i].left * edge[0] * edge[1] * edge[2];
    }
    return cell_count > 0 && volume == cell_count;
}

/* ---- searching --------------------------------------------------------- */

static int fits(const struct shape *shape, int x, int y, int z)
{
    const short *first = cell_owner + cell_index(x, y, z);
    int i;

    if (x + shape->extent[0] > box[0] || y + shape->extent[1] > box[1]
        || z + shape->extent[2] > box[2])
        return 0;
    for (i = 0; i < shape->cells; i++)
        if (first[shape->offset[i]] != 0)
            return 0;
    return 1;
}

static void fill(const struct shape *shape, int cell, int owner)
{
    short *first = cell_owner + cell;
    int i;

    for (i = 0; i < shape->cells; i++)
        first[shape->offset[i]] = (short)owner;
}

static void draw_solution(void)
{
    int x, y, z;

    for (x = 0; x < box[0]; x++) {
        printf("layer %d:\n", x + 1);
        for (y = 0; y < box[1]; y++) {
            for (z = 0; z < box[2]; z++)
                printf(" %3d", cell_owner[cell_index(x, y, z)]);
            putchar('\n');
        }
    }
}

/* Fill the box from a cell on; returns whether to stop searching. */
static int search(int cell, int owner)
{
    int i, x, y, z;

    while (cell < cell_count && cell_owner[cell] != 0)
        cell++;
    if (cell == cell_count) {
        if (++solutions == 1 && !quiet)
            draw_solution();
        return solutions == max_solutions;
    }
    z = cell % box[2];
    y = cell / box[2] % box[1];
    x = cell / box[2] / box[1];
    for (i = 0; i < shape_count; i++) {
        const struct shape *shape = &shapes[i];
        int stop;

        if (kinds[shape->kind].left == 0 || !fits(shape, x, y, z))
            continue;
        trials++;
        kinds[shape->kind].left--;
        fill(shape, cell, owner);
        stop = search(cell + shape->extent[2], owner + 1);
        fill(shape, cell, 0);
        kinds[shape->kind].left++;
        if (stop)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        if (strcmp(argv[i], "-q") == 0) {
            quiet = 1;
        } else if (strcmp(argv[i], "-a") == 0) {
            max_solutions = 0;
        } else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) {
            char *end;

            max_solutions = strtoul(argv[++i], &end, 10);
            if (*end != '\0' || max_solutions == 0)
                usage();
        } else {
            usage();
        }
    }
    if (argc - i > 1)
        usage();
    if (i < argc)
        read_puzzle_file(argv[i]);
    else
        read_default_puzzle();

    if (!prepare()) {
        fprintf(stderr, "puzzle: the blocks do not have the volume of the box\n");
        return 1;
    }
    search(0, 1);
    printf("%lu solution%s after %lu trials\n", solutions, solutions == 1 ? "" : "s", trials);
    return solutions > 0 ? 0 : 1;
}
