/* regexec: all ways through the program at once, a thread for each; of threads at one place the better one stays.  With
   back references, one way after the other. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "regex.h"

#define NOWHERE (-1L)

struct text {
    const struct _expression *expression;
    const char *start, *end;
    int flags;   /* of regexec */
    int places;  /* that threads remember */
};

/* Threads at one position: for each place of the program the number of its thread in the list, if it has one. */
struct threads {
    int *list, *where;
    long *places;
    int count;
};

static int is_word(const struct text *t, const char *at)
{
    return at >= t->start && at < t->end && (isalnum((unsigned char)*at) || *at == '_');
}

/* Whether the condition of an instruction holds at a position. */
static int holds(const struct text *t, int operation, const char *at)
{
    int before = is_word(t, at - 1), after = is_word(t, at);
    int lines = t->expression->flags & REG_NEWLINE;

    switch (operation) {
    case LINE_BEGIN: return at == t->start ? !(t->flags & REG_NOTBOL) : lines && at[-1] == '\n';
    case LINE_END: return at == t->end ? !(t->flags & REG_NOTEOL) : lines && *at == '\n';
    case TEXT_BEGIN: return at == t->start;
    case TEXT_END: return at == t->end;
    case WORD_BEGIN: return !before && after;
    case WORD_END: return before && !after;
    case WORD_EDGE: return before != after;
    default: return before == after;
    }
}

static int fits(const struct text *t, const struct instruction *code, const char *at)
{
    int c = (unsigned char)*at;

    if (at >= t->end)
        return 0;
    switch (code->operation) {
    case ONE_CHARACTER: return (t->expression->flags & REG_ICASE ? tolower(c) : c) == code->argument;
    case ANY_CHARACTER: return c != '\n' || !(t->expression->flags & REG_NEWLINE);
    default: return CONTAINS(t->expression->sets[code->argument], c);
    }
}

/* Whether the groups of `a` are to be preferred: the first that differs begins earlier, or ends later. */
static int is_better(const long *a, const long *b, int places)
{
    int i;

    for (i = 0; i < places; i += 2) {
        if (a[i] != b[i])
            return b[i] == NOWHERE || (a[i] != NOWHERE && a[i] < b[i]);
        if (a[i + 1] != b[i + 1])
            return a[i + 1] > b[i + 1];
    }
    return 0;
}

/* Adds a thread, and those that it becomes without reading a character. */
static void add_thread(const struct text *t, struct threads *to, int pc, const char *at, long *places)
{
    const struct instruction *code = t->expression->code + pc;
    long old;
    int number = to->where[pc];

    if (number < 0) {
        number = to->where[pc] = to->count++;
        to->list[number] = pc;
    } else if (!is_better(places, to->places + number * t->places, t->places))
        return;
    memcpy(to->places + number * t->places, places, t->places * sizeof *places);
    switch (code->operation) {
    case JUMP:
        add_thread(t, to, pc + code->argument, at, places);
        break;
    case SPLIT:
        add_thread(t, to, pc + 1, at, places);
        add_thread(t, to, pc + code->argument, at, places);
        break;
    case SAVE:
        if (code->argument >= t->places) {
            add_thread(t, to, pc + 1, at, places);
            break;
        }
        old = places[code->argument];
        places[code->argument] = at - t->start;
        add_thread(t, to, pc + 1, at, places);
        places[code->argument] = old;
        break;
    case ONE_CHARACTER:
    case ANY_CHARACTER:
    case IN_SET:
    case FOUND:
        break;
    default:
        if (holds(t, code->operation, at))
            add_thread(t, to, pc + 1, at, places);
    }
}

static void clear(struct threads *threads, int size)
{
    int i;

    for (i = 0; i < size; i++)
        threads->where[i] = -1;
    threads->count = 0;
}

/* Finds the longest of the leftmost matches; its places go to `best`. */
static int run_threads(const struct text *t, struct threads *now, struct threads *next, long *best)
{
    int size = t->expression->size, found = 0, i;
    const char *at;

    clear(now, size);
    for (at = t->start; ; at++) {
        struct threads *other = now;

        if (!found) {
            long *places = best; /* not used yet */

            for (i = 0; i < t->places; i++)
                places[i] = NOWHERE;
            places[0] = at - t->start;
            if (now->count == 0 || now->where[0] < 0)
                add_thread(t, now, 0, at, places);
        }
        clear(next, size);
        for (i = 0; i < now->count; i++) {
            const struct instruction *code = t->expression->code + now->list[i];
            long *places = now->places + i * t->places;

            if (code->operation == FOUND) {
                places[1] = at - t->start;
                if (!found || is_better(places, best, t->places))
                    memcpy(best, places, t->places * sizeof *best);
                found = 1;
            }
        }
        for (i = 0; i < now->count; i++) {
            const struct instruction *code = t->expression->code + now->list[i];
            long *places = now->places + i * t->places;

            if (code->operation <= IN_SET && (!found || places[0] <= best[0]) && fits(t, code, at))
                add_thread(t, next, now->list[i] + 1, at + 1, places);
        }
        if (at == t->end || (found && next->count == 0))
            return found;
        now = next;
        next = other;
    }
}

