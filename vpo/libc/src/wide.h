/* What functions on wide characters share: they let the others work on bytes. */

#include <wchar.h>

/* A string as bytes, to be freed; NULL, with errno set, if there is no memory or some character is no byte. */
char *__narrow(const wchar_t *);
