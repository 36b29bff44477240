/*
 * compact - compress and expand files by adaptive Huffman coding.
 *
 * Algorithm FGK (Faller, Gallager, Knuth): encoder and decoder keep the same
 * code tree and update it after every byte, so no table is transmitted.  A byte
 * that is new is sent as the code of the escape leaf and then as its 8 bits.
 *
 * A compressed file is "CPT1", the length and the Adler-32 checksum of the
 * original (4 bytes each, most significant first), and the codes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOLS 257 /* bytes and the escape */
#define ESCAPE 256
#define NODES (2 * SYMBOLS - 1)
#define NONE (-1)
#define HEADER_SIZE 12
#define MAGIC "CPT1"

struct buffer {
    unsigned char *bytes;
    size_t size;
    size_t capacity;
};

/*
 * The nodes in order of falling weight, so that siblings are neighbours: the
 * root is first, and the escape, of weight zero, is last.
 */
struct node {
    unsigned int weight;
    int parent;
    int child; /* the left one; the right one is next to it */
    int symbol; /* of a leaf */
};

static struct node tree[NODES];
static int last_node;           /* the escape leaf */
static int leaf_of[SYMBOLS];

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "compact: %s%s\n", what, name);
    exit(1);
}

/* ---- buffers ----------------------------------------------------------- */

static void append_byte(struct buffer *buffer, int byte)
{
    if (buffer->size == buffer->capacity) {
        buffer->capacity = buffer->capacity == 0 ? 1024 : 2 * buffer->capacity;
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
        if (buffer->bytes == NULL)
            fail("out of memory", "");
    }
    buffer->bytes[buffer->size++] = (unsigned char)byte;
}

static void append_word(struct buffer *buffer, unsigned long word)
{
    int shift;

    for (shift = 24; shift >= 0; shift -= 8)
        append_byte(buffer, (int)(word >> shift & 0xff));
}

static unsigned long word_at(const struct buffer *buffer, size_t position)
{
    unsigned long word = 0;
    int i;

    for (i = 0; i < 4; i++)
        word = word << 8 | buffer->bytes[position + i];
    return word;
}

/* The Adler-32 checksum of RFC 1950. */
static unsigned long checksum(const struct buffer *buffer)
{
    unsigned long a = 1, b = 0;
    size_t i;

    for (i = 0; i < buffer->size; i++) {
        a += buffer->bytes[i];
        if (a >= 65521UL)
            a -= 65521UL;
        b += a;
        if (b >= 65521UL)
            b -= 65521UL;
    }
    return b << 16 | a;
}

/* ---- the code tree ----------------------------------------------------- */

static void start_tree(void)
{
    int i;

    for (i = 0; i < SYMBOLS; i++)
        leaf_of[i] = NONE;
    tree[0].weight = 0;
    tree[0].parent = NONE;
    tree[0].child = NONE;
    tree[0].symbol = ESCAPE;
    leaf_of[ESCAPE] = 0;
    last_node = 0;
}

/* Tell the children of a node, or its symbol's entry, where it is now. */
static void announce(int at)
{
    int child = tree[at].child;

    if (child == NONE) {
        leaf_of[tree[at].symbol] = at;
    } else {
        tree[child].parent = at;
        tree[child + 1].parent = at;
    }
}

/* Exchange two subtrees; weight and parent belong to the place. */
static void exchange(int a, int b)
{
    int child = tree[a].child;
    int symbol = tree[a].symbol;

    tree[a].child = tree[b].child;
    tree[a].symbol = tree[b].symbol;
    tree[b].child = child;
    tree[b].symbol = symbol;
    announce(a);
    announce(b);
}

/* Turn the escape leaf into a node with a leaf for the new symbol and the escape leaf. */
static int add_leaf(int symbol)
{
    int old = last_node;
    int leaf = old + 1;

    tree[leaf].weight = 0;
    tree[leaf].parent = old;
    tree[leaf].child = NONE;
    tree[leaf].symbol = symbol;
    tree[leaf + 1] = tree[leaf];
    tree[leaf + 1].symbol = ESCAPE;
    tree[old].child = leaf;
    leaf_of[symbol] = leaf;
    last_node = leaf + 1;
    leaf_of[ESCAPE] = last_node;
    return leaf;
}

/* Count one more occurrence of a symbol. */
static void update(int symbol)
{
    int node = leaf_of[symbol];

    if (node == NONE)
        node = add_leaf(symbol);
    while (node != NONE) {
        unsigned int weight = tree[node].weight;
        int leader = node;

        while (leader > 0 && tree[leader - 1].weight == weight)
            leader--;
        if (leader != node && leader != tree[node].parent) {
            exchange(node, leader);
            node = leader;
        }
        tree[node].weight = weight + 1;
        node = tree[node].parent;
    }
}

/* ---- encoding ---------------------------------------------------------- */

static unsigned int bit_buffer;
static int bit_count;

static void put_bit(struct buffer *out, int bit)
{
    bit_buffer = bit_buffer << 1 | (unsigned int)bit;
    if (++bit_count == 8) {
        append_byte(out, (int)bit_buffer);
        bit_buffer = 0;
        bit_count = 0;
    }
}

