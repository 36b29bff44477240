#ifndef _DIRENT_H
#define _DIRENT_H
#include <sys/types.h>
#include <limits.h>
typedef struct _folder DIR;
struct dirent {
    ino_t d_ino;
    off_t d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};
#define _DIRENT_HAVE_D_RECLEN
#define _DIRENT_HAVE_D_OFF
#define _DIRENT_HAVE_D_TYPE
#define d_fileno d_ino
#define MAXNAMLEN 255
#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define DT_WHT 14
#define IFTODT(mode) (((mode)&0170000) >> 12)
#define DTTOIF(type) ((type) << 12)
DIR *opendir(const char *), *fdopendir(int);
struct dirent *readdir(DIR *);
int closedir(DIR *), dirfd(DIR *);
void rewinddir(DIR *), seekdir(DIR *, long);
long telldir(DIR *);
int scandir(const char *, struct dirent ***, int (*)(const struct dirent *),
            int (*)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **, const struct dirent **);
int readdir_r(DIR *, struct dirent *, struct dirent **);
#endif
