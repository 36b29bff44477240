/* nl_langinfo */

#include <langinfo.h>

char *nl_langinfo(nl_item item)
{
    return item == CODESET ? "ANSI_X3.4-1968" : item == RADIXCHAR ? "." : "";
}
