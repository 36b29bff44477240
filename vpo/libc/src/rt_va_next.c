/* What va_arg calls where a va_list tells of saved argument registers, as in the System V convention of x86-64. */

struct list {
    unsigned integer, floating; /* of the saved registers, how many bytes are used up */
    char *stack, *saved;
};

/* Return the address of an argument of one word or two. Its shape: their number, and 4 and 8 for those in floating
 * registers. They are put together in `room` if they are apart. */
void *__va_next(struct list *list, unsigned shape, unsigned align, unsigned integers_end, unsigned end, long *room)
{
    unsigned words = shape & 3, floats = shape >> 2;
    unsigned floating = (floats & 1) + (floats >> 1), integers = words - floating, i;
    unsigned integer = list->integer, step = 2 * sizeof(long), at = list->floating;
    char *found = floating ? list->saved + at : list->saved + integer;

    if (integer + integers * sizeof(long) > integers_end || at + floating * step > end) {
        found = list->stack + (-(unsigned long)list->stack & (align - 1));
        list->stack = found + words * sizeof(long);
        return found;
    }
    list->integer = integer + integers * sizeof(long);
    list->floating = at + floating * step;
    if (words == 1 || !floating)
        return found;
    for (i = 0; i < words; i++) {
        if (floats >> i & 1) {
            room[i] = *(long *)(list->saved + at);
            at += step;
        } else {
            room[i] = *(long *)(list->saved + integer);
            integer += sizeof(long);
        }
    }
    return room;
}
