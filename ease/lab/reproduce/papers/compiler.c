/*
 * A compiler for a small C, and the machine that its code is for.
 *
 *     compiler [COMPILATIONS [ROUNDS [FILE]]]
 *
 * compiles a program (FILE, or the one at the end of this file) so many times, and runs it on ROUNDS. Trees become
 * instructions with any number of registers, which are improved block by block and by liveness, allocated to the
 * machine's registers by a linear scan, and interpreted. It is a long program for measurements: a lexer, a parser,
 * data flow and an interpreter, as compilers and interpreters of many thousand lines have them.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- memory */

struct arena {
    struct arena *next;
    size_t used, size;
    long long start[];
};

static struct arena *arena;
static int line;

static void fail(const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "line %d: ", line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static void *allocate(size_t size)
{
    size_t room = size > 65536 ? size : 65536;
    void *found;

    size = (size + 7) & ~(size_t)7;
    if (!arena || arena->used + size > arena->size) {
        struct arena *more = malloc(sizeof *more + room + 8);

        if (!more)
            fail("no memory");
        more->next = arena;
        more->used = 0;
        more->size = room + 8;
        arena = more;
    }
    found = (char *)arena->start + arena->used;
    arena->used += size;
    return memset(found, 0, size);
}

static void release(void)
{
    while (arena) {
        struct arena *next = arena->next;

        free(arena);
        arena = next;
    }
}

static void *grown(void *old, size_t used, size_t *room, size_t size)
{
    void *more;

    if (used < *room)
        return old;
    more = allocate((*room * 2 + 16) * size);
    if (used)
        memcpy(more, old, used * size);
    *room = *room * 2 + 16;
    return more;
}

/* -------------------------------------------------------------------------------------------------------- tokens */

enum token_kind { END, NUMBER, STRING, NAME, SIGN, WORD };
enum word {
    W_NONE, W_BREAK, W_CASE, W_CHAR, W_CONTINUE, W_DEFAULT, W_DO, W_ELSE, W_ENUM, W_FOR, W_IF, W_INT, W_RETURN, W_SIZEOF,
    W_STRUCT, W_SWITCH, W_VOID, W_WHILE
};

static const char *const words[] = {
    "", "break", "case", "char", "continue", "default", "do", "else", "enum", "for", "if", "int", "return", "sizeof",
    "struct", "switch", "void", "while"
};

struct name {
    struct name *next;
    enum word word;
    unsigned hash;
    char text[];
};

#define BUCKETS 512
#define SIGN2(a, b) ((a) | (b) << 8)
#define SIGN3(a, b, c) ((a) | (b) << 8 | (c) << 16)

static struct name *buckets[BUCKETS];
static const char *at;
static struct {
    enum token_kind kind;
    int value; /* of a number, a sign or a word; the length of a string */
    struct name *name;
    const char *text;
} token;
static long tokens;

static struct name *intern(const char *text, size_t length)
{
    unsigned hash = 2166136261u;
    struct name *found;
    size_t i;

    for (i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    for (found = buckets[hash % BUCKETS]; found; found = found->next)
        if (found->hash == hash && !strncmp(found->text, text, length) && !found->text[length])
            return found;
    found = allocate(sizeof *found + length + 1);
    memcpy(found->text, text, length);
    found->hash = hash;
    found->next = buckets[hash % BUCKETS];
    buckets[hash % BUCKETS] = found;
    return found;
}

static void skip_space(void)
{
    for (;; at++) {
        if (*at == '\n') {
            line++;
        } else if (at[0] == '/' && at[1] == '*') {
            for (at += 2; *at && !(at[0] == '*' && at[1] == '/'); at++)
                line += *at == '\n';
            if (!*at)
                fail("a comment does not end");
            at++;
        } else if (*at != ' ' && *at != '\t' && *at != '\r') {
            return;
        }
    }
}

static int is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int escaped(void)
{
    int c = *at++;

    if (c != '\\')
        return c;
    switch (c = *at++) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case '0':
        return 0;
    default:
        return c;
    }
}

static void read_number(void)
{
    unsigned value = 0;

    token.kind = NUMBER;
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        for (at += 2; is_digit(*at) || is_letter(*at); at++) {
            int digit = is_digit(*at) ? *at - '0' : (*at | 32) - 'a' + 10;

            if (digit > 15)
                fail("'%c' is no digit", *at);
            value = value * 16 + digit;
        }
    } else {
        for (; is_digit(*at); at++)
            value = value * 10 + (*at - '0');
    }
    token.value = (int)value;
}

static void read_string(void)
{
    char *text = allocate(strlen(at) < 200 ? strlen(at) + 1 : 200);

    token.kind = STRING;
    token.value = 0;
    for (at++; *at != '"'; ) {
        if (!*at || *at == '\n' || token.value > 198)
            fail("a string does not end");
        text[token.value++] = (char)escaped();
    }
    at++;
    token.text = text;
}

static void read_sign(void)
{
    static const char *const three[] = {"<<=", ">>=", 0};
    static const char *const two[] = {
        "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", 0
    };
    const char *const *each;

    token.kind = SIGN;
    for (each = three; *each; each++)
        if (!strncmp(at, *each, 3)) {
            token.value = SIGN3(at[0], at[1], at[2]);
            at += 3;
            return;
        }
    for (each = two; *each; each++)
        if (!strncmp(at, *each, 2)) {
            token.value = SIGN2(at[0], at[1]);
            at += 2;
            return;
        }
    if (!strchr("+-*/%&|^~!<>=?:;,.()[]{}", *at))
        fail("'%c' is no sign", *at);
    token.value = *at++;
}

static void advance(void)
{
    const char *start;

    skip_space();
    tokens++;
    if (!*at) {
        token.kind = END;
    } else if (is_letter(*at)) {
        for (start = at; is_letter(*at) || is_digit(*at); at++)
            ;
        token.name = intern(start, at - start);
        token.kind = token.name->word ? WORD : NAME;
        token.value = token.name->word;
    } else if (is_digit(*at)) {
        read_number();
    } else if (*at == '"') {
        read_string();
    } else if (*at == '\'') {
        at++;
        token.kind = NUMBER;
        token.value = escaped();
        if (*at++ != '\'')
            fail("a character does not end");
    } else {
        read_sign();
    }
}

static int next_is(int sign)
{
    if (token.kind != SIGN || token.value != sign)
        return 0;
    advance();
    return 1;
}

static int next_word(enum word word)
{
    if (token.kind != WORD || token.value != (int)word)
        return 0;
    advance();
    return 1;
}

static void expect(int sign)
{
    if (!next_is(sign))
        fail("expected '%c'", sign & 255);
}

static struct name *expect_name(void)
{
    struct name *name = token.name;

    if (token.kind != NAME)
        fail("expected a name");
    advance();
    return name;
}

/* ----------------------------------------------------------------------------------------------- types, symbols */

enum type_kind { T_VOID, T_INT, T_CHAR, T_POINTER, T_ARRAY, T_STRUCT };

struct type {
    enum type_kind kind;
    int size, align;
    struct type *base;
    struct symbol *members;
    struct name *tag;
};

enum storage { S_CONSTANT, S_GLOBAL, S_LOCAL, S_FUNCTION, S_MEMBER };

struct symbol {
    struct symbol *next;
    struct name *name;
    struct type *type;
    enum storage storage;
    int value;     /* of a constant; an address, an offset, or the number of a register or function */
    int in_memory; /* of a local variable */
    int parameters;
};

static struct type void_type = {T_VOID, 0, 1, 0, 0, 0}, int_type = {T_INT, 4, 4, 0, 0, 0}, char_type = {T_CHAR, 1, 1, 0, 0, 0};
static struct symbol *symbols, *structs, *locals;

static struct type *new_type(enum type_kind kind, int size, int align, struct type *base)
{
    struct type *type = allocate(sizeof *type);

    type->kind = kind;
    type->size = size;
    type->align = align;
    type->base = base;
    return type;
}

static struct type *pointer_to(struct type *base)
{
    return new_type(T_POINTER, 4, 4, base);
}

static int is_pointer(const struct type *type)
{
    return type->kind == T_POINTER || type->kind == T_ARRAY;
}

static int is_scalar(const struct type *type)
{
    return type->kind == T_INT || type->kind == T_CHAR || type->kind == T_POINTER;
}

static struct symbol *find(struct symbol *list, const struct name *name)
{
    while (list && list->name != name)
        list = list->next;
    return list;
}

static struct symbol *declare(struct symbol **list, struct name *name, struct type *type, enum storage storage, int value)
{
    struct symbol *symbol = allocate(sizeof *symbol);

    symbol->next = *list;
    symbol->name = name;
    symbol->type = type;
    symbol->storage = storage;
    symbol->value = value;
    *list = symbol;
    return symbol;
}

static int aligned(int offset, int align)
{
    return (offset + align - 1) / align * align;
}

/* --------------------------------------------------------------------------------------------------------- trees */

enum node_kind {
    N_NUMBER, N_LOCAL, N_GLOBAL, N_UNARY, N_BINARY, N_ASSIGN, N_AND, N_OR, N_CHOICE, N_COMMA, N_CALL, N_FETCH, N_ADDRESS,
    N_STEP, /* a variable changes by the number in `value`, before its value is taken if `sign` is 1 */
    N_EXPRESSION, N_IF, N_WHILE, N_DO, N_FOR, N_SWITCH, N_CASE, N_BREAK, N_CONTINUE, N_RETURN, N_BLOCK
};

struct node {
    enum node_kind kind;
    int sign, value, line;
    struct type *type;
    struct symbol *symbol;
    struct node *a, *b, *c, *d;
    struct node *next; /* of arguments and statements */
};

static long nodes;
static unsigned char *image; /* what is in memory at the start */
static int image_used;

#define MEMORY (1 << 22)
#define ROOM (1 << 21) /* for globals; above is the stack */

static struct node *new_node(enum node_kind kind, struct type *type, struct node *a, struct node *b)
{
    struct node *node = allocate(sizeof *node);

