#ifndef _NL_TYPES_H
#define _NL_TYPES_H
/* There are no catalogues of messages: none is opened, and the texts are those of the program. */
typedef void *nl_catd;
typedef int nl_item;
#define NL_SETD 1
#define NL_CAT_LOCALE 1
nl_catd catopen(const char *, int);
char *catgets(nl_catd, int, int, const char *);
int catclose(nl_catd);
#endif