/* One way after the other from an instruction on; keeps the best in `best`.  `entered` are the positions at which loops
   were entered last, so that none goes on without reading. */
static int try_ways(const struct text *t, int pc, const char *at, long *places, const char **entered, long *best)
{
    for (;; pc++) {
        const struct instruction *code = t->expression->code + pc;
        int found = 0;
        long old;

        switch (code->operation) {
        case FOUND:
            places[1] = at - t->start;
            if (best[1] == NOWHERE || is_better(places, best, t->places))
                memcpy(best, places, t->places * sizeof *best);
            return 1;
        case ONE_CHARACTER:
        case ANY_CHARACTER:
        case IN_SET:
            if (!fits(t, code, at))
                return 0;
            at++;
            break;
        case JUMP:
            pc += code->argument - 1;
            break;
        case SPLIT:
            if (entered[pc] != at) {
                const char *before = entered[pc];

                entered[pc] = at;
                found = try_ways(t, pc + 1, at, places, entered, best);
                entered[pc] = before;
            }
            return try_ways(t, pc + code->argument, at, places, entered, best) || found;
        case SAVE:
            old = places[code->argument];
            places[code->argument] = at - t->start;
            found = try_ways(t, pc + 1, at, places, entered, best);
            places[code->argument] = old;
            return found;
        case SAME_AGAIN: {
            long from = places[2 * code->argument], length = places[2 * code->argument + 1] - from, i;

            if (from == NOWHERE || length < 0 || length > t->end - at)
                return 0;
            for (i = 0; i < length; i++) {
                int a = (unsigned char)t->start[from + i], b = (unsigned char)at[i];

                if (a != b && !(t->expression->flags & REG_ICASE && tolower(a) == tolower(b)))
                    return 0;
            }
            at += length;
            break;
        }
        default:
            if (!holds(t, code->operation, at))
                return 0;
        }
    }
}

static int run_ways(const struct text *t, long *places, const char **entered, long *best)
{
    const char *at;
    int i;

    for (at = t->start; at <= t->end; at++) {
        for (i = 0; i < t->expression->size; i++)
            entered[i] = NULL;
        for (i = 0; i < t->places; i++)
            places[i] = best[i] = NOWHERE;
        places[0] = at - t->start;
        if (try_ways(t, 0, at, places, entered, best))
            return 1;
    }
    return 0;
}

int regexec(const regex_t *pattern, const char *string, size_t count, regmatch_t *matches, int flags)
{
    struct text t;
    struct threads now, next;
    int size = pattern->_compiled->size, found;
    long from = 0, *best;
    size_t i;
    char *memory;

    t.expression = pattern->_compiled;
    t.flags = flags;
    t.start = string;
    t.end = string + strlen(string);
    if (flags & REG_STARTEND) {
        from = matches->rm_so;
        t.start = string + from;
        t.end = string + matches->rm_eo;
    }
    if (t.expression->flags & REG_NOSUB)
        count = 0;
    t.places = t.expression->has_references || count > 1 ? 2 * t.expression->groups + 2 : 2;
    memory = malloc((2 * size + 1) * t.places * sizeof(long) + 4 * size * sizeof(int) + size * sizeof(char *));
    if (memory == NULL)
        return REG_ESPACE;
    best = (long *)memory;
    now.places = best + t.places;
    next.places = now.places + size * t.places;
    now.list = (int *)(next.places + size * t.places);
    now.where = now.list + size;
    next.list = now.where + size;
    next.where = next.list + size;
    if (t.expression->has_references)
        found = run_ways(&t, now.places, (const char **)(void *)next.places, best);
    else
        found = run_threads(&t, &now, &next, best);
    for (i = 0; found && i < count; i++) {
        int known = 2 * i + 1 < (size_t)t.places && best[2 * i] != NOWHERE && best[2 * i + 1] != NOWHERE;

        matches[i].rm_so = known ? best[2 * i] + from : -1;
        matches[i].rm_eo = known ? best[2 * i + 1] + from : -1;
    }
    free(memory);
    return found ? 0 : REG_NOMATCH;
}
