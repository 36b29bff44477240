/* scanf, fscanf, vscanf of C23 */

#define vfscanf __isoc23_vfscanf
#define vscanf __isoc23_vscanf
#define scanf __isoc23_scanf
#define fscanf __isoc23_fscanf
#include "vscanf.c"
#include "scanf.c"
#include "fscanf.c"
