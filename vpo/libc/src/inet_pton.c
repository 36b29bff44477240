/* inet_pton, inet_ntop: addresses of IPv4 alone */

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

int inet_pton(int family, const char *text, void *address)
{
    unsigned char bytes[4];
    int i;

    if (family != AF_INET) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    for (i = 0; i < 4; i++) {
        text = read_byte(text, &bytes[i]);
        if (text == NULL || *text != (i < 3 ? '.' : 0))
            return 0;
        text++;
    }
    memcpy(address, bytes, 4);
    return 1;
}

const char *inet_ntop(int family, const void *address, char *text, socklen_t size)
{
    const unsigned char *bytes = address;
    char result[INET_ADDRSTRLEN];

    if (family != AF_INET) {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    if ((unsigned)sprintf(result, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]) >= size) {
        errno = ENOSPC;
        return NULL;
    }
    return strcpy(text, result);
}
