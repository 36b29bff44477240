#ifndef _LANGINFO_H
#define _LANGINFO_H
typedef int nl_item;
#define CODESET 14
#define RADIXCHAR 0x10000
char *nl_langinfo(nl_item);
#endif
