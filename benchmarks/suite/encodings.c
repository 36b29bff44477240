/* Text encodings: base 64, UTF-8 and UTF-16, percent signs, runs of bytes; there and back. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int8_t values[256];

static int to_base64(const uint8_t *in, int count, char *out)
{
    char *start = out;

    for (int i = 0; i < count; i += 3) {
        uint32_t bits = (uint32_t)in[i] << 16 | (i + 1 < count ? (uint32_t)in[i + 1] << 8 : 0) | (i + 2 < count ? in[i + 2] : 0u);

        *out++ = letters[bits >> 18];
        *out++ = letters[bits >> 12 & 63];
        *out++ = i + 1 < count ? letters[bits >> 6 & 63] : '=';
        *out++ = i + 2 < count ? letters[bits & 63] : '=';
    }
    *out = 0;
    return (int)(out - start);
}

static int from_base64(const char *in, uint8_t *out)
{
    uint8_t *start = out;
    uint32_t bits = 0;
    int held = 0;

    for (; *in && *in != '='; in++) {
        int value = values[(unsigned char)*in];

        if (value < 0)
            return -1;
        bits = bits << 6 | (uint32_t)value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            *out++ = (uint8_t)(bits >> held);
        }
    }
    return (int)(out - start);
}

static int to_utf8(const uint32_t *in, int count, uint8_t *out)
{
    uint8_t *start = out;

    for (int i = 0; i < count; i++) {
        uint32_t c = in[i];

        if (c < 0x80)
            *out++ = (uint8_t)c;
        else if (c < 0x800) {
            *out++ = (uint8_t)(0xc0 | c >> 6);
            *out++ = (uint8_t)(0x80 | (c & 63));
        } else if (c < 0x10000) {
            *out++ = (uint8_t)(0xe0 | c >> 12);
            *out++ = (uint8_t)(0x80 | (c >> 6 & 63));
            *out++ = (uint8_t)(0x80 | (c & 63));
        } else {
            *out++ = (uint8_t)(0xf0 | c >> 18);
            *out++ = (uint8_t)(0x80 | (c >> 12 & 63));
            *out++ = (uint8_t)(0x80 | (c >> 6 & 63));
            *out++ = (uint8_t)(0x80 | (c & 63));
        }
    }
    return (int)(out - start);
}

/* Decodes UTF-8 to UTF-16; returns how many units, or -1 if a byte is out of place. */
static int to_utf16(const uint8_t *in, int count, uint16_t *out)
{
    uint16_t *start = out;
    const uint8_t *end = in + count;

    while (in < end) {
        uint32_t c = *in++;
        int more = c < 0x80 ? 0 : c < 0xc0 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;

        if (more < 0)
            return -1;
        c &= more ? 0x3fu >> more : 0x7fu;
        for (; more > 0; more--) {
            if (in == end || (*in & 0xc0) != 0x80)
                return -1;
            c = c << 6 | (*in++ & 63);
        }
        if (c >= 0x10000) {
            *out++ = (uint16_t)(0xd800 | (c - 0x10000) >> 10);
            c = 0xdc00 | (c & 0x3ff);
        }
        *out++ = (uint16_t)c;
    }
    return (int)(out - start);
}

static int percent(const uint8_t *in, int count, char *out)
{
    static const char digits[] = "0123456789ABCDEF";
    char *start = out;

    for (; count; count--, in++)
        if ((*in >= 'a' && *in <= 'z') || (*in >= 'A' && *in <= 'Z') || (*in >= '0' && *in <= '9'))
            *out++ = (char)*in;
        else {
            *out++ = '%';
            *out++ = digits[*in >> 4];
            *out++ = digits[*in & 15];
        }
    return (int)(out - start);
}

static int runs(const uint8_t *in, int count, uint8_t *out)
{
    int written = 0;

    for (int i = 0; i < count;) {
        int length = 1;

        while (i + length < count && length < 255 && in[i + length] == in[i])
            length++;
        out[written++] = (uint8_t)length;
        out[written++] = in[i];
        i += length;
    }
    return written;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1500, wrong = 0;
    uint32_t *points = malloc(4 * (size_t)count), seed = 43, sum = 0;
    uint8_t *bytes = malloc(4 * (size_t)count), *back = malloc(8 * (size_t)count);
    uint16_t *units = malloc(4 * (size_t)count);
    char *text = malloc(12 * (size_t)count + 4);

    memset(values, -1, sizeof values);
    for (int i = 0; i < 64; i++)
        values[(unsigned char)letters[i]] = (int8_t)i;
    for (int round = 0; round < 4; round++) {
        int size, length;

        for (int i = 0; i < count; i++) {
            static const uint32_t limits[] = {0x80, 0x80, 0x800, 0xd800, 0x10ffff};

            seed = seed * 1664525u + 1013904223u;
            points[i] = (seed >> 7) % limits[(seed >> 28) % 5];
        }
        size = to_utf8(points, count, bytes);
        length = to_utf16(bytes, size, units);
        for (int i = 0; i < length; i++)
            sum = sum * 31 + units[i];
        length = to_base64(bytes, size, text);
        wrong += from_base64(text, back) != size || memcmp(bytes, back, (size_t)size) != 0;
        length += percent(bytes, size, text);
        length += runs(bytes, size, back);
        for (int i = 0; text[i] && i < length / 4; i++)
            sum = sum * 31 + (unsigned char)text[i];
        sum += (uint32_t)length;
    }
    printf("%08lx, %d wrong\n", (unsigned long)sum, wrong);
    return wrong;
}
