#ifndef _FILE_T
#define _FILE_T
typedef struct _file FILE;
/* Macros take what functions do, any pointer that converts: their calls tell of others. */
#define __FILE_OF(f) ((FILE *)(f))
#endif
