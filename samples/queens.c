/*
 * queens - place N queens on an N x N board so that none attacks another.
 *
 * Counts all solutions by backtracking, one column at a time, and shows the
 * first board found (or every board with -a, or none with -q).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE 8
#define MAX_SIZE 16 /* 14,772,512 solutions: fits any counter */

enum show { SHOW_NONE, SHOW_FIRST, SHOW_ALL };

static int size;                        /* queens, rows and columns */
static int row_of[MAX_SIZE];            /* row of the queen in each column */
static char row_taken[MAX_SIZE];
static char rising_taken[2 * MAX_SIZE]; /* diagonals of equal row + column */
static char falling_taken[2 * MAX_SIZE]; /* of equal row - column, shifted */
static unsigned long solutions;
static unsigned long placements;
static enum show show = SHOW_FIRST;

static void usage(void)
{
    fprintf(stderr, "usage: queens [-a | -q] [N]   (1 <= N <= %d, default %d)\n",
            MAX_SIZE, DEFAULT_SIZE);
    exit(2);
}

static void print_board(void)
{
    char line[2 * MAX_SIZE + 1];
    int row, column;

    printf("solution %lu:\n", solutions);
    for (row = 0; row < size; row++) {
        for (column = 0; column < size; column++) {
            line[2 * column] = row_of[column] == row ? 'Q' : '.';
            line[2 * column + 1] = ' ';
        }
        line[2 * size - 1] = '\0';
        puts(line);
    }
}

static void found_solution(void)
{
    solutions++;
    if (show == SHOW_ALL || (show == SHOW_FIRST && solutions == 1))
        print_board();
}

static int is_safe(int row, int column)
{
    return !row_taken[row] && !rising_taken[row + column]
        && !falling_taken[row - column + size];
}

static void mark(int row, int column, char taken)
{
    row_taken[row] = taken;
    rising_taken[row + column] = taken;
    falling_taken[row - column + size] = taken;
}

/* Fill this column and all to its right in every possible way. */
static void place_from(int column)
{
    int row;

    if (column == size) {
        found_solution();
        return;
    }
    for (row = 0; row < size; row++) {
        if (!is_safe(row, column))
            continue;
        placements++;
        row_of[column] = row;
        mark(row, column, 1);
        place_from(column + 1);
        mark(row, column, 0);
    }
}

static int parse_size(const char *text)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < 1 || value > MAX_SIZE) {
        fprintf(stderr, "queens: bad board size '%s'\n", text);
        usage();
    }
    return (int)value;
}

int main(int argc, char **argv)
{
    int i;

    size = DEFAULT_SIZE;
    for (i = 1; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-a") == 0)
            show = SHOW_ALL;
        else if (strcmp(argv[i], "-q") == 0)
            show = SHOW_NONE;
        else
            usage();
    }
    if (i < argc)
        size = parse_size(argv[i++]);
    if (i < argc)
        usage();

    place_from(0);
    printf("%d queens: %lu solution%s, %lu placements tried\n",
           size, solutions, solutions == 1 ? "" : "s", placements);
    return 0;
}
