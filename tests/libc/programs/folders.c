/* Folders, what is known of files, descriptors, and the environment. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static void make(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    fputs(text, f);
    fclose(f);
}

static void show(const char *name)
{
    struct stat found;
    int failed = stat(name, &found);

    if (failed)
        printf("%s: %s\n", name, strerror(errno));
    else
        printf("%s: %o %d %ld\n", name, (unsigned)found.st_mode & 0777, S_ISDIR(found.st_mode) != 0,
               S_ISDIR(found.st_mode) ? 0L : (long)found.st_size);
}

static int no_dots(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void list(const char *name)
{
    struct dirent **all;
    int i, count = scandir(name, &all, no_dots, alphasort);

    printf("%d:", count);
    for (i = 0; i < count; i++)
        printf(" %s", all[i]->d_name);
    putchar('\n');
}

static void match(const char *pattern, int flags)
{
    glob_t found = {0};
    size_t i;

    printf("%s: %d", pattern, glob(pattern, flags, NULL, &found));
    for (i = 0; i < found.gl_pathc; i++)
        printf(" %s", found.gl_pathv[i]);
    putchar('\n');
    globfree(&found);
}

static void folders(void)
{
    struct stat a, b;
    char here[PATH_MAX], path[PATH_MAX];
    DIR *folder;
    int count = 0, i;

    printf("%d ", mkdir("sub", 0755));
    printf("%d ", mkdir("sub", 0755));
    printf("%d\n", errno == EEXIST);
    make("sub/b.txt", "hello");
    make("sub/a.txt", "");
    make("sub/.hidden", "x");
    make("top.c", "12345678");
    mkdir("sub/deep", 0700);
    make("sub/deep/a.c", "x");
    show("sub");
    show("sub/b.txt");
    show("sub/deep/none");
    show("top.c/x");
    stat("sub/a.txt", &a);
    stat("sub/../sub/a.txt", &b);
    printf("%d ", a.st_ino == b.st_ino && a.st_dev == b.st_dev);
    stat("sub/b.txt", &b);
    printf("%d\n", a.st_ino == b.st_ino);
    list("sub");
    list("none");
    folder = opendir("sub");
    while (readdir(folder))
        count++;
    rewinddir(folder);
    while (readdir(folder))
        count++;
    printf("%d %d\n", count, closedir(folder));
    printf("%d ", opendir("top.c") == NULL);
    printf("%d\n", errno == ENOTDIR);
    getcwd(here, sizeof here);
    printf("%d %d ", *here == '/', getcwd(path, 2) == NULL);
    printf("%d\n", errno == ERANGE);
    realpath("sub/deep/../b.txt", path);
    printf("%s %d ", path + strlen(here), realpath("sub/none/x", NULL) == NULL);
    printf("%d\n", errno == ENOENT);
    match("sub/*.txt", 0);
    match("*/*/*.c", 0);
    match("s?b", GLOB_MARK);
    match("sub/[ab]*", 0);
    match("sub/none*", 0);
    match("sub/none*", GLOB_NOCHECK);
    match("*/deep/a.c", 0);
    match("sub/.*den", 0);
    match("top.c", 0);
    printf("%d ", rmdir("sub/deep"));
    printf("%d ", errno == ENOTEMPTY);
    printf("%d ", remove("sub/deep/a.c"));
    printf("%d ", remove("sub/deep"));
    printf("%d ", rename("sub", "other"));
    printf("%d\n", access("other/a.txt", R_OK));
    for (i = 0; i < 200; i++) {
        sprintf(path, "other/number-%d-of-many-files", i);
        make(path, path);
    }
    count = 0;
    folder = opendir("other");
    while (readdir(folder))
        count++;
    closedir(folder);
    printf("%d\n", count);
}

static void descriptors(void)
{
    struct stat found;
    char text[20] = "";
    int copy, fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);

    write(fd, "0123456789", 10);
    printf("%d ", ftruncate(fd, 4));
    fstat(fd, &found);
    printf("%ld ", (long)found.st_size);
    printf("%d ", (int)pread(fd, text, 3, 1));
    printf("%s %ld ", text, (long)lseek(fd, 0, SEEK_CUR));
    printf("%d ", (int)pwrite(fd, "xy", 2, 2));
    copy = dup(fd);
    lseek(fd, 0, SEEK_SET);
    close(fd);
    printf("%d ", (int)read(copy, text, 20));
    printf("%.4s ", text);
    printf("%d ", dup2(copy, copy) == copy);
    printf("%d ", dup(77));
    printf("%d\n", errno == EBADF);
    printf("%d ", truncate("data", 2));
    fstat(copy, &found);
    printf("%ld %d\n", (long)found.st_size, fcntl(copy, F_SETFD, FD_CLOEXEC));
    fflush(stdout);
    fd = dup(1);
    dup2(copy, 1);
    puts("into the file");
    fflush(stdout);
    dup2(fd, 1);
    fstat(copy, &found);
    printf("%ld\n", (long)found.st_size);
}

