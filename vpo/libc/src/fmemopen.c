/* fmemopen, open_memstream: streams in memory. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory {
    char *bytes;
    size_t room, length, position; /* of bytes: there are, are written, are before the next */
    int appends, grows, owned;
    char **bytes_told; /* of open_memstream */
    size_t *length_told;
};

static int move(void *cookie, off_t *offset, int whence)
{
    struct memory *m = cookie;
    off_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (off_t)m->position : (off_t)m->length;
    off_t to = from + *offset;

    if (to < 0 || (!m->grows && (size_t)to > m->room)) {
        errno = EINVAL;
        return -1;
    }
    *offset = m->position = to;
    return 0;
}

static ssize_t read_memory(void *cookie, char *to, size_t size)
{
    struct memory *m = cookie;
    size_t left = m->position < m->length ? m->length - m->position : 0;

    if (size > left)
        size = left;
    memcpy(to, m->bytes + m->position, size);
    m->position += size;
    return size;
}

static ssize_t write_buffer(void *cookie, const char *from, size_t size)
{
    struct memory *m = cookie;

    if (m->appends)
        m->position = m->length;
    if (size > m->room - m->position)
        size = m->room - m->position;
    if (size == 0) {
        errno = ENOSPC;
        return 0;
    }
    memcpy(m->bytes + m->position, from, size);
    m->position += size;
    if (m->position > m->length) {
        m->length = m->position;
        if (m->length < m->room)
            m->bytes[m->length] = 0;
    }
    return size;
}

static int close_buffer(void *cookie)
{
    struct memory *m = cookie;

    if (m->owned)
        free(m->bytes);
    free(m);
    return 0;
}

FILE *fmemopen(void *bytes, size_t size, const char *mode)
{
    static const cookie_io_functions_t functions = {read_memory, write_buffer, move, close_buffer};
    struct memory *m = calloc(1, sizeof *m);
    FILE *f;

    if (m == NULL)
        return NULL;
    m->bytes = bytes;
    m->room = size;
    if (bytes == NULL) {
        m->owned = 1;
        m->bytes = calloc(size ? size : 1, 1);
    }
    f = m->bytes ? fopencookie(m, mode, functions) : NULL;
    if (f == NULL) {
        close_buffer(m);
        return NULL;
    }
    m->appends = *mode == 'a';
    if (*mode == 'w') {
        if (size)
            *m->bytes = 0;
    } else
        m->length = *mode == 'r' ? size : strnlen(m->bytes, size);
    m->position = m->appends ? m->length : 0;
    return f;
}

/* Makes room for `length` bytes and the zero behind them. */
static int grow(struct memory *m, size_t length)
{
    size_t room = m->room;
    char *grown;

    if (length < room)
        return 1;
    while (room <= length)
        room += room;
    grown = realloc(m->bytes, room);
    if (grown == NULL)
        return 0;
    memset(grown + m->room, 0, room - m->room);
    m->bytes = *m->bytes_told = grown;
    m->room = room;
    return 1;
}

static ssize_t write_growing(void *cookie, const char *from, size_t size)
{
    struct memory *m = cookie;

    if (!grow(m, m->position + size))
        return -1;
    memcpy(m->bytes + m->position, from, size);
    m->position += size;
    if (m->position > m->length)
        m->length = m->position;
    m->bytes[m->length] = 0;
    *m->length_told = m->position;
    return size;
}

static int move_growing(void *cookie, off_t *offset, int whence)
{
    struct memory *m = cookie;

    if (move(cookie, offset, whence))
        return -1;
    *m->length_told = m->position < m->length ? m->position : m->length;
    return 0;
}

static int close_growing(void *cookie)
{
    free(cookie); /* what was written is the program's */
    return 0;
}

FILE *open_memstream(char **bytes, size_t *length)
{
    static const cookie_io_functions_t functions = {NULL, write_growing, move_growing, close_growing};
    struct memory *m = calloc(1, sizeof *m);
    FILE *f;

    if (m == NULL)
        return NULL;
    m->bytes_told = bytes;
    m->length_told = length;
    m->grows = 1;
    m->room = 64;
    m->bytes = *bytes = calloc(m->room, 1);
    *length = 0;
    f = m->bytes ? fopencookie(m, "w", functions) : NULL;
    if (f == NULL) {
        free(m->bytes);
        free(m);
    }
    return f;
}
