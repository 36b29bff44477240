/* What va_arg calls where a va_list counts the saved argument registers, as in the System V convention of PowerPC. */

struct list {
    unsigned char integer, floating; /* how many saved registers are used up */
    unsigned short reserved;
    char *stack, *saved;
};

/* Return the address of an argument of one word or two, in floating registers or not. Integers of two words lie in even
 * registers and the next ones; once there is none left for them, the others stay unused. */
void *__va_next_counted(struct list *list, unsigned floating, unsigned words, unsigned integers, unsigned floats)
{
    unsigned first = list->integer, size = words * sizeof(long);
    char *found;

    if (floating) {
        if (list->floating < floats)
            return list->saved + integers * sizeof(long) + 2 * sizeof(long) * list->floating++;
    } else {
        first += words - 1 & first;
        if (first + words <= integers) {
            list->integer = first + words;
            return list->saved + first * sizeof(long);
        }
        list->integer = integers;
    }
    found = list->stack + (-(unsigned long)list->stack & (size - 1));
    list->stack = found + size;
    return found;
}