static void environment(void)
{
    static char own[] = "OWN=1";

    clearenv();
    printf("%d ", getenv("HOME") == NULL);
    setenv("HOME", "/home", 1);
    setenv("HOME", "/else", 0);
    setenv("HO", "short", 1);
    putenv(own);
    own[4] = '2';
    printf("%s %s %s ", getenv("HOME"), getenv("HO"), getenv("OWN"));
    setenv("HOME", "", 1);
    printf("<%s> %d ", getenv("HOME"), unsetenv("HO"));
    printf("%d %d ", getenv("HO") == NULL, setenv("a=b", "c", 1));
    printf("%d ", errno == EINVAL);
    printf("%s %s\n", environ[0], environ[1]);
}

static int visits[8], depths, names;

static int visit(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    visits[kind]++;
    depths += where->level;
    names += path[where->base];
    return S_ISREG(about->st_mode) && about->st_size == 99 ? 5 : 0;
}

static int simply(const char *path, const struct stat *about, int kind)
{
    visits[kind] += (int)strlen(path);
    return 0 * (int)about->st_size;
}

static void walks(void)
{
    mkdir("w", 0777);
    mkdir("w/in", 0777);
    make("w/a", "12");
    make("w/in/b", "345");
    printf("%d ", nftw("w", visit, 9, 0));
    printf("%d ", nftw("w/", visit, 9, FTW_DEPTH | FTW_PHYS));
    printf("%d ", ftw("w", simply, 9));
    printf("%d ", nftw("nowhere", visit, 9, 0));
    printf("%d %d %d %d %d\n", visits[FTW_F], visits[FTW_D], visits[FTW_DP], depths, names);
    remove("w/in/b");
    remove("w/a");
    rmdir("w/in");
    rmdir("w");
}

static void waiting(void)
{
    int fd = open("waited", O_RDWR | O_CREAT, 0666);
    struct pollfd asked[3] = {{0, POLLIN, 9}, {0, POLLOUT, 9}, {0, POLLIN, 9}};
    struct timeval soon = {0, 10};
    fd_set read, write;
    unsigned char bytes[300];

    asked[0].fd = fd;
    asked[1].fd = 40;
    asked[2].fd = -1;
    printf("%d ", poll(asked, 3, 1));
    printf("%d %d %d ", asked[0].revents, asked[1].revents, asked[2].revents);
    FD_ZERO(&read);
    FD_ZERO(&write);
    FD_SET(fd, &read);
    FD_SET(fd, &write);
    FD_SET(fd + 1, &write);
    FD_CLR(fd + 1, &write);
    printf("%d ", select(fd + 2, &read, &write, NULL, &soon));
    printf("%d %d ", FD_ISSET(fd, &read), FD_ISSET(fd + 1, &write));
    FD_SET(40, &read);
    printf("%d ", select(41, &read, NULL, NULL, NULL));
    printf("%d ", errno == EBADF);
    printf("%d ", select(0, NULL, NULL, NULL, &soon));
    printf("%d %d\n", getentropy(bytes, 300), (int)getrandom(bytes, 300, 0));
    close(fd);
    remove("waited");
}

/* The functions that take the descriptor of a folder, with paths from the working directory. */
static void from_here(void)
{
    struct stat found;
    int fd = openat(AT_FDCWD, "at.tmp", O_CREAT | O_WRONLY, 0600);

    printf("%d ", (int)write(fd, "abc", 3));
    close(fd);
    printf("%d ", fstatat(AT_FDCWD, "at.tmp", &found, AT_SYMLINK_NOFOLLOW));
    printf("%d ", (int)found.st_size);
    printf("%d ", mkdirat(AT_FDCWD, "at.dir", 0700));
    printf("%d ", renameat(AT_FDCWD, "at.tmp", AT_FDCWD, "at.dir/x"));
    printf("%d ", faccessat(AT_FDCWD, "at.dir/x", R_OK, 0));
    printf("%d ", unlinkat(AT_FDCWD, "at.dir/x", 0));
    printf("%d ", unlinkat(AT_FDCWD, "at.dir", AT_REMOVEDIR));
    printf("%d ", faccessat(AT_FDCWD, "at.dir", F_OK, 0));
    printf("%d\n", errno == ENOENT);
}

