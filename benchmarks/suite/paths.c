/* Shortest paths through a map: Dijkstra with a heap that knows places, and all pairs after Floyd on a small one. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 24
#define PLACES (SIDE * SIDE)
#define SMALL 24
#define FAR 0x3fffffff

struct edge {
    int16_t to, cost;
};

static struct edge edges[PLACES][5];
static int8_t edge_count[PLACES];
static int distance[PLACES], heap[PLACES], where[PLACES], size;
static int table[SMALL][SMALL];

static void sift_up(int place)
{
    int node = heap[place];

    while (place > 0 && distance[heap[(place - 1) / 2]] > distance[node]) {
        heap[place] = heap[(place - 1) / 2];
        where[heap[place]] = place;
        place = (place - 1) / 2;
    }
    heap[place] = node;
    where[node] = place;
}

static int nearest(void)
{
    int top = heap[0], node = heap[--size], place = 0;

    for (;;) {
        int child = 2 * place + 1;

        if (child >= size)
            break;
        if (child + 1 < size && distance[heap[child + 1]] < distance[heap[child]])
            child++;
        if (distance[heap[child]] >= distance[node])
            break;
        heap[place] = heap[child];
        where[heap[place]] = place;
        place = child;
    }
    heap[place] = node;
    where[node] = place;
    where[top] = -1;
    return top;
}

static void dijkstra(int from)
{
    for (int i = 0; i < PLACES; i++) {
        distance[i] = FAR;
        where[i] = -2;
    }
    distance[from] = 0;
    heap[0] = from;
    size = 1;
    where[from] = 0;
    while (size) {
        int node = nearest();

        for (int i = 0; i < edge_count[node]; i++) {
            const struct edge *edge = &edges[node][i];
            int way = distance[node] + edge->cost;

            if (way >= distance[edge->to])
                continue;
            distance[edge->to] = way;
            if (where[edge->to] < 0)
                where[edge->to] = size++;
            heap[where[edge->to]] = edge->to;
            sift_up(where[edge->to]);
        }
    }
}

static void connect(int from, int to, int cost)
{
    struct edge *edge = &edges[from][edge_count[from]++];

    edge->to = (int16_t)to;
    edge->cost = (int16_t)cost;
}

static void floyd(void)
{
    for (int k = 0; k < SMALL; k++)
        for (int i = 0; i < SMALL; i++)
            for (int j = 0; j < SMALL; j++)
                if (table[i][k] + table[k][j] < table[i][j])
                    table[i][j] = table[i][k] + table[k][j];
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 4;
    uint32_t seed = 47, sum = 0;

    for (int i = 0; i < PLACES; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (i % SIDE < SIDE - 1)
            connect(i, i + 1, 1 + (int)(seed >> 26));
        if (i % SIDE)
            connect(i, i - 1, 1 + (int)(seed >> 20 & 63));
        if (i / SIDE < SIDE - 1)
            connect(i, i + SIDE, 1 + (int)(seed >> 14 & 63));
        if (i >= SIDE)
            connect(i, i - SIDE, 1 + (int)(seed >> 8 & 63));
        if (seed >> 29 == 0)
            connect(i, (int)(seed >> 10) % PLACES, 5);
    }
    for (int round = 0; round < rounds; round++) {
        int far = 0;

        dijkstra(round * 37 % PLACES);
        for (int i = 0; i < PLACES; i++) {
            sum = sum * 31 + (uint32_t)distance[i];
            far = distance[i] > far ? distance[i] : far;
        }
        for (int i = 0; i < SMALL; i++)
            for (int j = 0; j < SMALL; j++)
                table[i][j] = i == j ? 0 : distance[i * SMALL + j] + 3 * ((i ^ j) & 7);
        floyd();
        for (int i = 0; i < SMALL; i++)
            sum = sum * 31 + (uint32_t)table[i][SMALL - 1 - i];
        printf("%d%c", far, round + 1 < rounds ? ' ' : '\n');
    }
    printf("%08lx\n", (unsigned long)sum);
    return 0;
}
