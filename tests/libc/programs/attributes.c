/* Permissions, owner and times of a file may be set to what they are. */

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

int main(void)
{
    char target[9];
    struct stat found;
    FILE *f = fopen("attributes.tmp", "w");

    fputs("x", f);
    printf("%d", fchmod(fileno(f), 0600));
    fclose(f);
    stat("attributes.tmp", &found);
    printf(" %d", chmod("attributes.tmp", 0644));
    printf(" %d", chown("attributes.tmp", found.st_uid, (gid_t)-1));
    printf(" %d", utime("attributes.tmp", NULL));
    errno = 0;
    printf(" %d", (int)readlink("attributes.tmp", target, sizeof target));
    printf(" %d", errno == EINVAL);
    remove("attributes.tmp");
    errno = 0;
    printf(" %d", chmod("attributes.tmp", 0644));
    printf(" %d\n", errno == ENOENT);
    return 0;
}
