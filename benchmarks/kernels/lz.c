/*
 * lz - compresses a text by references to its last 4,096 bytes, expands it again and compares.
 *
 * usage: lz [BYTES]
 *
 * Earlier occurrences are found by chains of positions whose next three bytes have the same hash.  A control byte is
 * followed by eight items: a byte as it is, or two bytes with a distance (12 bits) and a length (4 bits).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 4096
#define SHORTEST 3
#define LONGEST (SHORTEST + 15)
#define HASHES 2048
#define DEPTH 16 /* how many earlier positions are tried */

static int32_t head[HASHES], previous[WINDOW];
static uint32_t state = 3;

static uint32_t below(uint32_t limit)
{
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (state >> 16) % limit;
}

/* Words from a small vocabulary, with digits here and there. */
static void make_text(unsigned char *text, int size)
{
    static const char *const vocabulary[] = {
        "while ", "return ", "register ", "memory ", "of the ", "cache ", "and ", "line ", "counter ", "block ",
        "loop ", "is ", "a ", "in ", "branch ", "taken ", ", ", ". ", "\n", "instruction "
    };
    int at = 0;

    while (at < size) {
        const char *word = vocabulary[below(20)];

        if (below(12) == 0)
            text[at++] = (unsigned char)('0' + below(10));
        for (; *word != '\0' && at < size; word++)
            text[at++] = (unsigned char)*word;
    }
}

static uint32_t hash_at(const unsigned char *text)
{
    return ((uint32_t)text[0] << 7 ^ (uint32_t)text[1] << 4 ^ (uint32_t)text[2]) & (HASHES - 1);
}

static void enter(const unsigned char *text, int at)
{
    uint32_t hash = hash_at(text + at);

    previous[at % WINDOW] = head[hash];
    head[hash] = at;
}

/* Finds the longest match of the text at a position; returns its length, 0 if it is too short. */
static int longest_match(const unsigned char *text, int at, int size, int *distance)
{
    int best = SHORTEST - 1, limit = size - at < LONGEST ? size - at : LONGEST;
    int32_t candidate = head[hash_at(text + at)];

    for (int tries = DEPTH; tries > 0 && candidate >= 0 && at - candidate < WINDOW; tries--) {
        int length = 0;

        while (length < limit && text[candidate + length] == text[at + length])
            length++;
        if (length > best) {
            best = length;
            *distance = (int)(at - candidate);
        }
        candidate = previous[candidate % WINDOW];
    }
    return best < SHORTEST ? 0 : best;
}

static int compress(const unsigned char *text, int size, unsigned char *packed)
{
    int used = 0, control = 0, items = 8;

    for (int i = 0; i < HASHES; i++)
        head[i] = -1;
    for (int at = 0; at < size;) {
        int distance = 0, length = at + SHORTEST <= size ? longest_match(text, at, size, &distance) : 0;

        if (items == 8) {
            control = used++;
            packed[control] = 0;
            items = 0;
        }
        if (length > 0) {
            packed[control] = (unsigned char)(packed[control] | 1 << items);
            packed[used++] = (unsigned char)(distance & 255);
            packed[used++] = (unsigned char)(distance >> 8 << 4 | (length - SHORTEST));
        } else {
            packed[used++] = text[at];
            length = 1;
        }
        items++;
        for (; length > 0; length--, at++)
            if (at + SHORTEST <= size)
                enter(text, at);
    }
    return used;
}

static int expand(const unsigned char *packed, int used, unsigned char *text)
{
    int size = 0;

    for (int at = 0; at < used;) {
        int control = packed[at++];

        for (int item = 0; item < 8 && at < used; item++, control >>= 1)
            if (control & 1) {
                int distance = packed[at] | (packed[at + 1] >> 4) << 8, length = (packed[at + 1] & 15) + SHORTEST;

                at += 2;
                for (; length > 0; length--, size++)
                    text[size] = text[size - distance];
            } else {
                text[size++] = packed[at++];
            }
    }
    return size;
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 4000, used, again;
    unsigned char *text = malloc((size_t)size + 1);
    unsigned char *packed = malloc((size_t)size * 9 / 8 + 2), *copy = malloc((size_t)size + LONGEST);
    uint32_t sum = 0;

    if (text == NULL || packed == NULL || copy == NULL || size < 1)
        return 1;
    make_text(text, size);
    used = compress(text, size, packed);
    again = expand(packed, used, copy);
    for (int i = 0; i < used; i++)
        sum = (sum << 5 ^ sum >> 27) + packed[i];
    printf("lz %d: %d bytes, %08lx, %s\n", size, used, (unsigned long)sum,
           again == size && memcmp(text, copy, (size_t)size) == 0 ? "restored" : "damaged");
    return 0;
}
