/* Regular expressions: compiled into a program for a machine of many threads, which is run over lines of text. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { LETTER, ANY, RANGE, SPLIT, JUMP, MATCH };

struct step {
    enum kind kind;
    unsigned char low, high;
    int first, second;
};

#define MOST 128

static struct step program[MOST];
static int length;
static const char *pattern;
static int current[MOST], following[MOST], mark[MOST], marks;

static int emit(enum kind kind, int low, int high)
{
    program[length].kind = kind;
    program[length].low = (unsigned char)low;
    program[length].high = (unsigned char)high;
    return length++;
}

static void insert(int place, enum kind kind)
{
    memmove(program + place + 1, program + place, (size_t)(length - place) * sizeof *program);
    length++;
    for (int i = place + 1; i < length; i++) {
        program[i].first += program[i].first >= place;
        program[i].second += program[i].second >= place;
    }
    program[place].kind = kind;
}

static void alternatives(void);

static void atom(void)
{
    if (*pattern == '(') {
        pattern++;
        alternatives();
        pattern++;
    } else if (*pattern == '[') {
        emit(RANGE, pattern[1], pattern[3]);
        pattern += 5;
    } else
        emit(*pattern == '.' ? ANY : LETTER, *pattern, 0), pattern++;
}

static void repeated(void)
{
    int start = length;

    atom();
    if (*pattern == '*' || *pattern == '?') {
        insert(start, SPLIT);
        program[start].first = start + 1;
        if (*pattern == '*')
            program[emit(JUMP, 0, 0)].first = start;
        program[start].second = length;
        pattern++;
    } else if (*pattern == '+') {
        int split = emit(SPLIT, 0, 0);

        program[split].first = start;
        program[split].second = length;
        pattern++;
    }
}

static void alternatives(void)
{
    int start = length;

    while (*pattern && *pattern != '|' && *pattern != ')')
        repeated();
    if (*pattern == '|') {
        int jump;

        insert(start, SPLIT);
        jump = emit(JUMP, 0, 0);
        program[start].first = start + 1;
        program[start].second = length;
        pattern++;
        alternatives();
        program[jump].first = length;
    }
}

/* Adds a step and those that it leads to without reading; returns how many there are then. */
static int add(int *list, int count, int step)
{
    if (mark[step] == marks)
        return count;
    mark[step] = marks;
    switch (program[step].kind) {
    case JUMP:
        return add(list, count, program[step].first);
    case SPLIT:
        return add(list, add(list, count, program[step].first), program[step].second);
    default:
        list[count] = step;
        return count + 1;
    }
}

static int matches_here(const char *text, int *end)
{
    int count, found = 0, *now = current, *next = following, *other;

    marks++;
    count = add(now, 0, 0);
    for (int place = 0; count; place++) {
        int more = 0, letter = (unsigned char)text[place];

        marks++;
        for (int i = 0; i < count; i++) {
            const struct step *step = program + now[i];

            switch (step->kind) {
            case LETTER:
                if (step->low == letter)
                    more = add(next, more, now[i] + 1);
                break;
            case ANY:
                if (letter)
                    more = add(next, more, now[i] + 1);
                break;
            case RANGE:
                if (step->low <= letter && letter <= step->high)
                    more = add(next, more, now[i] + 1);
                break;
            default:
                found = 1;
                *end = place;
                break;
            }
        }
        other = now, now = next, next = other;
        count = letter ? more : 0;
    }
    return found;
}

static void compile(const char *text)
{
    pattern = text;
    length = 0;
    memset(program, 0, sizeof program);
    alternatives();
    emit(MATCH, 0, 0);
}

int main(int argc, char **argv)
{
    static const char *const patterns[] = {"ab*c", "(a|b)+c?d", "[a-c]+[x-z]", "(ab|ba)(cd|dc)*", "a.*z", "((a|b)*c)+d"};
    int lines = argc > 1 ? atoi(argv[1]) : 40;
    unsigned long seed = 7, sum = 0;
    char line[64];

    for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        int hits = 0;

        compile(patterns[p]);
        for (int n = 0; n < lines; n++) {
            for (int i = 0; i < 63; i++) {
                seed = (seed * 1103515245ul + 12345) & 0x7fffffff;
                line[i] = "abcdabcabxyz"[(seed >> 16) % 12];
            }
            line[63] = 0;
            for (int i = 0, end = 0; i < 63; i++)
                if (matches_here(line + i, &end)) {
                    hits++;
                    sum = (sum * 33 + (unsigned long)(i + end)) & 0xffffffff;
                }
        }
        printf("%s: %d\n", patterns[p], hits);
    }
    printf("%08lx\n", sum);
    return 0;
}
