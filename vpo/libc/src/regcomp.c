/* regcomp, regfree, regerror: a recursive descent over the pattern that writes instructions. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "regex.h"

#define MOST_INSTRUCTIONS 30000
#define MOST_REPEATS 255
#define MOST_GROUPS 200
#define WITHOUT_END (-1)

struct parser {
    struct _expression *to;
    const char *at;
    int extended, depth, error;
    char closed[MOST_GROUPS + 1]; /* groups that a back reference may name */
};

static void fail(struct parser *p, int error)
{
    if (!p->error)
        p->error = error;
}

static void emit(struct parser *p, int operation, int argument)
{
    struct _expression *to = p->to;

    if (to->size == to->room) {
        int room = to->room ? 2 * to->room : 32;
        struct instruction *more = to->size < MOST_INSTRUCTIONS ? realloc(to->code, room * sizeof *more) : NULL;

        if (more == NULL) {
            fail(p, REG_ESPACE);
            return;
        }
        to->code = more;
        to->room = room;
    }
    to->code[to->size].operation = (short)operation;
    to->code[to->size++].argument = (short)argument;
}

/* Puts an instruction before what begins at `place`; jumps are relative, and none leads across. */
static void insert(struct parser *p, int place, int operation, int argument)
{
    struct instruction *code;

    emit(p, operation, argument);
    if (p->error)
        return;
    code = p->to->code + place;
    memmove(code + 1, code, (p->to->size - 1 - place) * sizeof *code);
    code->operation = (short)operation;
    code->argument = (short)argument;
}

static void add(unsigned char *members, int c, int flags)
{
    members[c >> 3] |= 1 << (c & 7);
    if (flags & REG_ICASE) {
        members[tolower(c) >> 3] |= 1 << (tolower(c) & 7);
        members[toupper(c) >> 3] |= 1 << (toupper(c) & 7);
    }
}

static unsigned char *new_set(struct parser *p)
{
    struct _expression *to = p->to;
    set *more = realloc(to->sets, (to->set_count + 1) * sizeof *more);

    if (more == NULL) {
        fail(p, REG_ESPACE);
        return NULL;
    }
    to->sets = more;
    emit(p, IN_SET, to->set_count);
    return memset(more[to->set_count++], 0, sizeof *more);
}

static void invert(struct parser *p, unsigned char *members)
{
    int i;

    for (i = 0; i < 32; i++)
        members[i] ^= 255;
    if (p->to->flags & REG_NEWLINE)
        members['\n' >> 3] &= ~(1 << ('\n' & 7));
}