    node->kind = kind;
    node->type = type;
    node->a = a;
    node->b = b;
    node->line = line;
    nodes++;
    return node;
}

static struct node *number(int value)
{
    struct node *node = new_node(N_NUMBER, &int_type, 0, 0);

    node->value = value;
    return node;
}

static int is_number(const struct node *node)
{
    return node->kind == N_NUMBER;
}

/* The result of an operator for known operands; *known is cleared for what has none. */
static int computed(int sign, int a, int b, int *known)
{
    unsigned x = (unsigned)a, y = (unsigned)b;

    switch (sign) {
    case '+':
        return (int)(x + y);
    case '-':
        return (int)(x - y);
    case '*':
        return (int)(x * y);
    case '/':
    case '%':
        if (!b || (b == -1 && a == -2147483647 - 1)) {
            *known = 0;
            return 0;
        }
        return sign == '/' ? a / b : a % b;
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case SIGN2('<', '<'):
        return (int)(x << (y & 31));
    case SIGN2('>', '>'):
        return a >> (y & 31);
    case '<':
        return a < b;
    case '>':
        return a > b;
    case SIGN2('<', '='):
        return a <= b;
    case SIGN2('>', '='):
        return a >= b;
    case SIGN2('=', '='):
        return a == b;
    case SIGN2('!', '='):
        return a != b;
    default:
        *known = 0;
        return 0;
    }
}

static struct node *binary(int sign, struct node *a, struct node *b)
{
    struct node *node;
    int known = 1, value;

    if (is_number(a) && is_number(b)) {
        value = computed(sign, a->value, b->value, &known);
        if (known)
            return number(value);
    }
    if (is_number(a) && (sign == '+' || sign == '*' || sign == '&' || sign == '|' || sign == '^')) {
        node = a;
        a = b;
        b = node;
    }
    if (is_number(b)) {
        if (b->value == 0 && (sign == '+' || sign == '-' || sign == '|' || sign == '^'))
            return a;
        if (b->value == 1 && (sign == '*' || sign == '/'))
            return a;
        if (sign == '+' && a->kind == N_BINARY && a->sign == '+' && is_number(a->b))
            return binary('+', a->a, number((int)((unsigned)a->b->value + (unsigned)b->value)));
        if (sign == '*' && b->value > 0 && !(b->value & (b->value - 1))) {
            for (value = 0; 1 << value < b->value; value++)
                ;
            return binary(SIGN2('<', '<'), a, number(value));
        }
    }
    node = new_node(N_BINARY, &int_type, a, b);
    node->sign = sign;
    return node;
}

static struct node *typed(struct node *node, struct type *type)
{
    struct node *copy;

    if (node->type == type)
        return node;
    copy = allocate(sizeof *copy);
    *copy = *node;
    copy->type = type;
    return copy;
}

/* The value of a place: arrays and structures are their addresses. */
static struct node *fetched(struct node *address, struct type *type)
{
    return new_node(N_FETCH, type, address, 0);
}

static struct node *value_of(struct node *node)
{
    if (node->type->kind == T_ARRAY) {
        struct type *type = pointer_to(node->type->base);

        if (node->kind == N_FETCH)
            return typed(node->a, type);
        if (node->kind == N_LOCAL)
            node->symbol->in_memory = 1;
        return new_node(N_ADDRESS, type, node, 0);
    }
    return node;
}

static struct node *address_of(struct node *node)
{
    if (node->kind == N_FETCH)
        return typed(node->a, pointer_to(node->type));
    if (node->kind != N_LOCAL && node->kind != N_GLOBAL)
        fail("this has no address");
    if (node->kind == N_LOCAL)
        node->symbol->in_memory = 1;
    return new_node(N_ADDRESS, pointer_to(node->type), node, 0);
}

static struct node *added(int sign, struct node *a, struct node *b)
{
    struct node *node;

    a = value_of(a);
    b = value_of(b);
    if (is_pointer(b->type) && !is_pointer(a->type) && sign == '+')
        return added('+', b, a);
    if (is_pointer(a->type) && is_pointer(b->type)) {
        int size = a->type->base->size;

        node = binary('-', a, b);
        return size == 1 ? node : binary('/', node, number(size));
    }
    if (is_pointer(a->type)) {
        node = binary(sign, a, binary('*', b, number(a->type->base->size)));
        return typed(node, a->type);
    }
    return binary(sign, a, b);
}

/* -------------------------------------------------------------------------------------------------- expressions */

static struct node *expression(void);
static struct node *assignment(void);
static struct type *type_name(void);

static int starts_type(void)
{
    return token.kind == WORD
        && (token.value == W_INT || token.value == W_CHAR || token.value == W_VOID || token.value == W_STRUCT);
}

static int put_string(const char *text, int length)
{
    int address = image_used;

    if (image_used + length + 1 > ROOM)
        fail("too much data");
    memcpy(image + image_used, text, length);
    image[image_used + length] = 0;
    image_used += length + 1;
    return address;
}

static struct node *called(struct symbol *function)
{
    struct node *node = new_node(N_CALL, function->type, 0, 0), **end = &node->a;
    int count = 0;

    node->symbol = function;
    if (!next_is(')')) {
        do {
            *end = new_node(N_COMMA, &int_type, value_of(assignment()), 0);
            end = &(*end)->next;
            count++;
        } while (next_is(','));
        expect(')');
    }
    if (count != function->parameters)
        fail("'%s' has %d parameters", function->name->text, function->parameters);
    return node;
}

static struct node *primary(void)
{
    struct node *node;
    struct symbol *symbol;

    if (token.kind == NUMBER) {
        node = number(token.value);
        advance();
        return node;
    }
    if (token.kind == STRING) {
        node = number(put_string(token.text, token.value));
        advance();
        return typed(node, pointer_to(&char_type));
    }
    if (next_is('(')) {
        node = expression();
        expect(')');
        return node;
    }
    if (token.kind != NAME)
        fail("expected an expression");
    symbol = find(locals, token.name);
    if (!symbol)
        symbol = find(symbols, token.name);
    if (!symbol)
        fail("'%s' is not declared", token.name->text);
    advance();
    switch (symbol->storage) {
    case S_CONSTANT:
        return number(symbol->value);
    case S_FUNCTION:
        expect('(');
        return called(symbol);
    default:
        node = new_node(symbol->storage == S_LOCAL ? N_LOCAL : N_GLOBAL, symbol->type, 0, 0);
        node->symbol = symbol;
        return node;
    }
}

static struct node *member(struct node *place, struct type *type)
{
    struct symbol *found = type->kind == T_STRUCT ? find(type->members, token.name) : 0;

    if (!found)
        fail("there is no member '%s'", token.kind == NAME ? token.name->text : "");
    advance();
    return fetched(typed(binary('+', place, number(found->value)), pointer_to(found->type)), found->type);
}

static struct node *stepped(struct node *place, int by, int before)
{
    struct node *node = new_node(N_STEP, place->type, place, 0);

    node->value = place->type->kind == T_POINTER ? by * place->type->base->size : by;
    node->sign = before;
    return node;
}

static struct node *postfix(void)
{
    struct node *node = primary();

    for (;;) {
        if (next_is('[')) {
            node = added('+', node, expression());
            expect(']');
            if (!is_pointer(node->type))
                fail("this is no array");
            node = fetched(node, node->type->base);
        } else if (next_is('.')) {
            node = member(address_of(node), node->type);
        } else if (next_is(SIGN2('-', '>'))) {
            node = value_of(node);
            if (!is_pointer(node->type))
                fail("this is no pointer");
            node = member(node, node->type->base);
        } else if (next_is(SIGN2('+', '+'))) {
            node = stepped(node, 1, 0);
        } else if (next_is(SIGN2('-', '-'))) {
            node = stepped(node, -1, 0);
        } else {
            return node;
        }
    }
}

static struct node *unary(void)
{
    struct node *node;
    struct type *type;
    int sign;

    if (next_word(W_SIZEOF)) {
        expect('(');
        type = starts_type() ? type_name() : expression()->type;
        expect(')');
        return number(type->size);
    }
    if (token.kind != SIGN)
        return postfix();
    sign = token.value;
    switch (sign) {
    case '-':
    case '~':
    case '!':
        advance();
        node = value_of(unary());
        if (sign == '!')
            return binary(SIGN2('=', '='), node, number(0));
        return sign == '-' ? binary('-', number(0), node) : binary('^', node, number(-1));
    case '*':
        advance();
        node = value_of(unary());
        if (!is_pointer(node->type))
            fail("this is no pointer");
        return fetched(node, node->type->base);
    case '&':
        advance();
        return address_of(unary());
    case SIGN2('+', '+'):
        advance();
        return stepped(unary(), 1, 1);
    case SIGN2('-', '-'):
        advance();
        return stepped(unary(), -1, 1);
    default:
        return postfix();
    }
}

static int precedence(int sign)
{
    switch (sign) {
    case '*':
    case '/':
    case '%':
        return 10;
    case '+':
    case '-':
        return 9;
    case SIGN2('<', '<'):
    case SIGN2('>', '>'):
        return 8;
    case '<':
    case '>':
    case SIGN2('<', '='):
    case SIGN2('>', '='):
        return 7;
    case SIGN2('=', '='):
    case SIGN2('!', '='):
        return 6;
    case '&':
        return 5;
    case '^':
        return 4;
    case '|':
        return 3;
    case SIGN2('&', '&'):
        return 2;
    case SIGN2('|', '|'):
        return 1;
    default:
        return 0;
    }
}

static struct node *operators(int least)
{
    struct node *node = unary(), *right;
    int sign, binds;

    while (token.kind == SIGN && (binds = precedence(token.value)) >= least && binds) {
        sign = token.value;
        advance();
        right = operators(binds + 1);
        if (sign == SIGN2('&', '&') || sign == SIGN2('|', '|'))
            node = new_node(sign == SIGN2('&', '&') ? N_AND : N_OR, &int_type, value_of(node), value_of(right));
        else if (sign == '+' || sign == '-')
            node = added(sign, node, right);
        else
            node = binary(sign, value_of(node), value_of(right));
    }
    return node;
}

