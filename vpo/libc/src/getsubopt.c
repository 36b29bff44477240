/* getsubopt: the next of the options that one word has, separated by commas. */

#include <stdlib.h>
#include <string.h>

int getsubopt(char **rest, char *const *names, char **value)
{
    char *word = *rest, *end = word + strcspn(word, ","), *equals = memchr(word, '=', end - word);
    size_t length = (equals ? equals : end) - word;
    int i;

    if (*word == 0)
        return -1;
    *rest = *end ? end + 1 : end;
    *end = 0;
    for (i = 0; names[i]; i++)
        if (strncmp(names[i], word, length) == 0 && names[i][length] == 0) {
            *value = equals ? equals + 1 : NULL;
            return i;
        }
    *value = word;
    return -1;
}
