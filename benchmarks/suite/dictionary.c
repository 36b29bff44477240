/* A hash table of strings with open addressing, deletion without marks, and growth. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *key;
    uint32_t hash;
    int value;
};

struct table {
    struct entry *entries;
    uint32_t mask, used;
};

static uint32_t hash_of(const char *key)
{
    uint32_t hash = 2166136261u;

    while (*key)
        hash = (hash ^ (unsigned char)*key++) * 16777619u;
    return hash;
}

static void initialise(struct table *table, uint32_t size)
{
    table->entries = calloc(size, sizeof *table->entries);
    table->mask = size - 1;
    table->used = 0;
}

static uint32_t place_of(const struct table *table, const char *key, uint32_t hash)
{
    uint32_t place = hash & table->mask;

    while (table->entries[place].key != NULL) {
        if (table->entries[place].hash == hash && strcmp(table->entries[place].key, key) == 0)
            break;
        place = (place + 1) & table->mask;
    }
    return place;
}

static void grow(struct table *table)
{
    struct table larger;

    initialise(&larger, 2 * (table->mask + 1));
    for (uint32_t i = 0; i <= table->mask; i++)
        if (table->entries[i].key != NULL)
            larger.entries[place_of(&larger, table->entries[i].key, table->entries[i].hash)] = table->entries[i];
    larger.used = table->used;
    free(table->entries);
    *table = larger;
}

static int *value_of(struct table *table, const char *key)
{
    uint32_t hash = hash_of(key), place = place_of(table, key, hash);

    if (table->entries[place].key == NULL) {
        if (++table->used * 4 > (table->mask + 1) * 3) {
            grow(table);
            place = place_of(table, key, hash);
        }
        table->entries[place].key = malloc(strlen(key) + 1);
        strcpy(table->entries[place].key, key);
        table->entries[place].hash = hash;
        table->entries[place].value = 0;
    }
    return &table->entries[place].value;
}

/* Takes an entry out, and moves those behind it that could not be found any more. */
static int removed(struct table *table, const char *key)
{
    uint32_t hole = place_of(table, key, hash_of(key)), place = hole;

    if (table->entries[hole].key == NULL)
        return 0;
    free(table->entries[hole].key);
    for (;;) {
        uint32_t home;

        table->entries[hole].key = NULL;
        do {
            place = (place + 1) & table->mask;
            if (table->entries[place].key == NULL) {
                table->used--;
                return 1;
            }
            home = table->entries[place].hash & table->mask;
        } while (((place - home) & table->mask) < ((place - hole) & table->mask));
        table->entries[hole] = table->entries[place];
        hole = place;
    }
}

static void spell(char *key, unsigned number)
{
    static const char *const parts[] = {"ka", "lo", "mi", "ne", "pu", "ri", "so", "ta"};

    *key = 0;
    do {
        strcat(key, parts[number % 8]);
        number /= 8;
    } while (number);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 3000;
    struct table table;
    uint32_t seed = 11, sum = 0, gone = 0;
    char key[32];

    initialise(&table, 16);
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        spell(key, (seed >> 16) % (unsigned)(count / 3 + 1));
        if ((seed >> 12) % 4 == 0)
            gone += (uint32_t)removed(&table, key);
        else
            *value_of(&table, key) += i;
    }
    for (uint32_t i = 0; i <= table.mask; i++)
        if (table.entries[i].key != NULL)
            sum = sum * 31 + (uint32_t)table.entries[i].value + table.entries[i].hash;
    printf("%lu of %lu places, %lu removed, %08lx\n", (unsigned long)table.used, (unsigned long)table.mask + 1,
           (unsigned long)gone, (unsigned long)sum);
    return 0;
}
