/* iconv: a character at a time through its number in Unicode. */

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum kind { ASCII, LATIN_1, UTF_8, UTF_16, UTF_32 };
enum order { BIG, LITTLE, MARKED }; /* of bytes; MARKED: a byte order mark stands first */

struct encoding {
    enum kind kind;
    enum order order;
};

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OWN BIG
#else
#define OWN LITTLE
#endif

static const struct {
    const char *name;
    struct encoding encoding;
} names[] = {
    {"ASCII", {ASCII, OWN}}, {"US-ASCII", {ASCII, OWN}}, {"ANSI_X3.4-1968", {ASCII, OWN}}, {"646", {ASCII, OWN}},
    {"C", {ASCII, OWN}}, {"ISO-8859-1", {LATIN_1, OWN}}, {"ISO8859-1", {LATIN_1, OWN}}, {"ISO_8859-1", {LATIN_1, OWN}},
    {"LATIN1", {LATIN_1, OWN}}, {"L1", {LATIN_1, OWN}}, {"8859_1", {LATIN_1, OWN}}, {"UTF-8", {UTF_8, OWN}},
    {"UTF8", {UTF_8, OWN}}, {"UTF-16", {UTF_16, MARKED}}, {"UTF16", {UTF_16, MARKED}}, {"UTF-16BE", {UTF_16, BIG}},
    {"UTF-16LE", {UTF_16, LITTLE}}, {"UCS-2", {UTF_16, OWN}}, {"UCS2", {UTF_16, OWN}}, {"UCS-2BE", {UTF_16, BIG}},
    {"UCS-2LE", {UTF_16, LITTLE}}, {"UTF-32", {UTF_32, MARKED}}, {"UTF32", {UTF_32, MARKED}},
    {"UTF-32BE", {UTF_32, BIG}},
    {"UTF-32LE", {UTF_32, LITTLE}}, {"UCS-4", {UTF_32, BIG}}, {"UCS-4BE", {UTF_32, BIG}}, {"UCS-4LE", {UTF_32, LITTLE}},
    {"WCHAR_T", {UTF_32, OWN}},
};

struct __iconv {
    struct encoding from, to, from_first, to_first; /* as they are now, and at the beginning of a text */
    int translates, ignores;
};

/* What a character takes from or adds to a buffer: bytes, or one of these. */
enum { INVALID = -1, INCOMPLETE = -2, NO_ROOM = -3, UNKNOWN = -4 };

static int find(const char *name, struct encoding *found)
{
    size_t i, length = strcspn(name, "/");

    if (length == 0) { /* the locale's */
        name = "ASCII";
        length = 5;
    }
    for (i = 0; i < sizeof names / sizeof *names; i++)
        if (strncasecmp(names[i].name, name, length) == 0 && names[i].name[length] == 0) {
            *found = names[i].encoding;
            return 1;
        }
    return 0;
}

iconv_t iconv_open(const char *to, const char *from)
{
    struct __iconv *c = malloc(sizeof *c);

    if (c == NULL)
        return (iconv_t)-1;
    if (!find(to, &c->to_first) || !find(from, &c->from_first)) {
        free(c);
        errno = EINVAL;
        return (iconv_t)-1;
    }
    c->from = c->from_first;
    c->to = c->to_first;
    c->translates = strstr(to, "//TRANSLIT") != NULL;
    c->ignores = strstr(to, "//IGNORE") != NULL;
    return c;
}

int iconv_close(iconv_t c)
{
    free(c);
    return 0;
}

static unsigned long number(const unsigned char *bytes, int size, enum order order)
{
    unsigned long value = 0;
    int i;

    for (i = 0; i < size; i++)
        value = value << 8 | bytes[order == LITTLE ? size - 1 - i : i];
    return value;
}

static void put_number(unsigned char *bytes, unsigned long value, int size, enum order order)
{
    int i;

    for (i = 0; i < size; i++)
        bytes[order == LITTLE ? i : size - 1 - i] = (unsigned char)(value >> 8 * i);
}

static int read_utf_8(const unsigned char *from, size_t left, unsigned long *c)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    int c0 = *from;
    int length = c0 < 0x80 ? 1 : c0 < 0xc2 ? INVALID : c0 < 0xe0 ? 2 : c0 < 0xf0 ? 3 : c0 < 0xf5 ? 4 : INVALID;
    int i;

    if (length == INVALID)
        return INVALID;
    *c = length == 1 ? *from : *from & (0x7f >> length);
    for (i = 1; i < length; i++) {
        if ((size_t)i >= left)
            return INCOMPLETE;
        if ((from[i] & 0xc0) != 0x80)
            return INVALID;
        *c = *c << 6 | (from[i] & 0x3f);
    }
    return *c < least[length] || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000) ? INVALID : length;
}

