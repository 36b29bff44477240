/*
 * words - counts words of a pseudo-random text in a chained hash table that grows.
 *
 * usage: words [COUNT]   how many words
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 16

struct word {
    struct word *next;
    uint32_t hash;
    int32_t count;
    char text[LONGEST];
};

static struct word **table;
static uint32_t buckets = 64, distinct;
static uint32_t state = 7;

static uint32_t below(uint32_t limit)
{
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (state >> 16) % limit;
}

/* Of one to four syllables; short words are frequent. */
static int make_word(char *text)
{
    static const char consonants[] = "bdfghklmnprstvwz", vowels[] = "aeiou";
    int length = 0, syllables = 1 + (int)(below(4) / 3 + below(8) / 7 * below(3));

    for (int i = 0; i < syllables; i++) {
        text[length++] = consonants[below(16)];
        text[length++] = vowels[below(5)];
    }
    if (below(3) == 0)
        text[length++] = 's';
    text[length] = '\0';
    return length;
}

static uint32_t hash_of(const char *text)
{
    uint32_t hash = UINT32_C(2166136261);

    for (; *text != '\0'; text++)
        hash = (hash ^ (uint32_t)(unsigned char)*text) * UINT32_C(16777619);
    return hash;
}

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);

    if (memory == NULL)
        exit(1);
    return memory;
}

static void grow(void)
{
    uint32_t old = buckets;
    struct word **from = table;

    buckets *= 2;
    table = allocate(buckets * sizeof *table);
    for (uint32_t i = 0; i < old; i++) {
        struct word *word = from[i];

        while (word != NULL) {
            struct word *next = word->next, **head = &table[word->hash & (buckets - 1)];

            word->next = *head;
            *head = word;
            word = next;
        }
    }
    free(from);
}

static void count_word(const char *text, int length)
{
    uint32_t hash = hash_of(text);
    struct word *word = table[hash & (buckets - 1)];

    while (word != NULL && (word->hash != hash || strcmp(word->text, text) != 0))
        word = word->next;
    if (word == NULL) {
        if (++distinct > buckets)
            grow();
        word = allocate(sizeof *word);
        memcpy(word->text, text, (size_t)length + 1);
        word->hash = hash;
        word->next = table[hash & (buckets - 1)];
        table[hash & (buckets - 1)] = word;
    }
    word->count++;
}

int main(int argc, char **argv)
{
    int words = argc > 1 ? atoi(argv[1]) : 2000;
    struct word *best = NULL;
    uint32_t sum = 0;
    char text[LONGEST];

    table = allocate(buckets * sizeof *table);
    for (int i = 0; i < words; i++) {
        int length = make_word(text);

        count_word(text, length);
    }
    for (uint32_t i = 0; i < buckets; i++)
        for (struct word *word = table[i]; word != NULL; word = word->next) {
            sum += word->hash * (uint32_t)word->count;
            if (best == NULL || word->count > best->count ||
                (word->count == best->count && strcmp(word->text, best->text) < 0))
                best = word;
        }
    printf("words %d: %lu distinct, %08lx", words, (unsigned long)distinct, (unsigned long)sum);
    if (best != NULL)
        printf(", '%s' %ld times", best->text, (long)best->count);
    printf("\n");
    return 0;
}
