/* sscanf, vsscanf of C23 */

#define vfscanf __isoc23_vfscanf
#define sscanf __isoc23_sscanf
#define vsscanf __isoc23_vsscanf
#include "sscanf.c"
