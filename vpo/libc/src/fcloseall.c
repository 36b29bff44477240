/* fcloseall */

#include "stream.h"

int fcloseall(void)
{
    int failed = 0;

    fflush(NULL);
    while (__streams)
        failed |= fclose(__streams);
    return failed;
}