static struct node *choice(void)
{
    struct node *node = operators(1), *result;

    if (!next_is('?'))
        return node;
    result = new_node(N_CHOICE, 0, value_of(node), value_of(expression()));
    expect(':');
    result->c = value_of(choice());
    result->type = result->b->type;
    return result;
}

static struct node *assignment(void)
{
    struct node *node = choice(), *value;
    int sign;

    if (token.kind != SIGN)
        return node;
    sign = token.value;
    if (sign == '=') {
        advance();
        value = value_of(assignment());
    } else if (sign > 255 && (sign >> (sign > 65535 ? 16 : 8)) == '=' && precedence(sign) == 0) {
        advance();
        sign &= sign > 65535 ? 65535 : 255;
        value = value_of(assignment());
        value = sign == '+' || sign == '-' ? added(sign, node, value) : binary(sign, node, value);
    } else {
        return node;
    }
    if (node->kind != N_LOCAL && node->kind != N_GLOBAL && node->kind != N_FETCH)
        fail("nothing can be assigned to this");
    return new_node(N_ASSIGN, node->type, node, value);
}

static struct node *expression(void)
{
    struct node *node = assignment();

    while (next_is(',')) {
        struct node *right = assignment();

        node = new_node(N_COMMA, right->type, node, right);
    }
    return node;
}

static int constant(void)
{
    struct node *node = choice();

    if (!is_number(node))
        fail("expected a constant");
    return node->value;
}

/* ------------------------------------------------------------------------------------------------- declarations */

static struct type *struct_type(void)
{
    struct name *tag = expect_name();
    struct symbol *known = find(structs, tag);
    struct type *type;

    if (!known)
        known = declare(&structs, tag, new_type(T_STRUCT, 0, 4, 0), S_MEMBER, 0);
    type = known->type;
    if (!next_is('{'))
        return type;
    while (!next_is('}')) {
        struct type *base = type_name();

        do {
            struct type *each = base;
            struct name *name;

            while (next_is('*'))
                each = pointer_to(each);
            name = expect_name();
            if (next_is('[')) {
                int count = constant();

                each = new_type(T_ARRAY, each->size * count, each->align, each);
                expect(']');
            }
            type->size = aligned(type->size, each->align);
            declare(&type->members, name, each, S_MEMBER, type->size);
            type->size += each->size;
        } while (next_is(','));
        expect(';');
    }
    type->size = aligned(type->size, 4);
    return type;
}

static struct type *type_name(void)
{
    struct type *type;

    if (next_word(W_INT))
        type = &int_type;
    else if (next_word(W_CHAR))
        type = &char_type;
    else if (next_word(W_VOID))
        type = &void_type;
    else if (next_word(W_STRUCT))
        type = struct_type();
    else
        fail("expected a type");
    while (next_is('*'))
        type = pointer_to(type);
    return type;
}

static struct type *array_of(struct type *base)
{
    int count;

    if (!next_is('['))
        return base;
    count = constant();
    expect(']');
    base = array_of(base);
    return new_type(T_ARRAY, base->size * count, base->align, base);
}

static void enumeration(void)
{
    int value = 0;

    expect('{');
    do {
        struct name *name = expect_name();

        if (next_is('='))
            value = constant();
        declare(&symbols, name, &int_type, S_CONSTANT, value++);
    } while (next_is(','));
    expect('}');
    expect(';');
}

/* --------------------------------------------------------------------------------------------------- statements */

static struct node *statement(void);

static struct node *local_declaration(void)
{
    struct type *base = type_name();
    struct node *first = 0, **end = &first;

    do {
        struct type *type = base;
        struct symbol *symbol;
        struct name *name;

        while (next_is('*'))
            type = pointer_to(type);
        name = expect_name();
        type = array_of(type);
        symbol = declare(&locals, name, type, S_LOCAL, -1);
        symbol->in_memory = !is_scalar(type);
        if (next_is('=')) {
            struct node *place = new_node(N_LOCAL, type, 0, 0);

            place->symbol = symbol;
            *end = new_node(N_EXPRESSION, &void_type, new_node(N_ASSIGN, type, place, value_of(assignment())), 0);
            end = &(*end)->next;
        }
    } while (next_is(','));
    expect(';');
    return first;
}

static struct node *block(void)
{
    struct symbol *outer = locals;
    struct node *node = new_node(N_BLOCK, &void_type, 0, 0), **end = &node->a;

    while (!next_is('}')) {
        *end = starts_type() ? local_declaration() : statement();
        while (*end)
            end = &(*end)->next;
    }
    locals = outer;
    return node;
}

static struct node *condition(void)
{
    struct node *node;

    expect('(');
    node = value_of(expression());
    expect(')');
    return node;
}

static struct node *for_statement(void)
{
    struct node *node = new_node(N_FOR, &void_type, 0, 0);

    expect('(');
    if (!next_is(';')) {
        node->a = expression();
        expect(';');
    }
    if (!next_is(';')) {
        node->b = value_of(expression());
        expect(';');
    }
    if (!next_is(')')) {
        node->c = expression();
        expect(')');
    }
    node->d = statement();
    return node;
}

static struct node *statement(void)
{
    struct node *node;

    if (next_is('{'))
        return block();
    if (next_is(';'))
        return new_node(N_BLOCK, &void_type, 0, 0);
    if (next_word(W_IF)) {
        node = new_node(N_IF, &void_type, condition(), 0);
        node->b = statement();
        if (next_word(W_ELSE))
            node->c = statement();
        return node;
    }
    if (next_word(W_WHILE)) {
        node = new_node(N_WHILE, &void_type, condition(), 0);
        node->b = statement();
        return node;
    }
    if (next_word(W_DO)) {
        node = new_node(N_DO, &void_type, 0, 0);
        node->b = statement();
        if (!next_word(W_WHILE))
            fail("expected 'while'");
        node->a = condition();
        expect(';');
        return node;
    }
    if (next_word(W_FOR))
        return for_statement();
    if (next_word(W_SWITCH)) {
        node = new_node(N_SWITCH, &void_type, condition(), 0);
        node->b = statement();
        return node;
    }
    if (next_word(W_CASE)) {
        node = new_node(N_CASE, &void_type, 0, 0);
        node->value = constant();
        expect(':');
        return node;
    }
    if (next_word(W_DEFAULT)) {
        node = new_node(N_CASE, &void_type, 0, 0);
        node->sign = 1;
        expect(':');
        return node;
    }
    if (next_word(W_BREAK)) {
        expect(';');
        return new_node(N_BREAK, &void_type, 0, 0);
    }
    if (next_word(W_CONTINUE)) {
        expect(';');
        return new_node(N_CONTINUE, &void_type, 0, 0);
    }
    if (next_word(W_RETURN)) {
        node = new_node(N_RETURN, &void_type, 0, 0);
        if (!next_is(';')) {
            node->a = value_of(expression());
            expect(';');
        }
        return node;
    }
    node = new_node(N_EXPRESSION, &void_type, expression(), 0);
    expect(';');
    return node;
}

/* -------------------------------------------------------------------------------------------------- instructions */

enum op {
    O_NOP, O_LABEL, O_SET, O_MOVE, O_ADD, O_SUB, O_MUL, O_DIV, O_REM, O_AND, O_OR, O_XOR, O_SHL, O_SHR, O_LT, O_LE, O_EQ, O_NE,
    O_LOAD, O_LOADB, O_STORE, O_STOREB, O_JUMP, O_IF, O_IFNOT, O_IF_LT, O_IF_GE, O_IF_LE, O_IF_GT, O_IF_EQ, O_IF_NE,
    O_ARGUMENT, O_PARAMETER, O_CALL, O_RETURN, O_ENTER, O_PUTC, O_PUTI, OPS
};

static const char *const op_names[] = {
    "nop", "label", "set", "move", "add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr", "lt", "le", "eq", "ne",
    "load", "loadb", "store", "storeb", "jump", "if", "ifnot", "iflt", "ifge", "ifle", "ifgt", "ifeq", "ifne", "argument",
    "parameter", "call", "return", "enter", "putc", "puti"
};

#define NONE (-1)
#define ZERO 0  /* registers: one that is 0, and one that points to the frame */
#define FRAME 1
#define FIRST 2

/* d = a op b, or a op number if there is no b; memory is at a + number, and b is stored; labels are numbers, too. */
struct ins {
    short op;
    int d, a, b;
    int number;
};

static struct ins *code; /* of one function */
static size_t code_used, code_room;
static int registers, labels, frame;
static int break_label, continue_label;
static long emitted, left;

struct case_label {
    struct case_label *next;
    int value, label, is_default;
};

static struct case_label *cases;

static struct ins *emit(enum op op, int d, int a, int b, int value)
{
    struct ins *ins;

    code = grown(code, code_used, &code_room, sizeof *code);
    ins = code + code_used++;
    ins->op = (short)op;
    ins->d = d;
    ins->a = a;
    ins->b = b;
    ins->number = value;
    return ins;
}

static int put(enum op op, int a, int b, int value)
{
    emit(op, registers, a, b, value);
    return registers++;
}

static int is_branch(int op)
{
    return op >= O_JUMP && op <= O_IF_NE;
}

static int has_effect(int op)
{
    return op == O_LABEL || op == O_STORE || op == O_STOREB || is_branch(op) || op >= O_ARGUMENT;
}

static enum op op_of(int sign)
{
    switch (sign) {
    case '+':
        return O_ADD;
    case '-':
        return O_SUB;
    case '*':
        return O_MUL;
    case '/':
        return O_DIV;
    case '%':
        return O_REM;
    case '&':
        return O_AND;
    case '|':
        return O_OR;
    case '^':
        return O_XOR;
    case SIGN2('<', '<'):
        return O_SHL;
    case SIGN2('>', '>'):
        return O_SHR;
    case '<':
        return O_LT;
    case SIGN2('<', '='):
        return O_LE;
    case SIGN2('=', '='):
        return O_EQ;
    case SIGN2('!', '='):
        return O_NE;
    default:
        return O_NOP;
    }
}

