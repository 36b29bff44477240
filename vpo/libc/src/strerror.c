/* strerror: a table of the errors that system calls and this library give. */

#include <errno.h>
#include <string.h>

struct message {
    int number;
    const char *text;
};

static const struct message messages[] = {
    {0, "Success"},
    {EPERM, "Operation not permitted"},
    {ENOENT, "No such file or directory"},
    {EINTR, "Interrupted system call"},
    {EIO, "Input/output error"},
    {ENXIO, "No such device or address"},
    {E2BIG, "Argument list too long"},
    {EBADF, "Bad file descriptor"},
    {EAGAIN, "Resource temporarily unavailable"},
    {ENOMEM, "Cannot allocate memory"},
    {EACCES, "Permission denied"},
    {EFAULT, "Bad address"},
    {EBUSY, "Device or resource busy"},
    {EEXIST, "File exists"},
    {EXDEV, "Invalid cross-device link"},
    {ENODEV, "No such device"},
    {ENOTDIR, "Not a directory"},
    {EISDIR, "Is a directory"},
    {EINVAL, "Invalid argument"},
    {ENFILE, "Too many open files in system"},
    {EMFILE, "Too many open files"},
    {ENOTTY, "Inappropriate ioctl for device"},
    {EFBIG, "File too large"},
    {ENOSPC, "No space left on device"},
    {ESPIPE, "Illegal seek"},
    {EROFS, "Read-only file system"},
    {EPIPE, "Broken pipe"},
    {EDOM, "Numerical argument out of domain"},
    {ERANGE, "Numerical result out of range"},
    {ENAMETOOLONG, "File name too long"},
    {ENOSYS, "Function not implemented"},
    {ENOTEMPTY, "Directory not empty"},
    {EOVERFLOW, "Value too large for defined data type"},
    {EILSEQ, "Invalid or incomplete multibyte or wide character"},
};

char *strerror(int number)
{
    static char unknown[] = "Unknown error \0          ";
    const struct message *message;
    char *end = unknown + sizeof unknown - 1;
    unsigned value = number < 0 ? -(unsigned)number : (unsigned)number;

    for (message = messages; message < messages + sizeof messages / sizeof *messages; message++)
        if (message->number == number)
            return (char *)message->text;
    do
        *--end = '0' + value % 10;
    while (value /= 10);
    if (number < 0)
        *--end = '-';
    strcpy(unknown + 14, end);
    return unknown;
}
