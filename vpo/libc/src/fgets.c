/* fgets */

#include <stdio.h>

char *fgets(char *string, int size, FILE *f)
{
    char *to = string;
    char *end = string + size - 1;
    int c = 0;

    if (size <= 0)
        return NULL;
    while (to < end && c != '\n') {
        const unsigned char *from = f->_next;
        const unsigned char *from_end = f->_read_end;

        if (from < from_end) {
            do
                *to++ = c = *from++;
            while (c != '\n' && from < from_end && to < end);
            f->_next = (unsigned char *)from;
        } else {
            c = __fill(f);
            if (c == EOF) {
                if (to == string || ferror(f))
                    return NULL;
                break;
            }
            *to++ = c;
        }
    }
    *to = 0;
    return string;
}
