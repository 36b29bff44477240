#ifndef _FEATURES_H
#define _FEATURES_H
#include <sys/cdefs.h>
/* Everything is declared, whatever a program asks for. */
#endif