static int calculated(int op, int a, int b, int *known)
{
    static const int signs[] = {
        '+', '-', '*', '/', '%', '&', '|', '^', SIGN2('<', '<'), SIGN2('>', '>'), '<', SIGN2('<', '='), SIGN2('=', '='),
        SIGN2('!', '=')
    };

    return computed(signs[op - O_ADD], a, b, known);
}

/* ------------------------------------------------------------------------------------- instructions out of trees */

struct place {
    int base, offset;
};

static int generate(struct node *node);

static struct place place_of(struct symbol *symbol)
{
    struct place place = {ZERO, 0};

    if (symbol->storage == S_LOCAL) {
        if (symbol->value == NONE) {
            frame = aligned(frame, symbol->type->align);
            symbol->value = frame;
            frame += symbol->type->size;
        }
        place.base = FRAME;
    }
    place.offset = symbol->value;
    return place;
}

static struct place address(struct node *node)
{
    struct place place = {ZERO, 0};

    if (node->kind == N_BINARY && node->sign == '+' && is_number(node->b)) {
        place = address(node->a);
        place.offset += node->b->value;
    } else if (node->kind == N_NUMBER) {
        place.offset = node->value;
    } else if (node->kind == N_ADDRESS && node->a->kind != N_FETCH) {
        place = place_of(node->a->symbol);
    } else {
        place.base = generate(node);
    }
    return place;
}

static int in_register(struct node *node)
{
    return node->kind == N_LOCAL && !node->symbol->in_memory;
}

static int register_of(struct symbol *symbol)
{
    if (symbol->value == NONE)
        symbol->value = registers++;
    return symbol->value;
}

static struct place place_in(struct node *node)
{
    return node->kind == N_FETCH ? address(node->a) : place_of(node->symbol);
}

static int load(struct place place, struct type *type)
{
    return put(type->kind == T_CHAR ? O_LOADB : O_LOAD, place.base, NONE, place.offset);
}

static void store(struct place place, struct type *type, int value)
{
    emit(type->kind == T_CHAR ? O_STOREB : O_STORE, NONE, place.base, value, place.offset);
}

static int combined(int sign, int a, struct node *right)
{
    if (is_number(right) && op_of(sign) != O_NOP)
        return put(op_of(sign), a, NONE, right->value);
    if (sign == '>')
        return put(O_LT, generate(right), a, 0);
    if (sign == SIGN2('>', '='))
        return put(O_LE, generate(right), a, 0);
    return put(op_of(sign), a, generate(right), 0);
}

static void branch(struct node *node, int target, int when)
{
    int past;

    if ((node->kind == N_AND && !when) || (node->kind == N_OR && when)) {
        branch(node->a, target, when);
        branch(node->b, target, when);
    } else if (node->kind == N_AND || node->kind == N_OR) {
        past = labels++;
        branch(node->a, past, !when);
        branch(node->b, target, when);
        emit(O_LABEL, NONE, NONE, NONE, past);
    } else if (node->kind == N_BINARY && node->sign == SIGN2('=', '=') && is_number(node->b) && !node->b->value) {
        branch(node->a, target, !when);
    } else if (is_number(node)) {
        if (!node->value == !when)
            emit(O_JUMP, NONE, NONE, NONE, target);
    } else {
        emit(when ? O_IF : O_IFNOT, NONE, generate(node), NONE, target);
    }
}

static int generate_choice(struct node *node)
{
    int result = registers++, other = labels++, end = labels++;

    branch(node->kind == N_CHOICE ? node->a : node, other, 0);
    if (node->kind == N_CHOICE)
        emit(O_MOVE, result, generate(node->b), NONE, 0);
    else
        emit(O_SET, result, NONE, NONE, 1);
    emit(O_JUMP, NONE, NONE, NONE, end);
    emit(O_LABEL, NONE, NONE, NONE, other);
    if (node->kind == N_CHOICE)
        emit(O_MOVE, result, generate(node->c), NONE, 0);
    else
        emit(O_SET, result, NONE, NONE, 0);
    emit(O_LABEL, NONE, NONE, NONE, end);
    return result;
}

static int generate_call(struct node *node)
{
    int values[16], count = 0, i;
    struct node *each;

    for (each = node->a; each; each = each->next) {
        if (count == 16)
            fail("too many arguments");
        values[count++] = generate(each->a);
    }
    if (node->symbol->value < 0) {
        emit(node->symbol->value == -1 ? O_PUTC : O_PUTI, NONE, values[0], NONE, 0);
        return values[0];
    }
    for (i = 0; i < count; i++)
        emit(O_ARGUMENT, NONE, values[i], NONE, i);
    return put(O_CALL, NONE, NONE, node->symbol->value);
}

static int generate_step(struct node *node)
{
    struct node *target = node->a;
    struct place place;
    int old, new;

    if (in_register(target)) {
        int variable = register_of(target->symbol);

        old = node->sign ? variable : put(O_MOVE, variable, NONE, 0);
        emit(O_ADD, variable, variable, NONE, node->value);
        if (target->type->kind == T_CHAR)
            emit(O_AND, variable, variable, NONE, 255);
        return old;
    }
    place = place_in(target);
    old = load(place, target->type);
    new = put(O_ADD, old, NONE, node->value);
    store(place, target->type, new);
    return node->sign ? new : old;
}

static int generate_assignment(struct node *node)
{
    struct node *target = node->a;
    struct place place;
    int value;

    if (in_register(target)) {
        int variable = register_of(target->symbol);

        value = generate(node->b);
        if (target->type->kind == T_CHAR)
            emit(O_AND, variable, value, NONE, 255);
        else
            emit(O_MOVE, variable, value, NONE, 0);
        return variable;
    }
    if (!is_scalar(target->type))
        fail("only numbers and pointers are assigned");
    value = generate(node->b);
    place = place_in(target);
    store(place, target->type, value);
    return value;
}

static int generate(struct node *node)
{
    struct place place;

    line = node->line;
    switch (node->kind) {
    case N_NUMBER:
        return node->value ? put(O_SET, NONE, NONE, node->value) : ZERO;
    case N_LOCAL:
        if (in_register(node))
            return put(O_MOVE, register_of(node->symbol), NONE, 0);
        return load(place_of(node->symbol), node->type);
    case N_GLOBAL:
        return load(place_of(node->symbol), node->type);
    case N_FETCH:
        return load(address(node->a), node->type);
    case N_ADDRESS:
        place = node->a->kind == N_FETCH ? address(node->a->a) : place_of(node->a->symbol);
        return put(O_ADD, place.base, NONE, place.offset);
    case N_BINARY:
        return combined(node->sign, generate(node->a), node->b);
    case N_AND:
    case N_OR:
    case N_CHOICE:
        return generate_choice(node);
    case N_COMMA:
        generate(node->a);
        return generate(node->b);
    case N_CALL:
        return generate_call(node);
    case N_STEP:
        return generate_step(node);
    case N_ASSIGN:
        return generate_assignment(node);
    default:
        fail("no expression");
        return 0;
    }
}

static void generate_all(struct node *node);

static void generate_loop(struct node *test, struct node *body, struct node *step, int test_first)
{
    int top = labels++, outer_break = break_label, outer_continue = continue_label;

    break_label = labels++;
    continue_label = labels++;
    if (test_first && test)
        branch(test, break_label, 0);
    emit(O_LABEL, NONE, NONE, NONE, top);
    generate_all(body);
    emit(O_LABEL, NONE, NONE, NONE, continue_label);
    if (step)
        generate(step);
    if (test)
        branch(test, top, 1);
    else
        emit(O_JUMP, NONE, NONE, NONE, top);
    emit(O_LABEL, NONE, NONE, NONE, break_label);
    break_label = outer_break;
    continue_label = outer_continue;
}

static void generate_switch(struct node *node)
{
    struct case_label *outer = cases, *each;
    int outer_break = break_label, choose = labels++, value = generate(node->a), otherwise;

    break_label = labels++;
    cases = 0;
    emit(O_JUMP, NONE, NONE, NONE, choose);
    generate_all(node->b);
    emit(O_JUMP, NONE, NONE, NONE, break_label);
    emit(O_LABEL, NONE, NONE, NONE, choose);
    otherwise = break_label;
    for (each = cases; each; each = each->next) {
        if (each->is_default)
            otherwise = each->label;
        else
            emit(O_IF, NONE, put(O_EQ, value, NONE, each->value), NONE, each->label);
    }
    emit(O_JUMP, NONE, NONE, NONE, otherwise);
    emit(O_LABEL, NONE, NONE, NONE, break_label);
    break_label = outer_break;
    cases = outer;
}

static void generate_all(struct node *node)
{
    int other, end;

    for (; node; node = node->next) {
        line = node->line;
        switch (node->kind) {
        case N_BLOCK:
            generate_all(node->a);
            break;
        case N_EXPRESSION:
            generate(node->a);
            break;
        case N_IF:
            other = labels++;
            branch(node->a, other, 0);
            generate_all(node->b);
            if (node->c) {
                end = labels++;
                emit(O_JUMP, NONE, NONE, NONE, end);
                emit(O_LABEL, NONE, NONE, NONE, other);
                generate_all(node->c);
                other = end;
            }
            emit(O_LABEL, NONE, NONE, NONE, other);
            break;
        case N_WHILE:
            generate_loop(node->a, node->b, 0, 1);
            break;
        case N_DO:
            generate_loop(node->a, node->b, 0, 0);
            break;
        case N_FOR:
            if (node->a)
                generate(node->a);
            generate_loop(node->b, node->d, node->c, 1);
            break;
        case N_SWITCH:
            generate_switch(node);
            break;
        case N_CASE: {
            struct case_label *each = allocate(sizeof *each);

            each->value = node->value;
            each->is_default = node->sign;
            each->label = labels++;
            each->next = cases;
            cases = each;
            emit(O_LABEL, NONE, NONE, NONE, each->label);
            break;
        }
        case N_BREAK:
            emit(O_JUMP, NONE, NONE, NONE, break_label);
            break;
        case N_CONTINUE:
            emit(O_JUMP, NONE, NONE, NONE, continue_label);
            break;
        case N_RETURN:
            emit(O_RETURN, NONE, node->a ? generate(node->a) : ZERO, NONE, 0);
            break;
        default:
            fail("no statement");
        }
    }
}

