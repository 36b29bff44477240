/* A state machine that tells apart the words, numbers and errors of a text, letter by letter, as a table and as a switch. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { START, WORD, WHOLE, POINT, FRACTION, EXPONENT, SIGN, POWER, HEX, FAILED, STATES };
enum class { LETTER, EXPONENT_LETTER, HEX_LETTER, DIGIT, ZERO, DOT, PLUS_MINUS, SPACE, OTHER, CLASSES };

static unsigned char class_of[256], table[STATES][CLASSES];
static unsigned long ends[STATES], visits[STATES];

static enum state next_by_switch(enum state state, int letter)
{
    int digit = letter >= '0' && letter <= '9';

    switch (state) {
    case START:
        if (digit)
            return WHOLE;
        if ((letter >= 'a' && letter <= 'z') || letter == '_')
            return WORD;
        return letter == '.' ? POINT : letter == '+' || letter == '-' ? START : FAILED;
    case WORD:
        return digit || (letter >= 'a' && letter <= 'z') || letter == '_' ? WORD : FAILED;
    case WHOLE:
        if (digit)
            return WHOLE;
        return letter == '.' ? FRACTION : letter == 'e' ? EXPONENT : letter == 'x' ? HEX : FAILED;
    case POINT:
        return digit ? FRACTION : FAILED;
    case FRACTION:
        return digit ? FRACTION : letter == 'e' ? EXPONENT : FAILED;
    case EXPONENT:
        return digit ? POWER : letter == '+' || letter == '-' ? SIGN : FAILED;
    case SIGN:
    case POWER:
        return digit ? POWER : FAILED;
    case HEX:
        return digit || (letter >= 'a' && letter <= 'f') ? HEX : FAILED;
    default:
        return FAILED;
    }
}

static void make_table(void)
{
    static const char samples[CLASSES] = {'g', 'e', 'a', '1', '0', '.', '+', ' ', '?'};

    for (int i = 0; i < 256; i++)
        class_of[i] = OTHER;
    for (int i = 'a'; i <= 'z'; i++)
        class_of[i] = i == 'e' ? EXPONENT_LETTER : i <= 'f' ? HEX_LETTER : LETTER;
    for (int i = '0'; i <= '9'; i++)
        class_of[i] = i == '0' ? ZERO : DIGIT;
    class_of['_'] = LETTER;
    class_of['.'] = DOT;
    class_of['+'] = class_of['-'] = PLUS_MINUS;
    class_of[' '] = SPACE;
    for (int state = 0; state < STATES; state++)
        for (int class = 0; class < CLASSES; class++)
            table[state][class] = (unsigned char)next_by_switch((enum state)state, samples[class]);
}

static void scan_by_switch(const char *text)
{
    enum state state = START;

    for (; *text; text++) {
        if (*text == ' ') {
            ends[state]++;
            state = START;
            continue;
        }
        state = next_by_switch(state, (unsigned char)*text);
        visits[state]++;
    }
}

static void scan_by_table(const char *text)
{
    unsigned state = START;

    for (; *text; text++) {
        unsigned class = class_of[(unsigned char)*text];

        if (class == SPACE) {
            ends[state]++;
            state = START;
        } else {
            state = table[state][class];
            visits[state]++;
        }
    }
}

int main(int argc, char **argv)
{
    static const char *const words[] = {"12", "3.25", "-1e+9", "name", "x_1", ".5", "7e", "0", "9z", "1.5e-3", "?", "+42"};
    int count = argc > 1 ? atoi(argv[1]) : 2000;
    char *text = malloc((size_t)count * 8 + 1), *end = text;
    unsigned long seed = 3, sum = 0;

    make_table();
    for (int i = 0; i < count; i++) {
        const char *word = words[(seed >> 8) % (sizeof words / sizeof *words)];

        seed = (seed * 1103515245ul + 12345) & 0x7fffffff;
        while (*word)
            *end++ = *word++;
        *end++ = ' ';
    }
    *end = 0;
    for (int i = 0; i < 4; i++) {
        scan_by_switch(text);
        scan_by_table(text);
    }
    for (int i = 0; i < STATES; i++) {
        sum = (sum * 31 + ends[i] * 7 + visits[i]) & 0xffffffff;
        printf("%lu%c", ends[i], i + 1 < STATES ? ' ' : '\n');
    }
    printf("%ld letters, %08lx\n", (long)strlen(text), sum);
    free(text);
    return 0;
}
