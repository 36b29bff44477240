/* read, write, close, lseek */

#include <unistd.h>
#include "stream.h"

ssize_t read(int fd, void *data, size_t size)
{
    return __result(__ease_syscall(__SYS_read, (long)fd, (long)data, (long)size));
}

ssize_t write(int fd, const void *data, size_t size)
{
    return __result(__ease_syscall(__SYS_write, (long)fd, (long)data, (long)size));
}

int close(int fd)
{
    return __result(__ease_syscall(__SYS_close, (long)fd));
}

off_t lseek(int fd, off_t offset, int whence)
{
    return __seek(fd, offset, whence);
}