static const struct {
    char name[8];
    int (*function)(int);
} classes[] = {
    {"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum}, {"upper", isupper}, {"lower", islower},
    {"space", isspace}, {"blank", isblank}, {"punct", ispunct}, {"print", isprint}, {"graph", isgraph},
    {"cntrl", iscntrl}, {"xdigit", isxdigit}
};

static void add_class(struct parser *p, unsigned char *members, const char *name, int length)
{
    unsigned i;
    int c;

    for (i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strncmp(classes[i].name, name, length) == 0 && classes[i].name[length] == 0) {
            for (c = 1; c < 256; c++)
                if (classes[i].function(c))
                    add(members, c, p->to->flags);
            return;
        }
    fail(p, REG_ECTYPE);
}

/* Reads what may begin or end a range: a character, or [.x.] or [=x=]; -1 after a class. */
static int bracket_element(struct parser *p, unsigned char *members)
{
    int c = (unsigned char)*p->at, kind = p->at[1];
    const char *name = p->at + 2, *end;

    if (c != '[' || (kind != ':' && kind != '.' && kind != '=')) {
        p->at++;
        return c;
    }
    for (end = name; *end && !(end[0] == kind && end[1] == ']' && end > name); end++)
        ;
    if (*end == 0) {
        fail(p, REG_EBRACK);
        return -1;
    }
    p->at = end + 2;
    if (kind == ':') {
        add_class(p, members, name, (int)(end - name));
        return -1;
    }
    if (end != name + 1)
        fail(p, REG_ECOLLATE);
    return (unsigned char)*name;
}

static void bracket(struct parser *p)
{
    unsigned char *members = new_set(p);
    int negative = *p->at == '^', first = 1, from, to;

    if (members == NULL)
        return;
    p->at += negative;
    for (; (*p->at != ']' || first) && !p->error; first = 0) {
        if (*p->at == 0) {
            fail(p, REG_EBRACK);
            return;
        }
        from = to = bracket_element(p, members);
        if (p->at[0] == '-' && p->at[1] != ']' && p->at[1]) {
            p->at++;
            to = bracket_element(p, members);
            if (from < 0 || to < from)
                fail(p, REG_ERANGE);
        }
        for (; from >= 0 && from <= to; from++)
            add(members, from, p->to->flags);
    }
    p->at++;
    if (negative)
        invert(p, members);
}

static int is_word(int c)
{
    return isalnum(c) || c == '_';
}

static void add_kind(struct parser *p, int (*function)(int), int negative)
{
    unsigned char *members = new_set(p);
    int c;

    for (c = 1; members && c < 256; c++)
        if (function(c))
            add(members, c, 0);
    if (members && negative)
        invert(p, members);
}

static void literal(struct parser *p, int c)
{
    emit(p, ONE_CHARACTER, p->to->flags & REG_ICASE ? tolower(c) : c);
}

/* What a backslash and a character mean that are no operator; the character has been read. */
static void escape(struct parser *p, int c)
{
    switch (c) {
    case 0: fail(p, REG_EESCAPE); p->at--; break;
    case 'w': add_kind(p, is_word, 0); break;
    case 'W': add_kind(p, is_word, 1); break;
    case 's': add_kind(p, isspace, 0); break;
    case 'S': add_kind(p, isspace, 1); break;
    case 'b': emit(p, WORD_EDGE, 0); break;
    case 'B': emit(p, NO_WORD_EDGE, 0); break;
    case '<': emit(p, WORD_BEGIN, 0); break;
    case '>': emit(p, WORD_END, 0); break;
    case '`': emit(p, TEXT_BEGIN, 0); break;
    case '\'': emit(p, TEXT_END, 0); break;
    default:
        if (c < '1' || c > '9') {
            literal(p, c);
            break;
        }
        if (c - '0' > p->to->groups || !p->closed[c - '0'])
            fail(p, REG_ESUBREG);
        p->to->has_references = 1;
        emit(p, SAME_AGAIN, c - '0');
    }
}

/* Whether an operator stands here, that basic expressions write with a backslash; `written` is how long it is. */
static int stands(struct parser *p, int operator, int *written)
{
    *written = p->extended ? 1 : 2;
    return p->extended ? *p->at == operator : p->at[0] == '\\' && p->at[1] == operator;
}

static int number(struct parser *p)
{
    int value = 0;

    if (!isdigit((unsigned char)*p->at))
        return -1;
    while (isdigit((unsigned char)*p->at) && value <= MOST_REPEATS)
        value = value * 10 + (*p->at++ - '0');
    return value;
}

static void copy(struct parser *p, int from, int to)
{
    for (; from < to && !p->error; from++)
        emit(p, p->to->code[from].operation, p->to->code[from].argument);
}

/* Lets what was written from `place` on be repeated. */
static void repeat(struct parser *p, int place, int least, int most)
{
    int end = p->to->size, length = end - place, i;

    if (most == 0) {
        p->to->size = place;
        return;
    }
    for (i = 1; i < least; i++)
        copy(p, place, end);
    if (most == WITHOUT_END) {
        if (least == 0) {
            insert(p, place, SPLIT, length + 2);
            emit(p, JUMP, -(length + 1));
        } else {
            emit(p, SPLIT, 2);
            emit(p, JUMP, -(length + 1));
        }
        return;
    }
    for (i = least ? least : 1; i < most; i++) {
        emit(p, SPLIT, length + 1);
        copy(p, place, end);
    }
    if (least == 0)
        insert(p, place, SPLIT, length + 1);
}

/* {least,most} after its brace */
static void interval(struct parser *p, int place)
{
    int least = number(p), most = least, written;

    if (*p->at == ',') {
        p->at++;
        most = isdigit((unsigned char)*p->at) ? number(p) : WITHOUT_END;
        if (least < 0)
            least = 0;
    }
    if (!stands(p, '}', &written)) {
        fail(p, *p->at ? REG_BADBR : REG_EBRACE);
        return;
    }
    p->at += written;
    if (least < 0 || (most >= 0 && most < least))
        fail(p, REG_BADBR);
    else if (least > MOST_REPEATS || most > MOST_REPEATS)
        fail(p, REG_ESPACE);
    else
        repeat(p, place, least, most);
}

/* The operators that follow what was written from `place` on. */
static void repetitions(struct parser *p, int place)
{
    int written;

    while (!p->error)
        if (*p->at == '*') {
            p->at++;
            repeat(p, place, 0, WITHOUT_END);
        } else if (stands(p, '+', &written)) {
            p->at += written;
            repeat(p, place, 1, WITHOUT_END);
        } else if (stands(p, '?', &written)) {
            p->at += written;
            repeat(p, place, 0, 1);
        } else if (stands(p, '{', &written)) {
            p->at += written;
            interval(p, place);
        } else
            break;
}

static void alternatives(struct parser *);

static void group(struct parser *p)
{
    int number = ++p->to->groups, written;

    if (number > MOST_GROUPS) {
        fail(p, REG_ESPACE);
        return;
    }
    emit(p, SAVE, 2 * number);
    p->depth++;
    alternatives(p);
    p->depth--;
    emit(p, SAVE, 2 * number + 1);
    if (!stands(p, ')', &written)) {
        fail(p, REG_EPAREN);
        return;
    }
    p->at += written;
    p->closed[number] = 1;
}

static int ends_branch(struct parser *p)
{
    int written;

    if (*p->at == 0 || stands(p, '|', &written))
        return 1;
    return stands(p, ')', &written) && (p->depth || !p->extended);
}

/* A part that can be repeated; returns 0 after an anchor, where a star of a basic expression is a character. */
static int atom(struct parser *p, int first)
{
    int c = (unsigned char)*p->at, written;

    if (stands(p, '(', &written)) {
        p->at += written;
        group(p);
        return 1;
    }
    p->at++;
    if (c == '^' && (first || p->extended)) {
        emit(p, LINE_BEGIN, 0);
        return p->extended;
    }
    if (c == '$' && (p->extended || ends_branch(p))) {
        emit(p, LINE_END, 0);
        return 1;
    }
    if (p->extended ? strchr("*+?{", c) != NULL : c == '*' && first) {
        if (p->extended)
            fail(p, REG_BADRPT);
        literal(p, c);
    } else if (c == '[')
        bracket(p);
    else if (c == '.')
        emit(p, ANY_CHARACTER, 0);
    else if (c == '\\') {
        c = (unsigned char)*p->at++;
        if (first && !p->extended && c == '{')
            fail(p, REG_BADRPT);
        escape(p, c);
    } else
        literal(p, c);
    return 1;
}

static void branch(struct parser *p)
{
    int first = 1;

    while (!p->error && !ends_branch(p)) {
        int place = p->to->size;

        first = !atom(p, first);
        if (!first)
            repetitions(p, place);
    }
}

static void alternatives(struct parser *p)
{
    int place = p->to->size, written;

    branch(p);
    while (!p->error && stands(p, '|', &written)) {
        int length = p->to->size - place;

        p->at += written;
        insert(p, place, SPLIT, length + 2);
        emit(p, JUMP, 0);
        length = p->to->size;
        branch(p);
        if (!p->error)
            p->to->code[length - 1].argument = (short)(p->to->size - length + 1);
    }
}

int regcomp(regex_t *result, const char *pattern, int flags)
{
    struct parser *p = calloc(1, sizeof *p);
    int error;

    result->_compiled = calloc(1, sizeof *result->_compiled);
    if (p == NULL || result->_compiled == NULL) {
        free(p);
        free(result->_compiled);
        return REG_ESPACE;
    }
    p->to = result->_compiled;
    p->to->flags = flags;
    p->at = pattern;
    p->extended = flags & REG_EXTENDED;
    alternatives(p);
    emit(p, FOUND, 0);
    if (*p->at)
        fail(p, REG_EPAREN);
    error = p->error;
    result->re_nsub = p->to->groups;
    free(p);
    if (error)
        regfree(result);
    return error;
}

void regfree(regex_t *expression)
{
    if (expression->_compiled) {
        free(expression->_compiled->code);
        free(expression->_compiled->sets);
        free(expression->_compiled);
    }
    expression->_compiled = NULL;
}

size_t regerror(int error, const regex_t *expression, char *text, size_t size)
{
    static const char *const messages[] = {
        "Success", "No match", "Invalid regular expression", "Invalid collation character",
        "Invalid character class name", "Trailing backslash", "Invalid back reference",
        "Unmatched [, [^, [:, [., or [=", "Unmatched ( or \\(",
        "Unmatched \\{", "Invalid content of \\{\\}", "Invalid range end", "Memory exhausted",
        "Invalid preceding regular expression"
    };
    const char *message = error >= 0 && error <= REG_BADRPT ? messages[error] : "Unknown error";

    (void)expression;
    if (size > 0) {
        strncpy(text, message, size - 1);
        text[size - 1] = 0;
    }
    return strlen(message) + 1;
}
