/* Huffman coding of a made-up text: a heap, canonical codes, writing and reading of single bits. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOLS 64
#define NODES (2 * SYMBOLS)
#define LONGEST 32

static uint32_t weight[NODES];
static int parent[NODES], heap[NODES], size;
static uint32_t codes[SYMBOLS];
static int lengths[SYMBOLS], of_length[LONGEST + 1], ordered[SYMBOLS];

static int before(int a, int b)
{
    return weight[a] < weight[b] || (weight[a] == weight[b] && a < b);
}

static void push(int node)
{
    int place = size++;

    while (place > 0 && before(node, heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = node;
}

static int pop(void)
{
    int top = heap[0], last = heap[--size], place = 0;

    for (;;) {
        int child = 2 * place + 1;

        if (child + 1 < size && before(heap[child + 1], heap[child]))
            child++;
        if (child >= size || !before(heap[child], last))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = last;
    return top;
}

static void find_lengths(const uint8_t *text, int count)
{
    int next = SYMBOLS;

    memset(weight, 0, sizeof weight);
    memset(of_length, 0, sizeof of_length);
    for (int i = 0; i < count; i++)
        weight[text[i]]++;
    size = 0;
    for (int i = 0; i < SYMBOLS; i++)
        if (weight[i])
            push(i);
    while (size > 1) {
        int a = pop(), b = pop();

        weight[next] = weight[a] + weight[b];
        parent[a] = parent[b] = next;
        push(next++);
    }
    parent[heap[0]] = -1;
    for (int i = 0; i < SYMBOLS; i++) {
        lengths[i] = 0;
        for (int node = i; weight[i] && parent[node] >= 0; node = parent[node])
            lengths[i]++;
        of_length[lengths[i]]++;
    }
    of_length[0] = 0;
}

static void assign_codes(void)
{
    uint32_t code = 0;
    int place = 0;

    for (int length = 1; length <= LONGEST; length++) {
        for (int i = 0; i < SYMBOLS; i++)
            if (lengths[i] == length) {
                codes[i] = code++;
                ordered[place++] = i;
            }
        code <<= 1;
    }
}

static int encode(const uint8_t *text, int count, uint8_t *out)
{
    uint32_t bits = 0;
    int held = 0, written = 0;

    for (int i = 0; i < count; i++) {
        int length = lengths[text[i]];

        for (int bit = length - 1; bit >= 0; bit--) {
            bits = bits << 1 | (codes[text[i]] >> bit & 1);
            if (++held == 8) {
                out[written++] = (uint8_t)bits;
                held = 0;
            }
        }
    }
    if (held)
        out[written++] = (uint8_t)(bits << (8 - held));
    return written;
}

static void decode(const uint8_t *in, uint8_t *text, int count)
{
    int position = 0;

    for (int i = 0; i < count; i++) {
        uint32_t code = 0, first = 0;
        int place = 0;

        for (int length = 1;; length++) {
            code |= in[position / 8] >> (7 - position % 8) & 1;
            position++;
            if (code - first < (uint32_t)of_length[length]) {
                text[i] = (uint8_t)ordered[place + (int)(code - first)];
                break;
            }
            place += of_length[length];
            first = (first + (uint32_t)of_length[length]) << 1;
            code <<= 1;
        }
    }
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 5000, written = 0, wrong = 0;
    uint8_t *text = malloc((size_t)count), *coded = malloc((size_t)count), *back = malloc((size_t)count);
    uint32_t seed = 1, sum = 0;

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < count; i++) {
            seed = seed * 1664525u + 1013904223u;
            text[i] = (uint8_t)((seed >> 26) & (seed >> 20) & (SYMBOLS - 1));
        }
        find_lengths(text, count);
        assign_codes();
        written = encode(text, count, coded);
        decode(coded, back, count);
        wrong += memcmp(text, back, (size_t)count) != 0;
        for (int i = 0; i < written; i++)
            sum = sum * 31 + coded[i];
    }
    printf("%d %d %08lx %d wrong\n", count, written, (unsigned long)sum, wrong);
    free(text);
    free(coded);
    free(back);
    return wrong;
}
