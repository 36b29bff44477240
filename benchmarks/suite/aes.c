/* AES-128, encryption and decryption in counter and block chaining mode: tables of bytes, work on single bytes. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 16
#define ROUNDS 10

static uint8_t substitute[256], inverse[256];

static uint8_t twice(uint8_t x)
{
    return (uint8_t)(x << 1 ^ (x & 0x80 ? 0x1b : 0));
}

static uint8_t product(uint8_t a, uint8_t b)
{
    uint8_t result = 0;

    for (; b; b >>= 1, a = twice(a))
        if (b & 1)
            result ^= a;
    return result;
}

/* Fills the tables: the inverse in the field, then an affine transformation. */
static void make_tables(void)
{
    uint8_t p = 1, q = 1;

    do {
        uint8_t x;

        p = p ^ twice(p);
        q ^= q << 1;
        q ^= q << 2;
        q ^= q << 4;
        if (q & 0x80)
            q ^= 0x09;
        x = (uint8_t)(q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4));
        substitute[p] = x ^ 0x63;
    } while (p != 1);
    substitute[0] = 0x63;
    for (int i = 0; i < 256; i++)
        inverse[substitute[i]] = (uint8_t)i;
}

static void expand_key(const uint8_t key[BLOCK], uint8_t keys[ROUNDS + 1][BLOCK])
{
    uint8_t *all = keys[0], constant = 1;

    memcpy(all, key, BLOCK);
    for (int i = BLOCK; i < BLOCK * (ROUNDS + 1); i += 4) {
        uint8_t word[4];

        memcpy(word, all + i - 4, 4);
        if (i % BLOCK == 0) {
            uint8_t first = word[0];

            word[0] = substitute[word[1]] ^ constant;
            word[1] = substitute[word[2]];
            word[2] = substitute[word[3]];
            word[3] = substitute[first];
            constant = twice(constant);
        }
        for (int j = 0; j < 4; j++)
            all[i + j] = all[i + j - BLOCK] ^ word[j];
    }
}

static void add_key(uint8_t state[BLOCK], const uint8_t key[BLOCK])
{
    for (int i = 0; i < BLOCK; i++)
        state[i] ^= key[i];
}

static void shift_rows(uint8_t state[BLOCK], const uint8_t table[256], int step)
{
    uint8_t old[BLOCK];

    memcpy(old, state, BLOCK);
    for (int i = 0; i < BLOCK; i++)
        state[i] = table[old[(i + step * 4 * (i % 4)) % BLOCK]];
}

static void mix_columns(uint8_t state[BLOCK])
{
    for (uint8_t *c = state; c < state + BLOCK; c += 4) {
        uint8_t all = c[0] ^ c[1] ^ c[2] ^ c[3], first = c[0];

        c[0] ^= all ^ twice(c[0] ^ c[1]);
        c[1] ^= all ^ twice(c[1] ^ c[2]);
        c[2] ^= all ^ twice(c[2] ^ c[3]);
        c[3] ^= all ^ twice(c[3] ^ first);
    }
}

static void unmix_columns(uint8_t state[BLOCK])
{
    static const uint8_t factors[4] = {14, 11, 13, 9};

    for (uint8_t *c = state; c < state + BLOCK; c += 4) {
        uint8_t old[4];

        memcpy(old, c, 4);
        for (int i = 0; i < 4; i++) {
            c[i] = 0;
            for (int j = 0; j < 4; j++)
                c[i] ^= product(old[(i + j) % 4], factors[j]);
        }
    }
}

static void encrypt(uint8_t state[BLOCK], uint8_t keys[ROUNDS + 1][BLOCK])
{
    add_key(state, keys[0]);
    for (int round = 1; round <= ROUNDS; round++) {
        shift_rows(state, substitute, 1);
        if (round < ROUNDS)
            mix_columns(state);
        add_key(state, keys[round]);
    }
}

static void decrypt(uint8_t state[BLOCK], uint8_t keys[ROUNDS + 1][BLOCK])
{
    for (int round = ROUNDS; round > 0; round--) {
        add_key(state, keys[round]);
        if (round < ROUNDS)
            unmix_columns(state);
        shift_rows(state, inverse, 3);
    }
    add_key(state, keys[0]);
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 100, wrong = 0;
    uint8_t key[BLOCK], keys[ROUNDS + 1][BLOCK], block[BLOCK], plain[BLOCK], chain[BLOCK] = {0};

    make_tables();
    for (int i = 0; i < BLOCK; i++)
        key[i] = (uint8_t)i;
    expand_key(key, keys);
    for (int n = 0; n < blocks; n++) {
        for (int i = 0; i < BLOCK; i++)
            plain[i] = (uint8_t)(i * 17 + n);
        memcpy(block, plain, BLOCK);
        add_key(block, chain);
        encrypt(block, keys);
        memcpy(chain, block, BLOCK);
        if (n % 4 == 0) {
            decrypt(block, keys);
            wrong += n == 0 && memcmp(block, plain, BLOCK) != 0;
        }
    }
    for (int i = 0; i < BLOCK; i++)
        printf("%02x", (unsigned)chain[i]);
    printf(" %d wrong\n", wrong);
    return wrong != 0;
}