static int read_utf_16(const unsigned char *from, size_t left, enum order order, unsigned long *c)
{
    unsigned long low;

    if (left < 2)
        return INCOMPLETE;
    *c = number(from, 2, order);
    if (*c < 0xd800 || *c >= 0xe000)
        return 2;
    if (*c >= 0xdc00)
        return INVALID;
    if (left < 4)
        return INCOMPLETE;
    low = number(from + 2, 2, order);
    if (low < 0xdc00 || low >= 0xe000)
        return INVALID;
    *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
    return 4;
}

/* Returns how many bytes a character takes, or why there is none. */
static int read_character(struct encoding how, const unsigned char *from, size_t left, unsigned long *c)
{
    switch (how.kind) {
    case UTF_8:
        return read_utf_8(from, left, c);
    case UTF_16:
        return read_utf_16(from, left, how.order, c);
    case UTF_32:
        if (left < 4)
            return INCOMPLETE;
        *c = number(from, 4, how.order);
        return *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000) ? INVALID : 4;
    default:
        *c = *from;
        return how.kind == ASCII && *c > 127 ? INVALID : 1;
    }
}

static int write_utf_8(unsigned char *to, size_t room, unsigned long c)
{
    int i, length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    if (room < (size_t)length)
        return NO_ROOM;
    for (i = length - 1; i > 0; i--, c >>= 6)
        to[i] = (unsigned char)(0x80 | (c & 0x3f));
    to[0] = (unsigned char)(length == 1 ? c : (0xf00 >> length) | c);
    return length;
}

static int write_utf_16(unsigned char *to, size_t room, enum order order, unsigned long c)
{
    int length = c < 0x10000 ? 2 : 4;

    if (room < (size_t)length)
        return NO_ROOM;
    if (length == 4) {
        put_number(to, 0xd800 + ((c - 0x10000) >> 10), 2, order);
        put_number(to + 2, 0xdc00 + ((c - 0x10000) & 0x3ff), 2, order);
    } else
        put_number(to, c, 2, order);
    return length;
}

/* Returns how many bytes a character adds, or why there is none. */
static int write_character(struct encoding how, unsigned char *to, size_t room, unsigned long c)
{
    switch (how.kind) {
    case UTF_8:
        return write_utf_8(to, room, c);
    case UTF_16:
        return write_utf_16(to, room, how.order, c);
    case UTF_32:
        if (room < 4)
            return NO_ROOM;
        put_number(to, c, 4, how.order);
        return 4;
    default:
        if (c > (how.kind == ASCII ? 127 : 255))
            return UNKNOWN;
        if (room == 0)
            return NO_ROOM;
        *to = (unsigned char)c;
        return 1;
    }
}

/* Reads or writes the mark that tells the order of bytes; returns its bytes. */
static int read_mark(struct encoding *how, const unsigned char *from, size_t left)
{
    int size = how->kind == UTF_16 ? 2 : 4;

    if (how->order != MARKED)
        return 0;
    if (left < (size_t)size)
        return left ? INCOMPLETE : 0;
    how->order = number(from, size, BIG) == 0xfeff ? BIG : number(from, size, LITTLE) == 0xfeff ? LITTLE : MARKED;
    if (how->order != MARKED)
        return size;
    how->order = OWN;
    return 0;
}

static int write_mark(struct encoding *how, unsigned char *to, size_t room)
{
    if (how->order != MARKED)
        return 0;
    how->order = OWN;
    return write_character(*how, to, room, 0xfeff);
}

static size_t fail(int why)
{
    errno = why == INCOMPLETE ? EINVAL : why == NO_ROOM ? E2BIG : EILSEQ;
    return (size_t)-1;
}

size_t iconv(iconv_t c, char **from, size_t *left, char **to, size_t *room)
{
    size_t changed = 0;

    if (from == NULL || *from == NULL) {
        c->from = c->from_first;
        c->to = c->to_first;
        return 0;
    }
    while (*left) {
        struct encoding as_it_was = c->to;
        unsigned long character;
        int mark = read_mark(&c->from, (unsigned char *)*from, *left);
        int taken, begun, added;

        if (mark < 0)
            return fail(mark);
        *from += mark;
        *left -= mark;
        if (*left == 0)
            break;
        taken = read_character(c->from, (unsigned char *)*from, *left, &character);
        if (taken < 0)
            return fail(taken);
        begun = write_mark(&c->to, (unsigned char *)*to, *room);
        added = begun < 0 ? begun : write_character(c->to, (unsigned char *)*to + begun, *room - begun, character);
        if (added == UNKNOWN && c->translates) {
            added = write_character(c->to, (unsigned char *)*to + begun, *room - begun, '?');
            changed++;
        } else if (added == UNKNOWN && c->ignores)
            added = 0;
        if (added < 0) {
            c->to = as_it_was;
            return fail(added);
        }
        *from += taken;
        *left -= taken;
        *to += begun + added;
        *room -= begun + added;
    }
    return changed;
}