/* ------------------------------------------------------------------------------------- improving: values in blocks */

struct value {
    int kind; /* 0: not known; 1: a number; 2: what register `number` holds since its definition `version` */
    int number, version;
};

struct known {
    int op, a, b, number, result;
    int versions[3]; /* of a, b and result */
};

#define MOST_KNOWN 64

static struct value *values;
static int *versions;
static struct known known[MOST_KNOWN];
static int knowns;

static void forget(void)
{
    int i;

    for (i = FIRST; i < registers; i++) {
        values[i].kind = 0;
        versions[i]++;
    }
    knowns = 0;
}

static int source_of(int reg)
{
    if (reg >= FIRST && values[reg].kind == 2 && versions[values[reg].number] == values[reg].version)
        return values[reg].number;
    return reg;
}

static int number_in(int reg, int *number)
{
    if (reg == ZERO) {
        *number = 0;
        return 1;
    }
    if (reg < FIRST || values[reg].kind != 1)
        return 0;
    *number = values[reg].number;
    return 1;
}

static int version_of(int reg)
{
    return reg < 0 ? 0 : versions[reg];
}

static int is_known(const struct known *each, const struct ins *ins)
{
    return each->op == ins->op && each->a == ins->a && each->b == ins->b && each->number == ins->number
        && each->versions[0] == version_of(each->a) && each->versions[1] == version_of(each->b)
        && each->versions[2] == version_of(each->result);
}

static int commutes(int op)
{
    return op == O_ADD || op == O_MUL || op == O_AND || op == O_OR || op == O_XOR || op == O_EQ || op == O_NE;
}

static int is_free(int op)
{
    return op == O_ADD || op == O_SUB || op == O_OR || op == O_XOR || op == O_SHL || op == O_SHR;
}

/* Bring numbers into an instruction that computes; returns whether it changed. */
static int fold(struct ins *ins)
{
    int a, b, fine = 1, changed = 0;

    if (ins->b != NONE && commutes(ins->op) && number_in(ins->a, &a) && !number_in(ins->b, &b)) {
        ins->a = ins->b;
        ins->b = NONE;
        ins->number = a;
        changed = 1;
    }
    if (ins->b != NONE && number_in(ins->b, &b)) {
        ins->b = NONE;
        ins->number = b;
        changed = 1;
    }
    if (ins->b == NONE && ins->op == O_SUB && ins->number != -2147483647 - 1) {
        ins->op = O_ADD;
        ins->number = -ins->number;
        changed = 1;
    }
    if (ins->b == NONE && number_in(ins->a, &a)) {
        b = calculated(ins->op, a, ins->number, &fine);
        if (fine) {
            ins->op = O_SET;
            ins->a = NONE;
            ins->number = b;
            return 1;
        }
    }
    if (ins->b == NONE && ins->number == 0 && is_free(ins->op) && ins->a != FRAME) {
        ins->op = O_MOVE;
        return 1;
    }
    return changed;
}

static int fold_branch(struct ins *ins)
{
    int a, taken;

    if ((ins->op != O_IF && ins->op != O_IFNOT) || !number_in(ins->a, &a))
        return 0;
    taken = (ins->op == O_IF) == (a != 0);
    ins->op = (short)(taken ? O_JUMP : O_NOP);
    ins->a = NONE;
    return 1;
}

static void define(const struct ins *ins)
{
    int d = ins->d, number;

    versions[d]++;
    values[d].kind = 0;
    if (ins->op == O_SET || (ins->op == O_MOVE && number_in(ins->a, &number))) {
        values[d].kind = 1;
        values[d].number = ins->op == O_SET ? ins->number : number;
    } else if (ins->op == O_MOVE && ins->a != d) {
        values[d].kind = 2;
        values[d].number = ins->a;
        values[d].version = versions[ins->a];
    } else if (ins->op >= O_ADD && ins->op <= O_NE && ins->a != d && ins->b != d && knowns < MOST_KNOWN) {
        struct known *each = known + knowns++;

        each->op = ins->op;
        each->a = ins->a;
        each->b = ins->b;
        each->number = ins->number;
        each->result = d;
        each->versions[0] = version_of(ins->a);
        each->versions[1] = version_of(ins->b);
        each->versions[2] = versions[d];
    }
}

/* An address that is a sum becomes part of the instruction that refers to it. */
static int join_address(struct ins *ins)
{
    int i, number;

    if (ins->op < O_LOAD || ins->op > O_STOREB)
        return 0;
    if (ins->a != ZERO && number_in(ins->a, &number)) {
        ins->a = ZERO;
        ins->number += number;
        return 1;
    }
    for (i = 0; i < knowns; i++)
        if (known[i].op == O_ADD && known[i].b == NONE && known[i].result == ins->a
            && known[i].versions[2] == version_of(ins->a) && known[i].versions[0] == version_of(known[i].a)) {
            ins->a = known[i].a;
            ins->number += known[i].number;
            return 1;
        }
    return 0;
}

static int improve_values(void)
{
    int changed = 0, j;
    size_t i;

    values = allocate(registers * sizeof *values);
    versions = allocate(registers * sizeof *versions);
    forget();
    for (i = 0; i < code_used; i++) {
        struct ins *ins = code + i;
        int a = source_of(ins->a), b = source_of(ins->b);

        if (ins->op == O_LABEL) {
            forget();
            continue;
        }
        changed |= a != ins->a || b != ins->b;
        ins->a = a;
        ins->b = b;
        if (ins->op >= O_ADD && ins->op <= O_NE)
            changed |= fold(ins);
        changed |= fold_branch(ins) | join_address(ins);
        for (j = 0; j < knowns && ins->op >= O_ADD && ins->op <= O_NE; j++)
            if (is_known(known + j, ins)) {
                ins->op = O_MOVE;
                ins->a = known[j].result;
                ins->b = NONE;
                ins->number = 0;
                changed = 1;
            }
        if (ins->d != NONE)
            define(ins);
    }
    return changed;
}

/* ----------------------------------------------------------------------------------- improving: branches and blocks */

static int invert(int op)
{
    switch (op) {
    case O_IF:
        return O_IFNOT;
    case O_IFNOT:
        return O_IF;
    case O_IF_LT:
        return O_IF_GE;
    case O_IF_GE:
        return O_IF_LT;
    case O_IF_LE:
        return O_IF_GT;
    case O_IF_GT:
        return O_IF_LE;
    case O_IF_EQ:
        return O_IF_NE;
    default:
        return O_IF_EQ;
    }
}

static void squeeze(void)
{
    size_t i, kept = 0;

    for (i = 0; i < code_used; i++)
        if (code[i].op != O_NOP)
            code[kept++] = code[i];
    code_used = kept;
}

static int improve_branches(void)
{
    int *places = allocate(labels * sizeof *places), *uses = allocate(labels * sizeof *uses), changed = 0;
    size_t i, j;

    for (i = 0; i < code_used; i++)
        if (code[i].op == O_LABEL)
            places[code[i].number] = (int)i;
    for (i = 0; i < code_used; i++) {
        struct ins *ins = code + i;
        int hops;

        if (!is_branch(ins->op))
            continue;
        for (hops = 0; hops < 10; hops++) { /* a branch to a jump goes where that goes */
            for (j = places[ins->number]; j < code_used && code[j].op == O_LABEL; j++)
                ;
            if (j >= code_used || code[j].op != O_JUMP || code[j].number == ins->number)
                break;
            ins->number = code[j].number;
            changed = 1;
        }
        if (ins->op != O_JUMP && i + 2 < code_used && code[i + 1].op == O_JUMP && code[i + 2].op == O_LABEL
            && code[i + 2].number == ins->number) { /* a branch around a jump */
            ins->op = (short)invert(ins->op);
            ins->number = code[i + 1].number;
            code[i + 1].op = O_NOP;
            changed = 1;
        }
        for (j = i + 1; j < code_used && (code[j].op == O_LABEL || code[j].op == O_NOP); j++)
            if (code[j].op == O_LABEL && code[j].number == ins->number) { /* a branch to what comes next */
                ins->op = O_NOP;
                changed = 1;
                break;
            }
    }
    for (i = 0; i < code_used; i++) {
        if (is_branch(code[i].op))
            uses[code[i].number]++;
        if (code[i].op == O_JUMP || code[i].op == O_RETURN)
            for (j = i + 1; j < code_used && code[j].op != O_LABEL; j++)
                if (code[j].op != O_NOP) { /* nothing comes here */
                    code[j].op = O_NOP;
                    changed = 1;
                }
    }
    for (i = 0; i < code_used; i++)
        if (code[i].op == O_LABEL && !uses[code[i].number]) {
            code[i].op = O_NOP;
            changed = 1;
        }
    squeeze();
    return changed;
}

/* How often each register is read. */
static int *uses_of_registers(void)
{
    int *uses = allocate(registers * sizeof *uses);
    size_t i;

    for (i = 0; i < code_used; i++) {
        if (code[i].a != NONE)
            uses[code[i].a]++;
        if (code[i].b != NONE)
            uses[code[i].b]++;
    }
    return uses;
}

/* A comparison whose result is branched by at once, and nowhere else used, becomes part of the branch. */
static void join_comparisons(void)
{
    int *uses = uses_of_registers();
    size_t i;

    for (i = 0; i + 1 < code_used; i++) {
        struct ins *compare = code + i, *ins = compare + 1;
        int op;

        if (compare->op < O_LT || compare->op > O_NE || (ins->op != O_IF && ins->op != O_IFNOT))
            continue;
        if (ins->a != compare->d || uses[ins->a] != 1 || compare->b == NONE)
            continue;
        op = compare->op == O_LT ? O_IF_LT : compare->op == O_LE ? O_IF_LE : compare->op == O_EQ ? O_IF_EQ : O_IF_NE;
        ins->op = (short)(ins->op == O_IF ? op : invert(op));
        ins->a = compare->a;
        ins->b = compare->b;
        compare->op = O_NOP;
    }
    squeeze();
}