static void put_code(struct buffer *out, int node)
{
    char path[NODES]; /* the code is read from root to leaf, but found backwards */
    int length = 0;

    for (; node != 0; node = tree[node].parent)
        path[length++] = node % 2 == 0; /* left children have odd numbers */
    while (length > 0)
        put_bit(out, path[--length]);
}

static void put_symbol(struct buffer *out, int symbol)
{
    int bit;

    if (leaf_of[symbol] != NONE) {
        put_code(out, leaf_of[symbol]);
    } else {
        put_code(out, leaf_of[ESCAPE]);
        for (bit = 7; bit >= 0; bit--)
            put_bit(out, symbol >> bit & 1);
    }
}

static void compress(const struct buffer *in, struct buffer *out)
{
    size_t i;

    if (in->size > 0xffffffffUL)
        fail("input too large", "");
    for (i = 0; MAGIC[i] != '\0'; i++)
        append_byte(out, MAGIC[i]);
    append_word(out, (unsigned long)in->size);
    append_word(out, checksum(in));
    start_tree();
    bit_buffer = 0;
    bit_count = 0;
    for (i = 0; i < in->size; i++) {
        put_symbol(out, in->bytes[i]);
        update(in->bytes[i]);
    }
    while (bit_count != 0)
        put_bit(out, 0);
}

/* ---- decoding ---------------------------------------------------------- */

static size_t next_byte;

static int get_bit(const struct buffer *in)
{
    if (bit_count == 0) {
        if (next_byte == in->size)
            fail("compressed data ends too early", "");
        bit_buffer = in->bytes[next_byte++];
        bit_count = 8;
    }
    return (int)(bit_buffer >> --bit_count & 1);
}

static int get_symbol(const struct buffer *in)
{
    int node = 0, symbol = 0, bit;

    while (tree[node].child != NONE)
        node = tree[node].child + get_bit(in);
    if (tree[node].symbol != ESCAPE)
        return tree[node].symbol;
    for (bit = 0; bit < 8; bit++)
        symbol = symbol << 1 | get_bit(in);
    return symbol;
}

static void expand(const struct buffer *in, struct buffer *out)
{
    unsigned long length;

    if (in->size < HEADER_SIZE || memcmp(in->bytes, MAGIC, 4) != 0)
        fail("input is not a compressed file", "");
    length = word_at(in, 4);
    next_byte = HEADER_SIZE;
    bit_count = 0;
    start_tree();
    while (out->size < length) {
        int symbol = get_symbol(in);

        append_byte(out, symbol);
        update(symbol);
    }
    if (next_byte != in->size || checksum(out) != word_at(in, 8))
        fail("compressed data is damaged", "");
}

/* ---- files and command line -------------------------------------------- */

static void read_file(const char *name, struct buffer *buffer)
{
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    int c;

    if (file == NULL)
        fail("cannot open ", name);
    while ((c = getc(file)) != EOF)
        append_byte(buffer, c);
    if (ferror(file))
        fail("cannot read ", name);
    if (file != stdin)
        fclose(file);
}

static void write_file(const char *name, const struct buffer *buffer)
{
    FILE *file = name == NULL ? stdout : fopen(name, "wb");

    if (file == NULL)
        fail("cannot create ", name);
    if (buffer->size > 0)
        fwrite(buffer->bytes, 1, buffer->size, file);
    if (fflush(file) != 0 || ferror(file))
        fail("cannot write ", name == NULL ? "output" : name);
    if (file != stdout)
        fclose(file);
}

/* Compress and expand in memory, compare, and report. */
static void test(const char *name, const struct buffer *in)
{
    struct buffer packed = {NULL, 0, 0}, unpacked = {NULL, 0, 0};

    compress(in, &packed);
    expand(&packed, &unpacked);
    if (unpacked.size != in->size
        || (in->size > 0 && memcmp(unpacked.bytes, in->bytes, in->size) != 0))
        fail("does not expand to itself: ", name);
    printf("%s: %lu bytes, compacted to %lu (%.1f%%), restored\n", name, (unsigned long)in->size,
           (unsigned long)packed.size, in->size == 0 ? 100.0 : 100.0 * packed.size / in->size);
    free(packed.bytes);
    free(unpacked.bytes);
}

static void usage(void)
{
    fprintf(stderr, "usage: compact [-d | -t] [-o OUT] [FILE]\n"
                    "  compress FILE (or standard input) to OUT (or standard output)\n"
                    "  -d  decompress    -t  test: do both in memory and report\n");
    exit(2);
}

int main(int argc, char **argv)
{
    struct buffer in = {NULL, 0, 0}, out = {NULL, 0, 0};
    const char *name = "-", *out_name = NULL;
    char mode = 'c';
    int i;

    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        if (strcmp(argv[i], "-d") == 0 || strcmp(argv[i], "-t") == 0)
            mode = argv[i][1];
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            out_name = argv[++i];
        else
            usage();
    }
    if (argc - i > 1)
        usage();
    if (i < argc)
        name = argv[i];

    read_file(name, &in);
    if (mode == 't') {
        test(name, &in);
    } else {
        if (mode == 'd')
            expand(&in, &out);
        else
            compress(&in, &out);
        write_file(out_name, &out);
    }
    free(in.bytes);
    free(out.bytes);
    return 0;
}
