/* open_wmemstream: a stream that writes wide characters to memory that grows. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

struct memory {
    wchar_t *text;
    size_t room, length, position; /* of characters: there are, are written, are before the next */
    wchar_t **text_told;
    size_t *length_told;
};

/* Makes room for `length` characters and the zero behind them. */
static int grow(struct memory *m, size_t length)
{
    size_t room = m->room;
    wchar_t *grown;

    while (room <= length)
        room += room;
    if (room == m->room)
        return 1;
    grown = realloc(m->text, room * sizeof *grown);
    if (grown == NULL)
        return 0;
    wmemset(grown + m->room, 0, room - m->room);
    m->text = *m->text_told = grown;
    m->room = room;
    return 1;
}

/* A byte of a stream is a character in the C locale. */
static ssize_t write_characters(void *cookie, const char *from, size_t size)
{
    struct memory *m = cookie;
    size_t i;

    if (!grow(m, m->position + size))
        return -1;
    for (i = 0; i < size; i++)
        m->text[m->position++] = (unsigned char)from[i];
    if (m->position > m->length)
        m->length = m->position;
    *m->length_told = m->position;
    return size;
}

static int move(void *cookie, off_t *offset, int whence)
{
    struct memory *m = cookie;
    off_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (off_t)m->position : (off_t)m->length;
    off_t to = from + *offset;

    if (to < 0) {
        errno = EINVAL;
        return -1;
    }
    *offset = m->position = to;
    *m->length_told = m->position < m->length ? m->position : m->length;
    return 0;
}

static int finish(void *cookie)
{
    free(cookie); /* what was written is the program's */
    return 0;
}

FILE *open_wmemstream(wchar_t **text, size_t *length)
{
    static const cookie_io_functions_t functions = {NULL, write_characters, move, finish};
    struct memory *m = calloc(1, sizeof *m);
    FILE *f;

    if (m == NULL)
        return NULL;
    m->text_told = text;
    m->length_told = length;
    m->room = 64;
    m->text = *text = calloc(m->room, sizeof **text);
    *length = 0;
    f = m->text ? fopencookie(m, "w", functions) : NULL;
    if (f == NULL) {
        free(m->text);
        free(m);
    }
    return f;
}
