/* Reads formulas into trees by recursive descent, simplifies them, and evaluates them for many values. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUMBER, VARIABLE, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, NEGATE, LESS, CHOOSE };

struct tree {
    enum kind kind;
    int32_t value;
    struct tree *parts[3];
};

static struct tree trees[256];
static int used;
static const char *text;

static struct tree *make(enum kind kind, int32_t value, struct tree *a, struct tree *b)
{
    struct tree *tree = trees + used++;

    tree->kind = kind;
    tree->value = value;
    tree->parts[0] = a;
    tree->parts[1] = b;
    tree->parts[2] = NULL;
    return tree;
}

static struct tree *choice(void);

static int next_is(char letter)
{
    while (*text == ' ')
        text++;
    if (*text != letter)
        return 0;
    text++;
    return 1;
}

static struct tree *primary(void)
{
    struct tree *tree;

    if (next_is('(')) {
        tree = choice();
        next_is(')');
        return tree;
    }
    if (next_is('-'))
        return make(NEGATE, 0, primary(), NULL);
    if (*text >= 'a' && *text <= 'z')
        return make(VARIABLE, *text++ - 'a', NULL, NULL);
    tree = make(NUMBER, 0, NULL, NULL);
    for (; *text >= '0' && *text <= '9'; text++)
        tree->value = tree->value * 10 + *text - '0';
    return tree;
}

static struct tree *term(void)
{
    struct tree *tree = primary();

    for (;;)
        if (next_is('*'))
            tree = make(MULTIPLY, 0, tree, primary());
        else if (next_is('/'))
            tree = make(DIVIDE, 0, tree, primary());
        else if (next_is('%'))
            tree = make(REMAINDER, 0, tree, primary());
        else
            return tree;
}

static struct tree *sum(void)
{
    struct tree *tree = term();

    for (;;)
        if (next_is('+'))
            tree = make(ADD, 0, tree, term());
        else if (next_is('-'))
            tree = make(SUBTRACT, 0, tree, term());
        else
            return tree;
}

static struct tree *choice(void)
{
    struct tree *tree = sum();

    if (next_is('<'))
        tree = make(LESS, 0, tree, sum());
    if (next_is('?')) {
        tree = make(CHOOSE, 0, tree, choice());
        next_is(':');
        tree->parts[2] = choice();
    }
    return tree;
}

static int32_t evaluate(const struct tree *tree, const int32_t *variables)
{
    int32_t a, b;

    switch (tree->kind) {
    case NUMBER:
        return tree->value;
    case VARIABLE:
        return variables[tree->value];
    case NEGATE:
        return (int32_t)(0u - (uint32_t)evaluate(tree->parts[0], variables));
    case CHOOSE:
        return evaluate(tree->parts[evaluate(tree->parts[0], variables) ? 1 : 2], variables);
    default:
        break;
    }
    a = evaluate(tree->parts[0], variables);
    b = evaluate(tree->parts[1], variables);
    switch (tree->kind) {
    case ADD:
        return (int32_t)((uint32_t)a + (uint32_t)b);
    case SUBTRACT:
        return (int32_t)((uint32_t)a - (uint32_t)b);
    case MULTIPLY:
        return (int32_t)((uint32_t)a * (uint32_t)b);
    case DIVIDE:
        return b > 0 ? a / b : 0;
    case REMAINDER:
        return b > 0 ? a % b : 0;
    default:
        return a < b;
    }
}

static int is_number(const struct tree *tree, int32_t value)
{
    return tree->kind == NUMBER && tree->value == value;
}

static struct tree *simplified(struct tree *tree)
{
    static const int32_t none[26];
    int constant = tree->kind != VARIABLE && tree->kind != NUMBER;

    for (int i = 0; i < 3 && tree->parts[i]; i++) {
        tree->parts[i] = simplified(tree->parts[i]);
        constant &= tree->parts[i]->kind == NUMBER;
    }
    if (constant)
        return make(NUMBER, evaluate(tree, none), NULL, NULL);
    if ((tree->kind == ADD || tree->kind == SUBTRACT) && is_number(tree->parts[1], 0))
        return tree->parts[0];
    if (tree->kind == MULTIPLY && is_number(tree->parts[1], 1))
        return tree->parts[0];
    if (tree->kind == NEGATE && tree->parts[0]->kind == NEGATE)
        return tree->parts[0]->parts[0];
    return tree;
}

int main(int argc, char **argv)
{
    static const char *const formulas[] = {
        "a*a + 2*a*b + b*b - 3*(4 - 4)", "a < b ? a % 17 : b / (a % 5 + 1)", "--a * (1 + 0) + (7 - 3) * 2 * c",
        "((a + b) * (a - b) + c * c) % (d + 1)", "a % 2 < 1 ? a / 2 : 3 * a + 1",
    };
    int rounds = argc > 1 ? atoi(argv[1]) : 300;
    uint32_t total = 0;

    for (unsigned f = 0; f < sizeof formulas / sizeof *formulas; f++) {
        struct tree *tree;
        int32_t variables[26] = {0};

        used = 0;
        text = formulas[f];
        tree = simplified(choice());
        for (int i = 0; i < rounds; i++) {
            for (int v = 0; v < 4; v++)
                variables[v] = (i * (v + 3) + (int)f) % 1000;
            total = total * 31 + (uint32_t)evaluate(tree, variables);
        }
        printf("%d trees, %08lx\n", used, (unsigned long)total);
    }
    return 0;
}
