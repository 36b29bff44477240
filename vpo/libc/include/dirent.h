#ifndef _DIRENT_H
#define _DIRENT_H
#include <sys/types.h>
typedef struct _folder DIR;
struct dirent {
    ino_t d_ino;
    unsigned char d_type;
    char d_name[256];
};
#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8
#define DT_LNK 10
DIR *opendir(const char *), *fdopendir(int);
struct dirent *readdir(DIR *);
int closedir(DIR *), dirfd(DIR *);
void rewinddir(DIR *), seekdir(DIR *, long);
long telldir(DIR *);
int scandir(const char *, struct dirent ***, int (*)(const struct dirent *),
            int (*)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **, const struct dirent **);
#endif
