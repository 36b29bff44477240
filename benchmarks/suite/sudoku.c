/* Solves number puzzles by sets of candidates in bits and by trying the square with the fewest. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQUARES 81
#define ALL 0x1ff

struct board {
    uint16_t rows[9], columns[9], boxes[9];
    int8_t values[SQUARES];
};

static long tried;

static int bits(unsigned set)
{
    int count = 0;

    for (; set; set &= set - 1)
        count++;
    return count;
}

static unsigned candidates(const struct board *board, int square)
{
    int row = square / 9, column = square % 9;

    return ALL & ~(unsigned)(board->rows[row] | board->columns[column] | board->boxes[row / 3 * 3 + column / 3]);
}

static void toggle(struct board *board, int square, int value)
{
    int row = square / 9, column = square % 9;
    uint16_t bit = (uint16_t)(1 << value);

    board->rows[row] ^= bit;
    board->columns[column] ^= bit;
    board->boxes[row / 3 * 3 + column / 3] ^= bit;
}

static int solve(struct board *board)
{
    int best = -1, fewest = 10;
    unsigned set = 0;

    tried++;
    for (int square = 0; square < SQUARES && fewest > 1; square++)
        if (board->values[square] < 0) {
            unsigned here = candidates(board, square);
            int count = bits(here);

            if (count < fewest) {
                fewest = count;
                best = square;
                set = here;
            }
        }
    if (best < 0)
        return 1;
    for (int value = 0; value < 9; value++) {
        if (!(set >> value & 1))
            continue;
        board->values[best] = (int8_t)value;
        toggle(board, best, value);
        if (solve(board))
            return 1;
        toggle(board, best, value);
    }
    board->values[best] = -1;
    return 0;
}

static void read_board(struct board *board, const char *text, int shift)
{
    memset(board, 0, sizeof *board);
    for (int i = 0; i < SQUARES; i++) {
        board->values[i] = (int8_t)(text[i] == '.' ? -1 : (text[i] - '1' + shift) % 9);
        if (board->values[i] >= 0)
            toggle(board, i, board->values[i]);
    }
}

int main(int argc, char **argv)
{
    static const char *const puzzles[] = {
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    };
    int most = argc > 1 ? atoi(argv[1]) : 2;
    uint32_t sum = 0;

    for (int p = 0; p < 4 && p < most; p++)
        for (int shift = 0; shift < 3; shift++) {
            struct board board;

            read_board(&board, puzzles[p], shift * 2);
            tried = 0;
            if (!solve(&board))
                printf("no solution\n");
            for (int i = 0; i < SQUARES; i++)
                sum = sum * 31 + (uint32_t)board.values[i] + 1;
            printf("%ld%c", tried, shift == 2 ? '\n' : ' ');
        }
    printf("%08lx\n", (unsigned long)sum);
    return 0;
}
