/* What the parts of scanf share. */

#include "lengths.h"
#include "stream.h"

/* The input of one call. */
struct input {
    FILE *f;
    int count; /* characters read so far */
    int left;  /* how many more the conversion may read */
};

/* The next character, or EOF at the end of the input or of the field; the latest can be given back. */
int __next_character(struct input *);
void __give_back(struct input *, int);

/* Reads what strtod converts, `size` characters at most; returns how many, 0 if it is no number. */
int __scan_float(struct input *, char *, int);