/* ------------------------------------------------------------------------------------------------------- liveness */

struct basic {
    int start, end; /* instructions */
    int next[2];
    unsigned *used, *set, *in, *out;
};

static struct basic *blocks;
static int block_count, set_words;

static int has(const unsigned *set, int number)
{
    return set[number >> 5] >> (number & 31) & 1;
}

static void add_to(unsigned *set, int number)
{
    set[number >> 5] |= 1u << (number & 31);
}

static void take_from(unsigned *set, int number)
{
    set[number >> 5] &= ~(1u << (number & 31));
}

static unsigned *new_set(void)
{
    return allocate(set_words * sizeof(unsigned));
}

static void find_blocks(void)
{
    int *at_label = allocate(labels * sizeof *at_label), number = 0;
    size_t i;

    blocks = allocate((code_used + 1) * sizeof *blocks);
    block_count = 0;
    for (i = 0; i < code_used; i++) {
        int starts = !i || code[i].op == O_LABEL || is_branch(code[i - 1].op) || code[i - 1].op == O_RETURN;

        if (starts) {
            if (block_count)
                blocks[block_count - 1].end = (int)i;
            blocks[block_count++].start = (int)i;
        }
        if (code[i].op == O_LABEL)
            at_label[code[i].number] = block_count - 1;
    }
    if (block_count)
        blocks[block_count - 1].end = (int)code_used;
    for (number = 0; number < block_count; number++) {
        struct basic *basic = blocks + number;
        const struct ins *last = code + basic->end - 1;

        basic->next[0] = basic->next[1] = NONE;
        if (is_branch(last->op))
            basic->next[0] = at_label[last->number];
        if (last->op != O_JUMP && last->op != O_RETURN && number + 1 < block_count)
            basic->next[1] = number + 1;
    }
}

static void find_liveness(void)
{
    int number, i, again;

    find_blocks();
    set_words = (registers + 31) / 32;
    for (number = 0; number < block_count; number++) {
        struct basic *basic = blocks + number;

        basic->used = new_set();
        basic->set = new_set();
        basic->in = new_set();
        basic->out = new_set();
        for (i = basic->start; i < basic->end; i++) {
            const struct ins *ins = code + i;

            if (ins->a >= FIRST && !has(basic->set, ins->a))
                add_to(basic->used, ins->a);
            if (ins->b >= FIRST && !has(basic->set, ins->b))
                add_to(basic->used, ins->b);
            if (ins->d >= FIRST)
                add_to(basic->set, ins->d);
        }
    }
    do {
        again = 0;
        for (number = block_count - 1; number >= 0; number--) {
            struct basic *basic = blocks + number;

            for (i = 0; i < set_words; i++) {
                unsigned out = 0, in;

                if (basic->next[0] != NONE)
                    out |= blocks[basic->next[0]].in[i];
                if (basic->next[1] != NONE)
                    out |= blocks[basic->next[1]].in[i];
                in = basic->used[i] | (out & ~basic->set[i]);
                again |= in != basic->in[i] || out != basic->out[i];
                basic->out[i] = out;
                basic->in[i] = in;
            }
        }
    } while (again);
}

static int remove_dead(void)
{
    int number, i, changed = 0;

    find_liveness();
    for (number = 0; number < block_count; number++) {
        struct basic *basic = blocks + number;
        unsigned *live = basic->out;

        for (i = basic->end - 1; i >= basic->start; i--) {
            struct ins *ins = code + i;
            int is_move = ins->op == O_MOVE && ins->a == ins->d;

            if (ins->op == O_NOP)
                continue;
            if (!has_effect(ins->op) && (is_move || !has(live, ins->d))) {
                ins->op = O_NOP;
                changed = 1;
                continue;
            }
            if (ins->d >= FIRST)
                take_from(live, ins->d);
            if (ins->a >= FIRST)
                add_to(live, ins->a);
            if (ins->b >= FIRST)
                add_to(live, ins->b);
        }
    }
    squeeze();
    return changed;
}

/* A value that is computed into a register, only to be moved, is computed where it is moved to. */
static int join_moves(void)
{
    int *uses = uses_of_registers(), changed = 0;
    size_t i;

    for (i = 0; i + 1 < code_used; i++) {
        struct ins *ins = code + i, *move = ins + 1;

        if (move->op == O_MOVE && ins->d >= FIRST && move->a == ins->d && uses[ins->d] == 1 && ins->op != O_LABEL) {
            ins->d = move->d;
            move->op = O_NOP;
            changed = 1;
        }
    }
    squeeze();
    return changed;
}

static void improve(void)
{
    int rounds = 0, changed;

    do {
        changed = improve_values();
        changed |= improve_branches();
        changed |= remove_dead();
        changed |= join_moves();
    } while (changed && ++rounds < 12);
    join_comparisons();
    remove_dead();
}

/* ------------------------------------------------------------------------------------------------------ allocation */

#define MACHINE_REGISTERS 16
#define SCRATCH 14 /* this one and the next hold what has no register */

struct range {
    int reg, start, end, place; /* a register of the machine, or -1 and less: the place in the frame is -1 - place */
};

static struct range *ranges;

static void widen(int reg, int where)
{
    if (reg < FIRST)
        return;
    if (ranges[reg].start > where)
        ranges[reg].start = where;
    if (ranges[reg].end < where)
        ranges[reg].end = where;
}

static int by_start(const void *left_, const void *right_)
{
    const struct range *a = *(struct range *const *)left_, *b = *(struct range *const *)right_;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->reg - b->reg;
}

static void find_ranges(void)
{
    int number, i;

    ranges = allocate(registers * sizeof *ranges);
    for (i = 0; i < registers; i++) {
        ranges[i].reg = i;
        ranges[i].start = 0x7fffffff;
        ranges[i].end = -1;
    }
    find_liveness();
    for (number = 0; number < block_count; number++) {
        const struct basic *basic = blocks + number;

        for (i = FIRST; i < registers; i++) {
            if (has(basic->in, i))
                widen(i, 2 * basic->start);
            if (has(basic->out, i))
                widen(i, 2 * basic->end);
        }
        for (i = basic->start; i < basic->end; i++) {
            widen(code[i].a, 2 * i);
            widen(code[i].b, 2 * i);
            widen(code[i].d, 2 * i + 1);
        }
    }
}

static int new_slot(void)
{
    frame = aligned(frame, 4);
    frame += 4;
    return -1 - (frame - 4);
}

static void allocate_registers(void)
{
    struct range **order, *active[MACHINE_REGISTERS] = {0};
    int count = 0, i, j;

    find_ranges();
    order = allocate(registers * sizeof *order);
    for (i = FIRST; i < registers; i++)
        if (ranges[i].end >= 0)
            order[count++] = ranges + i;
    qsort(order, count, sizeof *order, by_start);
    for (i = 0; i < count; i++) {
        struct range *range = order[i];
        int chosen = NONE, longest = FIRST;

        for (j = FIRST; j < SCRATCH; j++) {
            if (active[j] && active[j]->end <= range->start)
                active[j] = 0;
            if (!active[j] && chosen == NONE)
                chosen = j;
            if (active[j] && active[longest] && active[j]->end > active[longest]->end)
                longest = j;
        }
        if (chosen == NONE) {
            if (active[longest]->end > range->end) {
                range->place = longest;
                active[longest]->place = new_slot();
                active[longest] = range;
            } else {
                range->place = new_slot();
            }
        } else {
            range->place = chosen;
            active[chosen] = range;
        }
    }
}

/* --------------------------------------------------------------------------------------------- code of the machine */

static struct ins *machine_code;
static size_t machine_used, machine_room;
static int *function_starts;
static int functions, function_room;

static void add_code(int op, int d, int a, int b, int value)
{
    struct ins *ins;

    machine_code = grown(machine_code, machine_used, &machine_room, sizeof *machine_code);
    ins = machine_code + machine_used++;
    ins->op = (short)op;
    ins->d = d;
    ins->a = a;
    ins->b = b;
    ins->number = value;
}

static int read_place(int reg, int scratch)
{
    if (reg < FIRST || ranges[reg].place >= 0)
        return reg < FIRST ? reg : ranges[reg].place;
    add_code(O_LOAD, scratch, FRAME, NONE, -1 - ranges[reg].place);
    return scratch;
}

static void assemble(int function)
{
    int *at_label = allocate(labels * sizeof *at_label), start = (int)machine_used, enter = start;
    size_t i;

    function_starts[function] = start;
    add_code(O_ENTER, NONE, NONE, NONE, 0);
    for (i = 0; i < code_used; i++) {
        const struct ins *ins = code + i;
        int a, b, d = ins->d;

        if (ins->op == O_LABEL) {
            at_label[ins->number] = (int)machine_used;
            continue;
        }
        a = read_place(ins->a, SCRATCH);
        b = read_place(ins->b, SCRATCH + 1);
        if (d >= FIRST)
            d = ranges[d].place >= 0 ? ranges[d].place : SCRATCH;
        add_code(ins->op, d, a, b, ins->number);
        if (ins->d >= FIRST && ranges[ins->d].place < 0)
            add_code(O_STORE, NONE, FRAME, SCRATCH, -1 - ranges[ins->d].place);
    }
    machine_code[enter].number = aligned(frame, 8);
    for (i = start; i < machine_used; i++)
        if (is_branch(machine_code[i].op))
            machine_code[i].number = at_label[machine_code[i].number];
}

/* ------------------------------------------------------------------------------------------------------- functions */

