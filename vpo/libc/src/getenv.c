/* getenv, setenv, unsetenv, putenv, clearenv. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static char **allocated; /* what setenv made of it */

static char **find(const char *name, size_t length)
{
    char **entry;

    if (environ == NULL)
        return NULL;
    for (entry = environ; *entry; entry++)
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return entry;
    return NULL;
}

char *getenv(const char *name)
{
    size_t length = strlen(name);
    char **entry = find(name, length);

    return entry ? *entry + length + 1 : NULL;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

/* Puts "NAME=VALUE" into the environment. */
static int put(char *text, size_t length)
{
    char **entry = find(text, length), **more;
    size_t count = 0;

    if (entry) {
        *entry = text;
        return 0;
    }
    while (environ && environ[count])
        count++;
    more = realloc(environ == allocated ? allocated : NULL, (count + 2) * sizeof *more);
    if (more == NULL)
        return -1;
    if (environ && environ != allocated)
        memcpy(more, environ, count * sizeof *more);
    more[count] = text;
    more[count + 1] = NULL;
    environ = allocated = more;
    return 0;
}

static int is_name(const char *name)
{
    if (name && *name && strchr(name, '=') == NULL)
        return 1;
    errno = EINVAL;
    return 0;
}

int setenv(const char *name, const char *value, int overwrite)
{
    size_t length;
    char *text;

    if (!is_name(name))
        return -1;
    length = strlen(name);
    if (!overwrite && find(name, length))
        return 0;
    text = malloc(length + strlen(value) + 2);
    if (text == NULL)
        return -1;
    strcpy(text, name);
    text[length] = '=';
    strcpy(text + length + 1, value);
    return put(text, length);
}

int unsetenv(const char *name)
{
    char **entry;

    if (!is_name(name))
        return -1;
    while ((entry = find(name, strlen(name))))
        do
            entry[0] = entry[1];
        while (*entry++);
    return 0;
}

int putenv(char *text)
{
    size_t length = strcspn(text, "=");

    return text[length] ? put(text, length) : unsetenv(text);
}

int clearenv(void)
{
    environ = NULL;
    return 0;
}
