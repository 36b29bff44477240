/* inet_pton, inet_ntop */

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Reads 0 to 255 in decimal without leading zeros; returns what follows, or NULL. */
static const char *read_byte(const char *text, unsigned char *byte)
{
    const char *first = text;
    unsigned value = 0;

    for (; *text >= '0' && *text <= '9'; text++) {
        value = value * 10 + (*text - '0');
        if (value > 255 || (*first == '0' && text > first))
            return NULL;
    }
    *byte = (unsigned char)value;
    return text > first ? text : NULL;
}

/* Reads four bytes with dots between; returns whether that is the whole text. */
static int read_4(const char *text, unsigned char *bytes)
{
    int i;

    for (i = 0; i < 4; i++) {
        text = read_byte(text, &bytes[i]);
        if (text == NULL || *text != (i < 3 ? '.' : 0))
            return 0;
        text++;
    }
    return 1;
}

static int digit_of(char letter)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = letter ? strchr(digits, letter) : NULL;

    return found ? (found - digits) & 15 : -1;
}

/* Reads up to four digits in base 16 into two bytes; returns what follows, or NULL. */
static const char *read_group(const char *text, unsigned char *bytes)
{
    unsigned long value = 0;
    int count = 0;

    for (; digit_of(*text) >= 0; text++) {
        if (++count > 4)
            return NULL;
        value = value << 4 | digit_of(*text);
    }
    bytes[0] = (unsigned char)(value >> 8);
    bytes[1] = (unsigned char)(value & 255);
    return count ? text : NULL;
}

/* Reads eight groups with colons between; `::` stands for as many groups of zeros as are lacking, and the last two
   groups may be an address of IPv4. */
static int read_6(const char *text, unsigned char *bytes)
{
    int length = 0, gap = -1;
    const char *end;

    if (text[0] == ':' && *++text != ':')
        return 0;
    for (;;) {
        if (*text == ':' && gap < 0 && (length || text[-1] == ':')) {
            gap = length;
            if (*++text == 0)
                break;
        }
        if (length <= 12 && read_4(text, bytes + length)) {
            length += 4;
            break;
        }
        if (length == 16 || (end = read_group(text, bytes + length)) == NULL)
            return 0;
        length += 2;
        if (*end == 0)
            break;
        if (*end != ':' || end[1] == 0)
            return 0;
        text = end + 1;
    }
    if (gap < 0 ? length != 16 : length > 14)
        return 0;
    if (gap >= 0) {
        memmove(bytes + 16 - (length - gap), bytes + gap, length - gap);
        memset(bytes + gap, 0, 16 - length);
    }
    return 1;
}

int inet_pton(int family, const char *text, void *address)
{
    unsigned char bytes[16];

    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    if (!(family == AF_INET ? read_4(text, bytes) : read_6(text, bytes)))
        return 0;
    memcpy(address, bytes, family == AF_INET ? 4 : 16);
    return 1;
}

static int write_4(const unsigned char *bytes, char *text)
{
    return sprintf(text, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
}

/* Finds the longest run of groups that are 0, the first of several; returns where it begins, and its length. */
static int longest_gap(const unsigned char *bytes, int *length)
{
    int i, start = 0, first = -1;

    *length = 1; /* one group alone is written */
    for (i = 0; i <= 8; i++)
        if (i == 8 || bytes[2 * i] || bytes[2 * i + 1]) {
            if (i - start > *length) {
                *length = i - start;
                first = start;
            }
            start = i + 1;
        }
    return first;
}

static void write_6(const unsigned char *bytes, char *text)
{
    int i, length, gap = longest_gap(bytes, &length);
    int embeds = gap == 0 && (length == 6 || (length == 7 && (bytes[14] || bytes[15] != 1)) ||
                              (length == 5 && bytes[10] == 255 && bytes[11] == 255));

    for (i = 0; i < 8; i++) {
        if (i == gap) {
            strcpy(text, "::");
            text += 2;
            i += length - 1;
            continue;
        }
        if (i && i != gap + length)
            *text++ = ':';
        if (i == 6 && embeds) {
            write_4(bytes + 12, text);
            return;
        }
        text += sprintf(text, "%x", bytes[2 * i] << 8 | bytes[2 * i + 1]);
    }
}

const char *inet_ntop(int family, const void *address, char *text, socklen_t size)
{
    char result[INET6_ADDRSTRLEN];

    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    if (family == AF_INET)
        write_4(address, result);
    else
        write_6(address, result);
    if (strlen(result) >= size) {
        errno = ENOSPC;
        return NULL;
    }
    return strcpy(text, result);
}