static void function(struct name *name, struct type *result)
{
    struct symbol *symbol = find(symbols, name);
    struct symbol *given[16];
    struct node *body;
    int count = 0, i;

    if (!symbol) {
        symbol = declare(&symbols, name, result, S_FUNCTION, functions++);
        if (functions > function_room)
            fail("too many functions");
    }
    locals = 0;
    if (!next_is(')')) {
        do {
            struct type *type = type_name();

            if (type->kind == T_VOID)
                break;
            if (count == 16)
                fail("too many parameters");
            given[count] = declare(&locals, expect_name(), type, S_LOCAL, -1);
            if (next_is('[')) {
                expect(']');
                given[count]->type = pointer_to(type);
            }
            count++;
        } while (next_is(','));
        expect(')');
    }
    symbol->parameters = count;
    if (next_is(';'))
        return;
    expect('{');
    body = block();
    code = 0;
    code_used = code_room = 0;
    registers = FIRST;
    labels = 0;
    frame = 0;
    for (i = 0; i < count; i++) {
        if (given[i]->in_memory)
            store(place_of(given[i]), given[i]->type, put(O_PARAMETER, NONE, NONE, i));
        else
            emit(O_PARAMETER, register_of(given[i]), NONE, NONE, i);
    }
    generate_all(body->a);
    emit(O_RETURN, NONE, ZERO, NONE, 0);
    emitted += (long)code_used;
    improve();
    left += (long)code_used;
    allocate_registers();
    assemble(symbol->value);
}

static void put_word(int place, int value)
{
    memcpy(image + place, &value, 4);
}

static void initialise(struct type *type, int place)
{
    if (type->kind == T_ARRAY) {
        int i = 0;

        if (type->base->kind == T_CHAR && token.kind == STRING) {
            memcpy(image + place, token.text, token.value);
            advance();
            return;
        }
        expect('{');
        do {
            initialise(type->base, place + i++ * type->base->size);
        } while (next_is(',') && !(token.kind == SIGN && token.value == '}'));
        expect('}');
        if (i > type->size / type->base->size)
            fail("too many values");
    } else if (token.kind == STRING) {
        put_word(place, put_string(token.text, token.value));
        advance();
    } else if (type->kind == T_CHAR) {
        image[place] = (unsigned char)constant();
    } else {
        put_word(place, constant());
    }
}

static void global(struct name *name, struct type *base)
{
    for (;;) {
        struct type *type = array_of(base);
        int place = aligned(image_used, 8);

        if (place + type->size > ROOM)
            fail("too much data");
        image_used = place + type->size;
        declare(&symbols, name, type, S_GLOBAL, place);
        if (next_is('='))
            initialise(type, place);
        if (!next_is(','))
            break;
        while (next_is('*'))
            base = pointer_to(base);
        name = expect_name();
    }
    expect(';');
}

static void compile(const char *source)
{
    struct name *name;
    struct symbol *main_;
    size_t i;

    memset(buckets, 0, sizeof buckets);
    memset(image, 0, ROOM);
    image_used = 8;
    symbols = structs = locals = 0;
    machine_code = 0;
    machine_used = machine_room = 0;
    functions = 0;
    function_room = 500;
    function_starts = allocate(function_room * sizeof *function_starts);
    for (i = 1; i < sizeof words / sizeof *words; i++)
        intern(words[i], strlen(words[i]))->word = (enum word)i;
    declare(&symbols, intern("putc", 4), &int_type, S_FUNCTION, -1)->parameters = 1;
    declare(&symbols, intern("puti", 4), &int_type, S_FUNCTION, -2)->parameters = 1;
    at = source;
    line = 1;
    for (advance(); token.kind != END; ) {
        struct type *type;

        if (next_word(W_ENUM)) {
            enumeration();
            continue;
        }
        type = type_name();
        if (next_is(';'))
            continue;
        name = expect_name();
        if (next_is('('))
            function(name, type);
        else
            global(name, type);
    }
    main_ = find(symbols, intern("main", 4));
    if (!main_ || main_->storage != S_FUNCTION)
        fail("there is no main");
    add_code(O_CALL, 2, NONE, NONE, main_->value);
    add_code(O_NOP, NONE, NONE, NONE, 0);
    for (i = 0; i < machine_used; i++)
        if (machine_code[i].op == O_CALL)
            machine_code[i].number = function_starts[machine_code[i].number];
}

/* -------------------------------------------------------------------------------------------------------- machine */

#define DEPTH 20000

struct activation {
    const struct ins *back;
    int result, frame;
};

static unsigned char *memory;
static struct activation *activations;
static int *windows;
static long long executed[OPS];

static void check(unsigned address, int size, const struct ins *ins)
{
    if (address < 8 || address > MEMORY - (unsigned)size || (address & (size - 1))) {
        fprintf(stderr, "instruction %ld (%s) refers to %u\n", (long)(ins - machine_code), op_names[ins->op], address);
        exit(1);
    }
}

static int run(int argument)
{
    const struct ins *ins = machine_code + machine_used - 2;
    struct activation *top = activations;
    int *r = windows, arguments[16] = {0}, stack = MEMORY, known_ = 1;
    unsigned place;

    memcpy(memory, image, ROOM);
    memset(memory + ROOM, 0, MEMORY - ROOM);
    arguments[0] = argument;
    r[ZERO] = 0;
    r[FRAME] = stack;
    for (;; ins++) {
        executed[ins->op]++;
        switch (ins->op) {
        case O_NOP:
            return r[2];
        case O_SET:
            r[ins->d] = ins->number;
            break;
        case O_MOVE:
            r[ins->d] = r[ins->a];
            break;
        case O_ADD:
            r[ins->d] = (int)((unsigned)r[ins->a] + (unsigned)(ins->b < 0 ? ins->number : r[ins->b]));
            break;
        case O_SUB:
            r[ins->d] = (int)((unsigned)r[ins->a] - (unsigned)(ins->b < 0 ? ins->number : r[ins->b]));
            break;
        case O_MUL:
            r[ins->d] = (int)((unsigned)r[ins->a] * (unsigned)(ins->b < 0 ? ins->number : r[ins->b]));
            break;
        case O_DIV:
        case O_REM:
            r[ins->d] = calculated(ins->op, r[ins->a], ins->b < 0 ? ins->number : r[ins->b], &known_);
            if (!known_) {
                fprintf(stderr, "division by zero\n");
                exit(1);
            }
            break;
        case O_AND:
            r[ins->d] = r[ins->a] & (ins->b < 0 ? ins->number : r[ins->b]);
            break;
        case O_OR:
            r[ins->d] = r[ins->a] | (ins->b < 0 ? ins->number : r[ins->b]);
            break;
        case O_XOR:
            r[ins->d] = r[ins->a] ^ (ins->b < 0 ? ins->number : r[ins->b]);
            break;
        case O_SHL:
            r[ins->d] = (int)((unsigned)r[ins->a] << ((ins->b < 0 ? ins->number : r[ins->b]) & 31));
            break;
        case O_SHR:
            r[ins->d] = r[ins->a] >> ((ins->b < 0 ? ins->number : r[ins->b]) & 31);
            break;
        case O_LT:
            r[ins->d] = r[ins->a] < (ins->b < 0 ? ins->number : r[ins->b]);
            break;
        case O_LE:
            r[ins->d] = r[ins->a] <= (ins->b < 0 ? ins->number : r[ins->b]);
            break;
        case O_EQ:
            r[ins->d] = r[ins->a] == (ins->b < 0 ? ins->number : r[ins->b]);
            break;
        case O_NE:
            r[ins->d] = r[ins->a] != (ins->b < 0 ? ins->number : r[ins->b]);
            break;
        case O_LOAD:
            place = (unsigned)(r[ins->a] + ins->number);
            check(place, 4, ins);
            memcpy(r + ins->d, memory + place, 4);
            break;
        case O_LOADB:
            place = (unsigned)(r[ins->a] + ins->number);
            check(place, 1, ins);
            r[ins->d] = memory[place];
            break;
        case O_STORE:
            place = (unsigned)(r[ins->a] + ins->number);
            check(place, 4, ins);
            memcpy(memory + place, r + ins->b, 4);
            break;
        case O_STOREB:
            place = (unsigned)(r[ins->a] + ins->number);
            check(place, 1, ins);
            memory[place] = (unsigned char)r[ins->b];
            break;
        case O_JUMP:
            ins = machine_code + ins->number - 1;
            break;
        case O_IF:
            if (r[ins->a])
                ins = machine_code + ins->number - 1;
            break;
        case O_IFNOT:
            if (!r[ins->a])
                ins = machine_code + ins->number - 1;
            break;
        case O_IF_LT:
            if (r[ins->a] < r[ins->b])
                ins = machine_code + ins->number - 1;
            break;
        case O_IF_GE:
            if (r[ins->a] >= r[ins->b])
                ins = machine_code + ins->number - 1;
            break;
        case O_IF_LE:
            if (r[ins->a] <= r[ins->b])
                ins = machine_code + ins->number - 1;
            break;
        case O_IF_GT:
            if (r[ins->a] > r[ins->b])
                ins = machine_code + ins->number - 1;
            break;
        case O_IF_EQ:
            if (r[ins->a] == r[ins->b])
                ins = machine_code + ins->number - 1;
            break;
        case O_IF_NE:
            if (r[ins->a] != r[ins->b])
                ins = machine_code + ins->number - 1;
            break;
        case O_ARGUMENT:
            arguments[ins->number] = r[ins->a];
            break;
        case O_PARAMETER:
            r[ins->d] = arguments[ins->number];
            break;
        case O_CALL:
            if (top - activations >= DEPTH - 1) {
                fprintf(stderr, "calls are too deep\n");
                exit(1);
            }
            top->back = ins;
            top->result = ins->d;
            top->frame = stack;
            top++;
            r += MACHINE_REGISTERS;
            r[ZERO] = 0;
            ins = machine_code + ins->number - 1;
            break;
        case O_ENTER:
            stack -= ins->number;
            if (stack < ROOM) {
                fprintf(stderr, "the stack is full\n");
                exit(1);
            }
            r[FRAME] = stack;
            break;
        case O_RETURN: {
            int result = r[ins->a];

            top--;
            r -= MACHINE_REGISTERS;
            stack = top->frame;
            ins = top->back;
            if (top->result >= 0)
                r[top->result] = result;
            break;
        }
        case O_PUTC:
            putchar(r[ins->a]);
            break;
        case O_PUTI:
            printf("%d", r[ins->a]);
            break;
        default:
            fprintf(stderr, "no instruction\n");
            exit(1);
        }
    }
}