/* Paths from the descriptor of a folder. */
static void from_folder(void)
{
    char text[8] = "";
    struct stat found;
    int folder, inner, file;

    mkdir("tree", 0755);
    folder = open("tree", O_RDONLY | O_DIRECTORY);
    printf("%d ", mkdirat(folder, "branch", 0755));
    inner = openat(folder, "branch", O_RDONLY);
    file = openat(inner, "leaf", O_RDWR | O_CREAT | O_TRUNC, 0644);
    printf("%ld ", (long)write(file, "green", 5));
    printf("%d ", close(file));
    file = openat(folder, "branch/leaf", O_RDONLY);
    printf("%ld ", (long)read(file, text, sizeof text));
    printf("%s %d ", text, fstatat(folder, "branch/leaf", &found, 0));
    printf("%ld %d\n", (long)found.st_size, S_ISREG(found.st_mode));
    printf("%d ", openat(file, "leaf", O_RDONLY));
    printf("%d ", errno == ENOTDIR);
    printf("%d ", openat(inner, "none", O_RDONLY));
    printf("%d ", errno == ENOENT);
    printf("%d ", openat(inner, "", O_RDONLY));
    printf("%d ", errno == ENOENT);
    close(file);
    printf("%d ", openat(file, "leaf", O_RDONLY));
    printf("%d ", errno == EBADF);
    printf("%d ", renameat(inner, "leaf", folder, "fallen"));
    printf("%d ", faccessat(folder, "branch/../fallen", R_OK, 0));
    printf("%d ", access("tree/fallen", R_OK));
    printf("%d ", unlinkat(inner, "fallen", 0));
    printf("%d ", unlinkat(folder, "fallen", 0));
    printf("%d ", unlinkat(folder, "branch", 0) == 0);
    printf("%d ", close(inner));
    printf("%d ", unlinkat(folder, "branch", AT_REMOVEDIR));
    printf("%d ", close(folder));
    printf("%d\n", rmdir("tree"));
}

static void tell(int result)
{
    printf("%d %s\n", result, errno ? strerror(errno) : "");
    errno = 0;
}

/* What descriptors that are not open, and files that are called folders, fail with. */
static void wrong(void)
{
    struct stat found;
    struct winsize size;

    make("plain", "x");
    errno = 0;
    tell(dprintf(-1, "x"));
    tell(fsync(99));
    tell(isatty(-1));
    tell(ioctl(99, TIOCGWINSZ, &size));
    tell(open("plain/", O_RDONLY));
    tell(open("other/", O_WRONLY | O_CREAT, 0666));
    tell(stat("plain/", &found));
    tell(access("plain/", F_OK));
    tell(unlink("plain/"));
    printf("%d %d\n", stat("./", &found), unlink("plain"));
}

/* Where relative paths begin, and who may read. */
static void elsewhere(void)
{
    char before[PATH_MAX], after[PATH_MAX];
    struct stat found;
    int here = open(".", O_RDONLY), there;

    mkdir("outer", 0777);
    mkdir("outer/inner", 0777);
    make("outer/inner/file", "text");
    getcwd(before, sizeof before);
    printf("%d ", chdir("outer/inner"));
    getcwd(after, sizeof after);
    printf("%s %d ", after + strlen(before), stat("file", &found));
    printf("%d ", chdir("../../outer"));
    printf("%d ", access("inner/file", R_OK));
    there = open("inner", O_RDONLY);
    printf("%d ", fchdir(there));
    printf("%d ", access("file", R_OK));
    errno = 0;
    tell(chdir("file"));
    tell(chdir("nowhere"));
    tell(fchdir(99));
    printf("%d ", chmod("file", 0640));
    show("file");
    printf("%d ", fchmodat(AT_FDCWD, "file", 0400, 0));
    show("file");
    printf("%d ", fchdir(here));
    close(here);
    close(there);
    here = open("outer/inner/file", O_RDONLY);
    printf("%d ", fchmod(here, 0600));
    show("outer/inner/file");
    errno = 0;
    tell(chmod("nowhere", 0600));
    tell(fchmod(99, 0600));
    close(here);
    unlink("outer/inner/file");
    printf("%d ", rmdir("outer/inner"));
    printf("%d\n", rmdir("outer"));
}

int main(void)
{
    char made[] = "made.XXXXXX", text[] = "text.XXXXXX.txt";
    int fd;

    folders();
    descriptors();
    environment();
    walks();
    waiting();
    from_here();
    from_folder();
    printf("%d ", chdir("."));
    printf("%d ", chdir("nowhere"));
    fd = mkstemps(text, 4);
    printf("%d %s %d ", fd >= 0, text + 5 + 6, unlink(text));
    printf("%d %d ", close(fd), mkstemps(text, 3));
    printf("%d ", mkdtemp(made) == made);
    printf("%d ", rmdir(made));
    printf("%d\n", rmdir(made));
    wrong();
    elsewhere();
    return 0;
}
