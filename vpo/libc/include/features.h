#ifndef _FEATURES_H
#define _FEATURES_H
/* Everything is declared, whatever a program asks for. */
#endif