/* -------------------------------------------------------------------------------------------------------- programs */

static const char program[] =
    "enum { SIZE = 8192, CELLS = 512, DIM = 12 };\n"
    "enum { PUSH, ADD, SUB, MUL, LESS, LOAD, STORE, JUMP, JUMPZ, HALT };\n"
    "struct node { int key; int count; struct node *left, *right; };\n"
    "struct node pool[CELLS];\n"
    "int used, seed, board[16], code[64], stack[32], variables[8];\n"
    "char flags[SIZE];\n"
    "int data[SIZE], a[DIM][DIM], b[DIM][DIM], c[DIM][DIM], digits[120];\n"
    "char *words[6] = { \"register\", \"memory\", \"branch\", \"call\", \"cache\", \"stack\" };\n"
    "\n"
    "int random(int limit) { seed = seed * 1103515245 + 12345; return (seed >> 8 & 0x7fffff) % limit; }\n"
    "void say(char *s) { while (*s) putc(*s++); }\n"
    "\n"
    "int sieve(int n) {\n"
    "    int i, j, found = 0;\n"
    "    for (i = 2; i < n; i++) flags[i] = 1;\n"
    "    for (i = 2; i < n; i++)\n"
    "        if (flags[i]) { found++; for (j = i + i; j < n; j += i) flags[j] = 0; }\n"
    "    return found;\n"
    "}\n"
    "\n"
    "void sort(int *low, int *high) {\n"
    "    int *i = low, *j = high, middle = low[(high - low) / 2], old;\n"
    "    while (i <= j) {\n"
    "        while (*i < middle) i++;\n"
    "        while (*j > middle) j--;\n"
    "        if (i <= j) { old = *i; *i++ = *j; *j-- = old; }\n"
    "    }\n"
    "    if (low < j) sort(low, j);\n"
    "    if (i < high) sort(i, high);\n"
    "}\n"
    "\n"
    "int sorted(int n) {\n"
    "    int i, sum = 0;\n"
    "    for (i = 0; i < n; i++) data[i] = random(100000);\n"
    "    sort(data, data + n - 1);\n"
    "    for (i = 1; i < n; i++) { if (data[i - 1] > data[i]) return -1; sum = sum * 31 + data[i]; }\n"
    "    return sum;\n"
    "}\n"
    "\n"
    "struct node *insert(struct node *tree, int key) {\n"
    "    if (!tree) {\n"
    "        tree = &pool[used++];\n"
    "        tree->key = key; tree->count = 1; tree->left = tree->right = 0;\n"
    "    } else if (key == tree->key) tree->count++;\n"
    "    else if (key < tree->key) tree->left = insert(tree->left, key);\n"
    "    else tree->right = insert(tree->right, key);\n"
    "    return tree;\n"
    "}\n"
    "\n"
    "int depth(struct node *tree) {\n"
    "    int x, y;\n"
    "    if (!tree) return 0;\n"
    "    x = depth(tree->left); y = depth(tree->right);\n"
    "    return 1 + (x > y ? x : y);\n"
    "}\n"
    "\n"
    "int trees(int n) {\n"
    "    struct node *root = 0;\n"
    "    used = 0;\n"
    "    while (n-- > 0) root = insert(root, random(CELLS));\n"
    "    return used * 100 + depth(root);\n"
    "}\n"
    "\n"
    "int place(int row, int n) {\n"
    "    int column, i, free, found = 0;\n"
    "    if (row == n) return 1;\n"
    "    for (column = 0; column < n; column++) {\n"
    "        free = 1;\n"
    "        for (i = 0; i < row && free; i++)\n"
    "            if (board[i] == column || board[i] - column == row - i || column - board[i] == row - i) free = 0;\n"
    "        if (free) { board[row] = column; found += place(row + 1, n); }\n"
    "    }\n"
    "    return found;\n"
    "}\n"
    "\n"
    "int product(int n) {\n"
    "    int i, j, k, sum = 0, times;\n"
    "    for (i = 0; i < DIM; i++)\n"
    "        for (j = 0; j < DIM; j++) { a[i][j] = i + j; b[i][j] = i - j; }\n"
    "    for (times = 0; times < n; times++)\n"
    "        for (i = 0; i < DIM; i++)\n"
    "            for (j = 0; j < DIM; j++) {\n"
    "                c[i][j] = 0;\n"
    "                for (k = 0; k < DIM; k++) c[i][j] += a[i][k] * b[k][j];\n"
    "                sum = (sum ^ c[i][j]) + times;\n"
    "            }\n"
    "    return sum;\n"
    "}\n"
    "\n"
    "int factorial(int n) {\n"
    "    int i, carry, length = 1, sum = 0;\n"
    "    digits[0] = 1;\n"
    "    while (n > 1) {\n"
    "        carry = 0;\n"
    "        for (i = 0; i < length || carry; i++) {\n"
    "            if (i >= length) { digits[i] = 0; length++; }\n"
    "            carry += digits[i] * n; digits[i] = carry % 10; carry /= 10;\n"
    "        }\n"
    "        n--;\n"
    "    }\n"
    "    while (length) sum = sum * 10 + digits[--length] & 0xffffff;\n"
    "    return sum;\n"
    "}\n"
    "\n"
    "int hash(char *s) { int h = 5381; do h = (h << 5) + h ^ *s; while (*s++); return h; }\n"
    "int strings(int n) { int sum = 0; while (n) sum += hash(words[n-- % 6]); return sum; }\n"
    "\n"
    "int interpret(void) {\n"
    "    int pc = 0, sp = 0;\n"
    "    for (;;) {\n"
    "        switch (code[pc++]) {\n"
    "        case PUSH: stack[sp++] = code[pc++]; break;\n"
    "        case ADD: sp--; stack[sp - 1] += stack[sp]; break;\n"
    "        case SUB: sp--; stack[sp - 1] -= stack[sp]; break;\n"
    "        case MUL: sp--; stack[sp - 1] *= stack[sp]; break;\n"
    "        case LESS: sp--; stack[sp - 1] = stack[sp - 1] < stack[sp]; break;\n"
    "        case LOAD: stack[sp++] = variables[code[pc++]]; break;\n"
    "        case STORE: variables[code[pc++]] = stack[--sp]; break;\n"
    "        case JUMP: pc = code[pc]; break;\n"
    "        case JUMPZ: if (stack[--sp]) pc++; else pc = code[pc]; break;\n"
    "        default: return variables[1];\n"
    "        }\n"
    "    }\n"
    "}\n"
    "\n"
    "int loop[35] = { PUSH, 0, STORE, 0, PUSH, 1, STORE, 1, LOAD, 0, PUSH, 2000, LESS, JUMPZ, 34, LOAD, 1, PUSH, 3, MUL, LOAD, 0,\n"
    "    ADD, STORE, 1, LOAD, 0, PUSH, 1, ADD, STORE, 0, JUMP, 8, HALT };\n"
    "\n"
    "int machine(void) {\n"
    "    int i;\n"
    "    for (i = 0; i < 35; i++) code[i] = loop[i];\n"
    "    return interpret();\n"
    "}\n"
    "\n"
    "int main(int rounds) {\n"
    "    int i, sum = 0;\n"
    "    for (i = 0; i < rounds; i++) {\n"
    "        seed = i;\n"
    "        sum = sum * 7 + sieve(SIZE);\n"
    "        sum = sum * 7 + sorted(1000);\n"
    "        sum = sum * 7 + trees(1000);\n"
    "        sum = sum * 7 + place(0, 5 + i % 2);\n"
    "        sum = sum * 7 + product(3);\n"
    "        sum = sum * 7 + factorial(40);\n"
    "        sum = sum * 7 + strings(300);\n"
    "        sum = sum * 7 + machine();\n"
    "    }\n"
    "    say(\"sum \"); puti(sum); putc('\\n');\n"
    "    return sum & 127;\n"
    "}\n";

static char *contents(const char *name)
{
    FILE *file = fopen(name, "r");
    size_t used = 0, got;
    char *text = 0;

    if (!file) {
        perror(name);
        exit(1);
    }
    do {
        char *more = realloc(text, used + 4097);

        if (!more)
            fail("no memory");
        text = more;
        got = fread(text + used, 1, 4096, file);
        used += got;
    } while (got);
    text[used] = 0;
    fclose(file);
    return text;
}

int main(int count, char **given)
{
    int compilations = count > 1 ? atoi(given[1]) : 1, rounds = count > 2 ? atoi(given[2]) : 1, i, result;
    const char *source = count > 3 ? contents(given[3]) : program;
    long long all = 0;
    unsigned sum = 0;
    size_t place;

    image = malloc(ROOM);
    memory = malloc(MEMORY);
    activations = malloc(DEPTH * sizeof *activations);
    windows = malloc(DEPTH * MACHINE_REGISTERS * sizeof *windows);
    if (!image || !memory || !activations || !windows)
        fail("no memory");
    for (i = 0; i < compilations; i++) {
        release();
        tokens = nodes = emitted = left = 0;
        compile(source);
    }
    for (place = 0; place < machine_used; place++) {
        const struct ins *ins = machine_code + place;

        sum = sum * 31 + (unsigned)(ins->op + ins->d * 3 + ins->a * 5 + ins->b * 7) + (unsigned)ins->number * 11u;
    }
    printf("%ld tokens, %ld nodes, %ld instructions, improved %ld, %ld of the machine, %08x\n", tokens, nodes, emitted, left,
           (long)machine_used, sum);
    result = run(rounds);
    for (i = 0; i < OPS; i++)
        all += executed[i];
    printf("%d after %lld instructions\n", result, all);
    release();
    return 0;
}
