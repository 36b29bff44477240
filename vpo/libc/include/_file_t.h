#ifndef _FILE_T
#define _FILE_T
typedef struct _file FILE;
#endif
