/* random, srandom and their states: the additive generator r[i] = r[i - 3] + r[i - 31] of BSD, or a smaller one, by the
   bytes of the state that is given.  rand_r */

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* A state: what the generator is, where it stands, its words. */
struct generator {
    unsigned char degree, separation, front, rear;
    uint32_t words[63];
};

#define ROOM(degree) (4 + 4 * (size_t)(degree))

static const struct {
    unsigned char degree, separation;
} kinds[] = {{63, 1}, {31, 3}, {15, 1}, {7, 3}, {0, 0}}; /* of BSD; the last is linear congruential */

static struct generator own;
static struct generator *used = &own;

static uint32_t step(struct generator *g)
{
    uint32_t value;

    if (g->degree == 0)
        return g->words[0] = (g->words[0] * 1103515245 + 12345) & 0x7fffffff;
    value = g->words[g->front] += g->words[g->rear];
    g->front = g->front + 1 == g->degree ? 0 : g->front + 1;
    g->rear = g->rear + 1 == g->degree ? 0 : g->rear + 1;
    return value >> 1;
}

static void seed_with(struct generator *g, unsigned seed)
{
    int32_t word = seed ? (int32_t)seed : 1;
    int i;

    g->words[0] = (uint32_t)word;
    for (i = 1; i < g->degree; i++) {
        word = (int32_t)(16807L * (word % 127773) - 2836L * (word / 127773));
        if (word < 0)
            word += 2147483647;
        g->words[i] = (uint32_t)word;
    }
    g->front = g->separation;
    g->rear = 0;
    for (i = 0; i < 10 * g->degree; i++)
        step(g);
}

/* Makes a generator of the largest kind for which there is room; 0, and EINVAL, if there is room for none. */
static int make(struct generator *g, unsigned seed, size_t size)
{
    unsigned kind = 0, last = sizeof kinds / sizeof *kinds - 1;

    if (size < 8) {
        errno = EINVAL;
        return 0;
    }
    while (kind < last && size < ROOM(kinds[kind].degree))
        kind++;
    g->degree = kinds[kind].degree;
    g->separation = kinds[kind].separation;
    seed_with(g, seed);
    return 1;
}

static void begin(void)
{
    if (used == &own && own.degree == 0)
        make(&own, 1, ROOM(31));
}

void srandom(unsigned seed)
{
    begin();
    seed_with(used, seed);
}

long random(void)
{
    begin();
    return (long)step(used);
}

char *initstate(unsigned seed, char *state, size_t size)
{
    struct generator *old = used;

    begin();
    if (!make((struct generator *)state, seed, size))
        return NULL;
    used = (struct generator *)state;
    return (char *)old;
}

char *setstate(char *state)
{
    struct generator *old = used;

    begin();
    used = (struct generator *)state;
    return (char *)old;
}

int initstate_r(unsigned seed, char *state, size_t size, struct random_data *data)
{
    data->state = state;
    return make((struct generator *)state, seed, size) ? 0 : -1;
}

int setstate_r(char *state, struct random_data *data)
{
    data->state = state;
    return 0;
}

int srandom_r(unsigned seed, struct random_data *data)
{
    seed_with(data->state, seed);
    return 0;
}

int random_r(struct random_data *data, int32_t *result)
{
    *result = (int32_t)step(data->state);
    return 0;
}

/* Bits of three numbers of the generator that the C standard shows, as in glibc. */
int rand_r(unsigned *seed)
{
    uint32_t next = (uint32_t)*seed, result = 0;
    int i;

    for (i = 0; i < 3; i++) {
        next = next * 1103515245 + 12345;
        result = result << 10 ^ (next >> 16 & (i == 0 ? 2047 : 1023));
    }
    *seed = (unsigned)next;
    return (int)(result & RAND_MAX);
}
