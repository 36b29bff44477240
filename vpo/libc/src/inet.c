/* Addresses of networks as text, and in the order of bytes that networks have. */

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SWAP_LONG(value) (value)
#define SWAP_SHORT(value) (value)
#else
#define SWAP_LONG(value) ((value) << 24 | ((value) & 0xff00) << 8 | ((value) >> 8 & 0xff00) | (value) >> 24)
#define SWAP_SHORT(value) ((value) << 8 | (value) >> 8)
#endif

uint32_t htonl(uint32_t value)
{
    return SWAP_LONG(value);
}

uint32_t ntohl(uint32_t value)
{
    return SWAP_LONG(value);
}

uint16_t htons(uint16_t value)
{
    return SWAP_SHORT(value);
}

uint16_t ntohs(uint16_t value)
{
    return SWAP_SHORT(value);
}

/* One to four numbers, decimal, octal or hexadecimal; the last one fills what the others leave. */
int inet_aton(const char *text, struct in_addr *result)
{
    uint32_t address = 0;
    int count = 0;

    for (;;) {
        char *end;
        unsigned long number;
        int shift = 24 - 8 * count;

        if (*text < '0' || *text > '9')
            return 0;
        number = strtoul(text, &end, 0);
        if (*end == '.' && count < 3 && number <= 0xff) {
            address |= (uint32_t)number << shift;
            text = end + 1;
            count++;
            continue;
        }
        if (*end > ' ' || (count > 0 && number >> (shift + 8)) || number > 0xffffffff)
            return 0;
        result->s_addr = htonl(address | (uint32_t)number);
        return 1;
    }
}

in_addr_t inet_addr(const char *text)
{
    struct in_addr address;

    return inet_aton(text, &address) ? address.s_addr : INADDR_NONE;
}

char *inet_ntoa(struct in_addr address)
{
    static char text[INET_ADDRSTRLEN];
    uint32_t number = ntohl(address.s_addr);

    sprintf(text, "%d.%d.%d.%d", (int)(number >> 24), (int)(number >> 16 & 0xff), (int)(number >> 8 & 0xff),
            (int)(number & 0xff));
    return text;
}
