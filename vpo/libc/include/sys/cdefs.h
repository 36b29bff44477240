#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __P(arguments) arguments
#endif
