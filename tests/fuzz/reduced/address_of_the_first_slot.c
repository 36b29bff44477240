/* expect: 7, also on: stack */
/* The address of what lies first in a frame is the stack pointer itself, and was no operand (seeds 53, 232). */
extern int putchar(int c);

int **shared;
int cell = '7';

int *give(long long unused, int *first, int *second, short last) {
    int *local = first;
    shared = &local;
    return last ? second : *shared;
}

int main(void) {
    int other = 0;
    putchar(*give(0, &cell, &other, 0));
    putchar('\n');
    return 0;
}
