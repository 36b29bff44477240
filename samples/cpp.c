/*
 * cpp - preprocess C.
 *
 * Reads a file into a list of tokens, obeys the directives and expands the
 * macros.  Expansion is the algorithm of Dave Prosser on which the standard's
 * wording is based: each token carries a hide set, the names of the macros from
 * whose expansion it came, and is not expanded when its own name is among them.
 *
 * It knows all of C99 but digraphs, trigraphs and the _Pragma operator.  Memory
 * is not given back: a preprocessor does not live long.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_SIZE 1024
#define MAX_CONDITIONS 128
#define MAX_INCLUDES 64
#define MAX_PARAMETERS 128
#define MAX_BLANK_LINES 8 /* more are skipped by a line marker */

enum kind { IDENTIFIER, NUMBER, STRING, CHARACTER, PUNCTUATION, OTHER, PLACEMARKER };

/* The text of tokens; equal texts are one name. */
struct name {
    const char *text;
    size_t length;
    struct macro *macro;
    struct name *next; /* in its hash chain */
};

struct hide_set {
    const struct name *name;
    const struct hide_set *next;
};

struct token {
    enum kind kind;
    struct name *name;
    struct token *next;
    const struct hide_set *hide_set;
    const char *file;
    int line;
    int starts_line;
    int space; /* before the token: at the start of a line so many columns, else whether */
};

struct list {
    struct token *first, *last;
};

enum builtin { NOT_BUILTIN, BUILTIN_FILE, BUILTIN_LINE };

struct macro {
    enum builtin builtin;
    int is_function, is_variadic;
    int parameter_count;
    struct name **parameters;
    struct token *body;
};

/* A group of #if ... #endif. */
struct condition {
    int active;    /* is this part of it processed? */
    int done;      /* has a part been processed, or is the whole skipped? */
    int seen_else;
    const struct token *start;
};

static struct name *names[HASH_SIZE];
static struct condition conditions[MAX_CONDITIONS];
static int condition_count;
static const char *include_directories[MAX_INCLUDES];
static int include_directory_count;
static int include_depth;
static int error_count;
static int no_markers;

static void process_file(const char *path, const struct token *from);

/* ---- errors and memory ------------------------------------------------- */

static void report(const struct token *at, const char *format, ...)
{
    va_list arguments;

    if (at != NULL)
        fprintf(stderr, "%s:%d: ", at->file, at->line);
    else
        fprintf(stderr, "cpp: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    error_count++;
}

static void *allocate(size_t size)
{
    void *memory = malloc(size);

    if (memory == NULL) {
        report(NULL, "out of memory");
        exit(1);
    }
    return memory;
}

/* Text that grows at its end. */
struct text {
    char *start;
    size_t length, capacity;
};

static void add_text(struct text *text, const char *more, size_t length)
{
    if (text->length + length + 1 > text->capacity) {
        char *larger = allocate(2 * (text->length + length) + 64);

        if (text->length > 0)
            memcpy(larger, text->start, text->length);
        free(text->start);
        text->start = larger;
        text->capacity = 2 * (text->length + length) + 64;
    }
    memcpy(text->start + text->length, more, length);
    text->length += length;
    text->start[text->length] = '\0';
}

static void add_string(struct text *text, const char *more)
{
    add_text(text, more, strlen(more));
}

/* ---- names, tokens and lists ------------------------------------------- */

static struct name *find_name(const char *text, size_t length)
{
    unsigned int hash = 0;
    struct name *name;
    char *copy;
    size_t i;

    for (i = 0; i < length; i++)
        hash = hash * 31 + (unsigned char)text[i];
    hash %= HASH_SIZE;
    for (name = names[hash]; name != NULL; name = name->next)
        if (name->length == length && memcmp(name->text, text, length) == 0)
            return name;
    name = allocate(sizeof *name);
    copy = allocate(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    name->text = copy;
    name->length = length;
    name->macro = NULL;
    name->next = names[hash];
    names[hash] = name;
    return name;
}

/* A token with the place and the space of another one. */
static struct token *new_token(enum kind kind, const char *text, size_t length, const struct token *like)
{
    struct token *token = allocate(sizeof *token);

    *token = *like;
    token->kind = kind;
    token->name = find_name(text, length);
    token->next = NULL;
    token->hide_set = NULL;
    return token;
}

static int is(const struct token *token, const char *text)
{
    return token != NULL && strcmp(token->name->text, text) == 0;
}

static void append(struct list *list, struct token *token)
{
    token->next = NULL;
    if (list->first == NULL)
        list->first = token;
    else
        list->last->next = token;
    list->last = token;
}

static void append_copies(struct list *list, const struct token *tokens)
{
    for (; tokens != NULL; tokens = tokens->next) {
        struct token *copy = allocate(sizeof *copy);

        *copy = *tokens;
        append(list, copy);
    }
}

static struct token *copy_tokens(const struct token *tokens)
{
    struct list copies = {NULL, NULL};

    append_copies(&copies, tokens);
    return copies.first;
}

/* ---- hide sets --------------------------------------------------------- */

static int hides(const struct hide_set *set, const struct name *name)
{
    while (set != NULL && set->name != name)
        set = set->next;
    return set != NULL;
}

static const struct hide_set *with_name(const struct hide_set *set, const struct name *name)
{
    struct hide_set *larger;

    if (hides(set, name))
        return set;
    larger = allocate(sizeof *larger);
    larger->name = name;
    larger->next = set;
    return larger;
}

static const struct hide_set *set_union(const struct hide_set *a, const struct hide_set *b)
{
    if (a == NULL)
        return b;
    for (; b != NULL; b = b->next)
        a = with_name(a, b->name);
    return a;
}

static const struct hide_set *set_intersection(const struct hide_set *a, const struct hide_set *b)
{
    const struct hide_set *common = NULL;

    for (; a != NULL; a = a->next)
        if (hides(b, a->name))
            common = with_name(common, a->name);
    return common;
}

/* ---- characters to tokens ---------------------------------------------- */

static int is_word(int c)
{
    return isalnum(c) || c == '_';
}

/* The length of a string or character constant; 0 when it is not closed. */
static size_t quoted_length(const char *text, char quote)
{
    size_t length = 1;

    while (text[length] != quote) {
        if (text[length] == '\\')
            length++;
        if (text[length] == '\0' || text[length] == '\n')
            return 0;
        length++;
    }
    return length + 1;
}

static size_t number_length(const char *text)
{
    size_t length = 1;

    for (;;) {
        int c = (unsigned char)text[length];

        if ((c == '+' || c == '-') && strchr("eEpP", text[length - 1]) != NULL)
            length++;
        else if (is_word(c) || c == '.')
            length++;
        else
            return length;
    }
}

static size_t punctuation_length(const char *text)
{
    static const char pairs[] = "->++--<<>><=>===!=&&||+=-=*=/=%=&=|=^=##";
    const char *pair;

    if (strncmp(text, "...", 3) == 0 || strncmp(text, "<<=", 3) == 0 || strncmp(text, ">>=", 3) == 0)
        return 3;
    for (pair = pairs; *pair != '\0'; pair += 2)
        if (text[0] == pair[0] && text[1] == pair[1])
            return 2;
    return 1;
}

/* The length and kind of the token at the start of a text. */
static size_t token_length(const char *text, enum kind *kind)
{
    size_t prefix = text[0] == 'L' && (text[1] == '"' || text[1] == '\'') ? 1 : 0;
    size_t length;
    int c = (unsigned char)text[prefix];

    if (c == '"' || c == '\'') {
        length = quoted_length(text + prefix, (char)c);
        *kind = length == 0 ? OTHER : c == '"' ? STRING : CHARACTER;
        if (length > 0)
            return prefix + length;
        if (prefix == 0)
            return 1;
    }
    c = (unsigned char)text[0];
    if (isalpha(c) || c == '_') {
        *kind = IDENTIFIER;
        for (length = 1; is_word((unsigned char)text[length]); length++)
            ;
        return length;
    }
    if (isdigit(c) || (c == '.' && isdigit((unsigned char)text[1]))) {
        *kind = NUMBER;
        return number_length(text);
    }
    *kind = ispunct(c) && strchr("@$`\\", c) == NULL ? PUNCTUATION : OTHER;
    return *kind == PUNCTUATION ? punctuation_length(text) : 1;
}

/* Join lines that end in a backslash; the newlines taken out follow the next one. */
static void splice_lines(char *text)
{
    char *to = text;
    int removed = 0;

    while (*text != '\0') {
        if (text[0] == '\\' && text[1] == '\n') {
            removed++;
            text += 2;
        } else if (*text == '\n') {
            *to++ = *text++;
            for (; removed > 0; removed--)
                *to++ = '\n';
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
}

/* Skip a comment; counts its lines. */
static const char *skip_comment(const char *text, struct token *place)
{
    if (text[1] == '/')
        return text + strcspn(text, "\n");
    for (text += 2; text[0] != '*' || text[1] != '/'; text++) {
        if (*text == '\0') {
            report(place, "comment is not closed");
            return text;
        }
        if (*text == '\n')
            place->line++;
    }
    return text + 2;
}

static struct token *tokenize(char *text, const char *file)
{
    struct list list = {NULL, NULL};
    struct token place = {OTHER, NULL, NULL, NULL, NULL, 1, 1, 0}; /* of the next token */
    const char *at = text;

    splice_lines(text);
    place.file = file;
    while (*at != '\0') {
        if (*at == '\n') {
            place.line++;
            place.starts_line = 1;
            place.space = 0;
            at++;
        } else if (isspace((unsigned char)*at)) {
            place.space += *at == '\t' ? 8 - place.space % 8 : 1;
            at++;
        } else if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
            at = skip_comment(at, &place);
            place.space++;
        } else {
            enum kind kind;
            size_t length = token_length(at, &kind);

            append(&list, new_token(kind, at, length, &place));
            place.starts_line = 0;
            place.space = 0;
            at += length;
        }
    }
    return list.first;
}

/* ---- output ------------------------------------------------------------ */

static const char *output_file; /* where the output is, in terms of the input */
static int output_line = 1;
static const struct token *previous; /* token on this line of output */

static void end_line(void)
{
    if (previous != NULL) {
        putchar('\n');
        output_line++;
    }
    previous = NULL;
}

static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

/* Go to the line of the output that stands for a line of the input. */
static void go_to(const char *file, int line)
{
    int same_file = output_file != NULL && strcmp(file, output_file) == 0;

    if (same_file && line == output_line)
        return;
    end_line();
    if (no_markers) {
        output_line = line;
    } else if (same_file && line >= output_line && line - output_line <= MAX_BLANK_LINES) {
        for (; output_line < line; output_line++)
            putchar('\n');
    } else {
        printf("# %d ", line);
        print_quoted(file);
        putchar('\n');
    }
    output_file = file;
    output_line = line;
}

/* Would two tokens be read as something else when there is no space between them? */
static int would_join(const struct token *a, const struct token *b)
{
    const char *next = b->name->text;
    char last = a->name->text[a->name->length - 1];
    char both[8];
    enum kind kind;

    switch (a->kind) {
    case IDENTIFIER:
        return b->kind == IDENTIFIER || b->kind == NUMBER
            || (is(a, "L") && (b->kind == STRING || b->kind == CHARACTER));
    case NUMBER:
        return b->kind == IDENTIFIER || b->kind == NUMBER || *next == '.'
            || ((*next == '+' || *next == '-') && strchr("eEpP", last) != NULL);
    case PUNCTUATION:
        if (b->kind == NUMBER)
            return is(a, ".");
        if (b->kind != PUNCTUATION)
            return 0;
        strcpy(both, a->name->text);
        strcat(both, next);
        return token_length(both, &kind) > a->name->length || strcmp(both, "..") == 0
            || (last == '/' && (*next == '/' || *next == '*'));
    default:
        return 0;
    }
}

static void print_tokens(const struct token *tokens)
{
    for (; tokens != NULL; tokens = tokens->next) {
        int spaces;

        go_to(tokens->file, tokens->line);
        if (previous == NULL)
            spaces = tokens->space;
        else
            spaces = tokens->space > 0 || would_join(previous, tokens);
        for (; spaces > 0; spaces--)
            putchar(' ');
        fputs(tokens->name->text, stdout);
        previous = tokens;
    }
}

/* ---- macro expansion --------------------------------------------------- */

static struct token *expand(struct token *input);

/* The operator #: a string that shows the tokens of an argument. */
static struct token *stringize(const struct token *tokens, const struct token *place)
{
    struct text text = {NULL, 0, 0};
    struct token *string;
    const struct token *token;

    add_string(&text, "\"");
    for (token = tokens; token != NULL; token = token->next) {
        const char *c;

        if (token->space > 0 && token != tokens)
            add_string(&text, " ");
        for (c = token->name->text; *c != '\0'; c++) {
            if ((*c == '"' || *c == '\\') && (token->kind == STRING || token->kind == CHARACTER))
                add_string(&text, "\\");
            add_text(&text, c, 1);
        }
    }
    add_string(&text, "\"");
    string = new_token(STRING, text.start, text.length, place);
    free(text.start);
    return string;
}

/* The operator ##: join the last token of a list with the first of others, and append the rest. */
static void paste(struct list *list, struct token *tokens)
{
    struct token *left = list->last, *rest = tokens->next;
    struct text text = {NULL, 0, 0};
    enum kind kind = left->kind;

    if (tokens->kind != PLACEMARKER) {
        add_string(&text, left->name->text);
        add_string(&text, tokens->name->text);
        if (left->kind == PLACEMARKER) {
            kind = tokens->kind;
            left->hide_set = tokens->hide_set;
        } else if (token_length(text.start, &kind) == text.length
                   && !(text.start[0] == '/' && strchr("/*", text.start[1]) != NULL)) {
            left->hide_set = set_intersection(left->hide_set, tokens->hide_set);
        } else {
            report(left, "'%s' ## '%s' is no token", left->name->text, tokens->name->text);
        }
        left->kind = kind;
        left->name = find_name(text.start, text.length);
        free(text.start);
    }
    append_copies(list, rest);
}

static int parameter_index(const struct macro *macro, const struct token *token)
{
    int i;

    if (token == NULL || token->kind != IDENTIFIER)
        return -1;
    for (i = 0; i < macro->parameter_count; i++)
        if (macro->parameters[i] == token->name)
            return i;
    return -1;
}

/* The tokens that stand for a token of a macro's body next to an operator ##. */
static struct token *paste_operand(const struct macro *macro, struct token **arguments, const struct token *token)
{
    int index = parameter_index(macro, token);
    struct list operand = {NULL, NULL};

    if (index < 0) {
        append(&operand, new_token(token->kind, token->name->text, token->name->length, token));
    } else {
        append_copies(&operand, arguments[index]);
        if (operand.first == NULL)
            append(&operand, new_token(PLACEMARKER, "", 0, token));
        operand.first->space = token->space;
    }
    return operand.first;
}

/* The body of a macro with its arguments, for a call. */
static struct token *substitute(const struct macro *macro, struct token **arguments,
                                const struct hide_set *hide_set, const struct token *call)
{
    struct list list = {NULL, NULL}, result = {NULL, NULL};
    const struct token *body;
    struct token *token, *next;

    for (body = macro->body; body != NULL; body = body->next) {
        int index = parameter_index(macro, body);

        if (is(body, "##") && list.first != NULL && body->next != NULL) {
            body = body->next;
            paste(&list, paste_operand(macro, arguments, body));
        } else if (is(body, "#") && macro->is_function) {
            index = parameter_index(macro, body->next);
            append(&list, stringize(arguments[index], body));
            body = body->next;
        } else if (index < 0 || is(body->next, "##")) {
            append_copies(&list, paste_operand(macro, arguments, body));
        } else {
            struct token *expansion = expand(copy_tokens(arguments[index]));

            if (expansion != NULL)
                expansion->space = body->space;
            append_copies(&list, expansion);
        }
    }
    for (token = list.first; token != NULL; token = next) {
        next = token->next;
        if (token->kind == PLACEMARKER)
            continue;
        token->hide_set = set_union(token->hide_set, hide_set);
        token->file = call->file;
        token->line = call->line;
        append(&result, token);
    }
    if (result.first != NULL)
        result.first->space = call->space;
    return result.first;
}

static struct token *expand_builtin(enum builtin builtin, const struct token *call)
{
    struct token name;
    char digits[24];

    if (builtin == BUILTIN_LINE) {
        sprintf(digits, "%d", call->line);
        return new_token(NUMBER, digits, strlen(digits), call);
    }
    name = *call;
    name.kind = STRING; /* so that special characters are escaped */
    name.name = find_name(call->file, strlen(call->file));
    name.next = NULL;
    return stringize(&name, call);
}

/*
 * Gather the arguments of a call, of which open is the parenthesis.  Returns
 * the closing one, or NULL when something is wrong.
 */
static struct token *gather_arguments(const struct macro *macro, const struct token *call,
                                      const struct token *open, struct token **arguments)
{
    struct list argument = {NULL, NULL};
    struct token *token, *next;
    int count = 0, depth = 0, i;

    for (token = open->next; token != NULL; token = next) {
        int is_rest = macro->is_variadic && count == macro->parameter_count - 1;
        int closes = depth == 0 && is(token, ")");

        next = token->next;
        if (closes || (depth == 0 && is(token, ",") && !is_rest)) {
            if (count < macro->parameter_count)
                arguments[count] = argument.first;
            if (!closes || count > 0 || argument.first != NULL || macro->parameter_count > 0)
                count++;
            argument.first = NULL;
            if (closes)
                break;
        } else {
            struct token *copy = new_token(token->kind, token->name->text, token->name->length, token);

            depth += is(token, "(") - is(token, ")");
            copy->hide_set = token->hide_set;
            copy->space = token->space > 0 || token->starts_line;
            copy->starts_line = 0;
            append(&argument, copy);
        }
    }
    if (token == NULL) {
        report(call, "call of macro '%s' is not closed", call->name->text);
        return NULL;
    }
    if (macro->is_variadic && count == macro->parameter_count - 1)
        arguments[count++] = NULL;
    if (count != macro->parameter_count) {
        report(call, "macro '%s' needs %d arguments, but has %d", call->name->text, macro->parameter_count, count);
        return NULL;
    }
    for (i = 0; i < count; i++)
        if (arguments[i] != NULL)
            arguments[i]->space = 0;
    return token;
}

/* Expand all macros in a list of tokens, which is used up. */
static struct token *expand(struct token *input)
{
    struct list output = {NULL, NULL};

    while (input != NULL) {
        struct token *call = input, *rest = call->next, *expansion, *last;
        const struct macro *macro = call->kind == IDENTIFIER ? call->name->macro : NULL;
        const struct hide_set *hide_set = call->hide_set;
        struct token *arguments[MAX_PARAMETERS];

        if (macro != NULL && macro->is_function) {
            struct token *close = NULL;

            if (is(rest, "(") && !hides(hide_set, call->name))
                close = gather_arguments(macro, call, rest, arguments);
            if (close != NULL) {
                hide_set = set_intersection(hide_set, close->hide_set);
                rest = close->next;
            } else {
                macro = NULL;
            }
        }
        if (macro == NULL || hides(hide_set, call->name)) {
            append(&output, call);
            input = rest;
            continue;
        }
        if (macro->builtin != NOT_BUILTIN)
            expansion = expand_builtin(macro->builtin, call);
        else
            expansion = substitute(macro, arguments, with_name(hide_set, call->name), call);
        input = rest;
        if (expansion != NULL) {
            for (last = expansion; last->next != NULL; last = last->next)
                ;
            last->next = rest;
            input = expansion;
        } else if (rest != NULL && !rest->starts_line && call->space > rest->space) {
            rest->space = call->space;
        }
    }
    return output.first;
}

/* ---- expressions of #if ------------------------------------------------ */

struct value {
    unsigned long long bits;
    int is_unsigned;
};

#define SIGN_BIT (~(~0ULL >> 1))

static struct token *operand_at; /* the rest of the expression */
static const struct token *directive_at;
static int expression_failed;

static struct value evaluate_conditional(int live);

static struct value make_value(unsigned long long bits, int is_unsigned)
{
    struct value value;

    value.bits = bits;
    value.is_unsigned = is_unsigned;
    return value;
}

static int is_negative(struct value value)
{
    return !value.is_unsigned && (value.bits & SIGN_BIT) != 0;
}

static struct value expression_error(const char *what)
{
    if (!expression_failed)
        report(directive_at, "#if: %s", what);
    expression_failed = 1;
    operand_at = NULL;
    return make_value(0, 0);
}

static int accept(const char *text)
{
    if (!is(operand_at, text))
        return 0;
    operand_at = operand_at->next;
    return 1;
}

static int digit_value(int c)
{
    return isdigit(c) ? c - '0' : isxdigit(c) ? tolower(c) - 'a' + 10 : 99;
}

static struct value number_value(const char *text)
{
    unsigned long long bits = 0;
    unsigned int base = 10;
    int is_unsigned;

    if (text[0] == '0') {
        base = tolower((unsigned char)text[1]) == 'x' ? 16 : 8;
        text += base == 16 ? 2 : 0;
    }
    for (; digit_value((unsigned char)*text) < (int)base; text++)
        bits = bits * base + (unsigned int)digit_value((unsigned char)*text);
    is_unsigned = (bits & SIGN_BIT) != 0;
    for (; *text != '\0' && strchr("uUlL", *text) != NULL; text++)
        if (*text == 'u' || *text == 'U')
            is_unsigned = 1;
    if (*text != '\0')
        return expression_error("bad integer");
    return make_value(bits, is_unsigned);
}

static struct value character_value(const char *text)
{
    static const char letters[] = "abfnrtv", codes[] = "\a\b\f\n\r\t\v";
    unsigned long long bits = 0;

    text += *text == 'L' ? 2 : 1;
    while (*text != '\'') {
        unsigned int c = (unsigned char)*text++;

        if (c == '\\') {
            const char *letter;
            int digits;

            c = (unsigned char)*text++;
            letter = strchr(letters, (int)c);
            if (letter != NULL) {
                c = (unsigned char)codes[letter - letters];
            } else if (c == 'x') {
                for (c = 0; isxdigit((unsigned char)*text); text++)
                    c = c << 4 | (unsigned int)digit_value((unsigned char)*text);
            } else if (digit_value((int)c) < 8) {
                c -= '0';
                for (digits = 1; digits < 3 && digit_value((unsigned char)*text) < 8; digits++)
                    c = c << 3 | (unsigned int)digit_value((unsigned char)*text++);
            }
        }
        bits = bits << 8 | (c & 0xff);
    }
    return make_value(bits & 0xffffffff, 0);
}

static struct value evaluate_unary(int live)
{
    struct token *token = operand_at;
    struct value value;

    if (token == NULL)
        return expression_error("an operand is missing");
    operand_at = token->next;
    if (token->kind == NUMBER)
        return number_value(token->name->text);
    if (token->kind == CHARACTER)
        return character_value(token->name->text);
    if (token->kind == IDENTIFIER)
        return make_value(0, 0);
    if (is(token, "(")) {
        value = evaluate_conditional(live);
        if (!accept(")"))
            return expression_error("')' is missing");
    } else if (is(token, "+")) {
        value = evaluate_unary(live);
    } else if (is(token, "-")) {
        value = evaluate_unary(live);
        value.bits = -value.bits;
    } else if (is(token, "~")) {
        value = evaluate_unary(live);
        value.bits = ~value.bits;
    } else if (is(token, "!")) {
        value = evaluate_unary(live);
        value = make_value(value.bits == 0, 0);
    } else {
        value = expression_error("an operand is missing");
    }
    return value;
}

static int precedence(const struct token *token)
{
    static const char *const operators[] = {
        "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"
    };
    int i;

    if (token == NULL || token->kind != PUNCTUATION)
        return 0;
    for (i = 0; i < (int)(sizeof operators / sizeof operators[0]); i++) {
        const char *found = operators[i];

        while (*found != '\0') {
            size_t length = strcspn(found, " ");

            if (length == token->name->length && memcmp(found, token->name->text, length) == 0)
                return i + 1;
            found += length;
            found += strspn(found, " ");
        }
    }
    return 0;
}

static unsigned long long divide(struct value a, struct value b, int remainder)
{
    unsigned long long x = is_negative(a) ? -a.bits : a.bits;
    unsigned long long y = is_negative(b) ? -b.bits : b.bits;

    if (remainder)
        return is_negative(a) ? -(x % y) : x % y;
    return is_negative(a) != is_negative(b) ? -(x / y) : x / y;
}

static struct value shift(struct value a, struct value b, int left)
{
    if (is_negative(b)) {
        left = !left;
        b.bits = -b.bits;
    }
    if (b.bits > 63)
        a.bits = !left && is_negative(a) ? ~0ULL : 0;
    else if (left)
        a.bits <<= b.bits;
    else
        a.bits = is_negative(a) ? ~(~a.bits >> b.bits) : a.bits >> b.bits;
    return a;
}

static struct value apply(const struct token *operator, struct value a, struct value b, int live)
{
    const char *text = operator->name->text;
    int is_unsigned = a.is_unsigned || b.is_unsigned;
    unsigned long long flip;

    if (is(operator, "<<") || is(operator, ">>"))
        return shift(a, b, text[0] == '<');
    a.is_unsigned = b.is_unsigned = is_unsigned;
    flip = is_unsigned ? 0 : SIGN_BIT; /* makes signed order into unsigned order */
    switch (text[0]) {
    case '+':
        return make_value(a.bits + b.bits, is_unsigned);
    case '-':
        return make_value(a.bits - b.bits, is_unsigned);
    case '*':
        return make_value(a.bits * b.bits, is_unsigned);
    case '|':
        return make_value(a.bits | b.bits, is_unsigned);
    case '&':
        return make_value(a.bits & b.bits, is_unsigned);
    case '^':
        return make_value(a.bits ^ b.bits, is_unsigned);
    case '=':
        return make_value(a.bits == b.bits, 0);
    case '!':
        return make_value(a.bits != b.bits, 0);
    case '<':
        return make_value((a.bits ^ flip) < (b.bits ^ flip) || (text[1] == '=' && a.bits == b.bits), 0);
    case '>':
        return make_value((a.bits ^ flip) > (b.bits ^ flip) || (text[1] == '=' && a.bits == b.bits), 0);
    default: /* / and % */
        if (b.bits == 0)
            return live ? expression_error("division by zero") : make_value(0, is_unsigned);
        return make_value(divide(a, b, text[0] == '%'), is_unsigned);
    }
}

/* Operators of at least a precedence; live: does the value count, or is it skipped by && || ?: */
static struct value evaluate_binary(int least, int live)
{
    struct value left = evaluate_unary(live);

    while (precedence(operand_at) >= least) {
        const struct token *operator = operand_at;
        int is_and = is(operator, "&&"), is_or = is(operator, "||");
        int right_live = live && !(is_and && left.bits == 0) && !(is_or && left.bits != 0);
        struct value right;

        operand_at = operand_at->next;
        right = evaluate_binary(precedence(operator) + 1, right_live);
        if (is_and)
            left = make_value(left.bits != 0 && right.bits != 0, 0);
        else if (is_or)
            left = make_value(left.bits != 0 || right.bits != 0, 0);
        else
            left = apply(operator, left, right, live);
    }
    return left;
}

static struct value evaluate_conditional(int live)
{
    struct value condition = evaluate_binary(1, live), yes, no;

    if (!accept("?"))
        return condition;
    yes = evaluate_conditional(live && condition.bits != 0);
    if (!accept(":"))
        return expression_error("':' is missing");
    no = evaluate_conditional(live && condition.bits == 0);
    yes.is_unsigned = no.is_unsigned = yes.is_unsigned || no.is_unsigned;
    return condition.bits != 0 ? yes : no;
}

/* Replace "defined X" and "defined(X)" by 1 or 0, before macros are expanded. */
static struct token *replace_defined(struct token *tokens)
{
    struct list list = {NULL, NULL};

    while (tokens != NULL) {
        struct token *token = tokens, *name = token->next;

        tokens = token->next;
        if (is(token, "defined")) {
            int parenthesis = is(name, "(");

            if (parenthesis)
                name = name->next;
            if (name == NULL || name->kind != IDENTIFIER || (parenthesis && !is(name->next, ")"))) {
                expression_error("a name is expected after 'defined'");
                return NULL;
            }
            tokens = parenthesis ? name->next->next : name->next;
            token = new_token(NUMBER, name->name->macro != NULL ? "1" : "0", 1, token);
        }
        append(&list, token);
    }
    return list.first;
}

static int evaluate(struct token *tokens, const struct token *directive)
{
    struct value value;

    directive_at = directive;
    expression_failed = 0;
    tokens = replace_defined(tokens);
    if (!expression_failed) {
        operand_at = expand(tokens);
        value = evaluate_conditional(1);
        if (operand_at != NULL)
            expression_error("an operator is missing");
    }
    return !expression_failed && value.bits != 0;
}

/* ---- directives -------------------------------------------------------- */

static struct token *rest_of_file; /* what follows the directive */

static int skipping(void)
{
    return condition_count > 0 && !conditions[condition_count - 1].active;
}

static int same_tokens(const struct token *a, const struct token *b)
{
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        if (a->name != b->name || (a->space > 0) != (b->space > 0))
            return 0;
    return a == b;
}

static int same_macro(const struct macro *a, const struct macro *b)
{
    int i;

    if (a->is_function != b->is_function || a->is_variadic != b->is_variadic
        || a->parameter_count != b->parameter_count || !same_tokens(a->body, b->body))
        return 0;
    for (i = 0; i < a->parameter_count; i++)
        if (a->parameters[i] != b->parameters[i])
            return 0;
    return 1;
}

/* Read the parameters of a macro, from behind the parenthesis; returns the closing one or NULL. */
static struct token *read_parameters(struct macro *macro, struct token *token)
{
    struct name *found[MAX_PARAMETERS];

    macro->is_function = 1;
    while (!is(token, ")") || macro->parameter_count > 0) {
        if (token == NULL || macro->parameter_count == MAX_PARAMETERS)
            return NULL;
        macro->is_variadic = is(token, "...");
        if ((!macro->is_variadic && token->kind != IDENTIFIER) || parameter_index(macro, token) >= 0)
            return NULL;
        found[macro->parameter_count++] = macro->is_variadic ? find_name("__VA_ARGS__", 11) : token->name;
        macro->parameters = found; /* for parameter_index */
        token = token->next;
        if (is(token, ")"))
            break;
        if (!is(token, ",") || macro->is_variadic)
            return NULL;
        token = token->next;
    }
    macro->parameters = NULL;
    if (macro->parameter_count > 0) {
        macro->parameters = allocate((size_t)macro->parameter_count * sizeof *found);
        memcpy(macro->parameters, found, (size_t)macro->parameter_count * sizeof *found);
    }
    return token;
}

static int is_body_valid(const struct macro *macro)
{
    const struct token *token;

    if (is(macro->body, "##"))
        return 0;
    for (token = macro->body; token != NULL; token = token->next) {
        if (is(token, "##") && token->next == NULL)
            return 0;
        if (macro->is_function && is(token, "#") && parameter_index(macro, token->next) < 0)
            return 0;
    }
    return 1;
}

static void define_builtin(const char *text, enum builtin builtin)
{
    struct macro *macro = allocate(sizeof *macro);

    memset(macro, 0, sizeof *macro);
    macro->builtin = builtin;
    find_name(text, strlen(text))->macro = macro;
}

/* The name that #define and others act upon; NULL when it is not there. */
static struct name *macro_name(const struct token *name, const struct token *directive)
{
    if (name == NULL || name->kind != IDENTIFIER || is(name, "defined")) {
        report(directive, "#%s needs the name of a macro", directive->name->text);
        return NULL;
    }
    return name->name;
}

static void do_define(struct token *tokens, const struct token *directive)
{
    struct name *name = macro_name(tokens, directive);
    struct token *body;
    struct macro *macro;

    if (name == NULL)
        return;
    macro = allocate(sizeof *macro);
    memset(macro, 0, sizeof *macro);
    body = tokens->next;
    if (is(body, "(") && body->space == 0) {
        body = read_parameters(macro, body->next);
        if (body == NULL) {
            report(directive, "bad parameters of macro '%s'", name->text);
            return;
        }
        body = body->next;
    }
    if (body != NULL)
        body->space = 0;
    macro->body = body;
    if (!is_body_valid(macro))
        report(directive, "bad use of # or ## in macro '%s'", name->text);
    else if (name->macro != NULL && (name->macro->builtin != NOT_BUILTIN || !same_macro(name->macro, macro)))
        report(directive, "macro '%s' is already defined otherwise", name->text);
    else
        name->macro = macro;
}

static void do_undef(const struct token *tokens, const struct token *directive)
{
    struct name *name = macro_name(tokens, directive);

    if (name != NULL && name->macro != NULL && name->macro->builtin != NOT_BUILTIN)
        report(directive, "macro '%s' cannot be undefined", name->text);
    else if (name != NULL)
        name->macro = NULL;
}

static int is_readable(const char *path)
{
    FILE *file = fopen(path, "r");

    if (file != NULL)
        fclose(file);
    return file != NULL;
}

/* The path of a file to include; NULL when there is none. */
static const char *find_include(const char *name, int quoted, const char *includer)
{
    const char *slash = strrchr(includer, '/');
    struct text path = {NULL, 0, 0};
    int i;

    if (quoted || name[0] == '/') {
        if (slash != NULL && name[0] != '/')
            add_text(&path, includer, (size_t)(slash - includer) + 1);
        add_string(&path, name);
        if (is_readable(path.start))
            return path.start;
    }
    for (i = 0; i < include_directory_count; i++) {
        path.length = 0;
        add_string(&path, include_directories[i]);
        add_string(&path, "/");
        add_string(&path, name);
        if (is_readable(path.start))
            return path.start;
    }
    return NULL;
}

static void do_include(struct token *tokens, const struct token *directive, const char *includer)
{
    struct text name = {NULL, 0, 0};
    const char *path;
    int quoted;

    if (tokens != NULL && tokens->kind == IDENTIFIER)
        tokens = expand(tokens);
    quoted = tokens != NULL && tokens->kind == STRING;
    if (quoted) {
        add_text(&name, tokens->name->text + 1, tokens->name->length - 2);
    } else if (is(tokens, "<")) {
        add_string(&name, "");
        for (tokens = tokens->next; tokens != NULL && !is(tokens, ">"); tokens = tokens->next) {
            if (tokens->space > 0 && name.length > 0)
                add_string(&name, " ");
            add_string(&name, tokens->name->text);
        }
    }
    if (tokens == NULL || name.start == NULL) {
        report(directive, "#include needs \"FILE\" or <FILE>");
        return;
    }
    path = find_include(name.start, quoted, includer);
    if (path == NULL) {
        report(directive, "cannot find %s", name.start);
    } else if (include_depth == MAX_INCLUDES) {
        report(directive, "files are included too deeply");
        exit(1);
    } else {
        process_file(path, directive);
    }
}

/* The text that a string stands for, if it has no escapes but of \" and \\. */
static const char *unquote(const struct name *string)
{
    const char *from = string->text + 1;
    char *text = allocate(string->length), *to = text;

    while (*from != '"') {
        if (*from == '\\')
            from++;
        *to++ = *from++;
    }
    *to = '\0';
    return text;
}

/* Renumber the rest of the file. */
static void do_line(struct token *tokens, const struct token *directive)
{
    const char *file = NULL;
    struct token *token;
    int shift;

    tokens = expand(tokens);
    if (tokens == NULL || tokens->kind != NUMBER
        || strspn(tokens->name->text, "0123456789") != tokens->name->length
        || (tokens->next != NULL && tokens->next->kind != STRING)) {
        report(directive, "#line needs a number and perhaps a name");
        return;
    }
    if (tokens->next != NULL)
        file = unquote(tokens->next->name);
    shift = atoi(tokens->name->text) - (directive->line + 1);
    for (token = rest_of_file; token != NULL; token = token->next) {
        token->line += shift;
        if (file != NULL)
            token->file = file;
    }
}

static void do_error(const struct token *tokens, const struct token *directive)
{
    struct text text = {NULL, 0, 0};

    add_string(&text, "#error");
    for (; tokens != NULL; tokens = tokens->next) {
        if (tokens->space > 0)
            add_string(&text, " ");
        add_string(&text, tokens->name->text);
    }
    report(directive, "%s", text.start);
    free(text.start);
}

static void begin_condition(const struct token *directive, struct token *tokens)
{
    struct condition *condition;
    int skipped = skipping(), holds = 0;

    if (condition_count == MAX_CONDITIONS) {
        report(directive, "conditions are nested too deeply");
        exit(1);
    }
    condition = &conditions[condition_count];
    if (!skipped && is(directive, "if")) {
        holds = evaluate(tokens, directive);
    } else if (!skipped) {
        struct name *name = macro_name(tokens, directive);

        holds = name != NULL && (name->macro != NULL) == is(directive, "ifdef");
    }
    condition->active = holds;
    condition->done = holds || skipped;
    condition->seen_else = 0;
    condition->start = directive;
    condition_count++;
}

static void continue_condition(const struct token *directive, struct token *tokens, int outer)
{
    struct condition *condition;

    if (condition_count == outer) {
        report(directive, "#%s without #if", directive->name->text);
        return;
    }
    condition = &conditions[condition_count - 1];
    if (is(directive, "endif")) {
        condition_count--;
    } else if (condition->seen_else) {
        report(directive, "#%s after #else", directive->name->text);
    } else {
        condition->seen_else = is(directive, "else");
        condition->active = !condition->done && (condition->seen_else || evaluate(tokens, directive));
        condition->done = condition->done || condition->active;
    }
}

/* Obey a directive: the tokens behind its "#".  outer: conditions that are not of this file. */
static void obey(struct token *directive, const char *path, int outer)
{
    struct token *tokens = directive->next;

    if (is(directive, "if") || is(directive, "ifdef") || is(directive, "ifndef")) {
        begin_condition(directive, tokens);
    } else if (is(directive, "elif") || is(directive, "else") || is(directive, "endif")) {
        continue_condition(directive, tokens, outer);
    } else if (skipping()) {
        return;
    } else if (is(directive, "define")) {
        do_define(tokens, directive);
    } else if (is(directive, "undef")) {
        do_undef(tokens, directive);
    } else if (is(directive, "include")) {
        do_include(tokens, directive, path);
    } else if (is(directive, "line")) {
        do_line(tokens, directive);
    } else if (is(directive, "error")) {
        do_error(tokens, directive);
    } else if (is(directive, "pragma")) {
        end_line();
        go_to(directive->file, directive->line);
        printf("#");
        directive->space = 0;
        print_tokens(directive);
        end_line();
    } else {
        report(directive, "unknown directive #%s", directive->name->text);
    }
}

/* ---- files ------------------------------------------------------------- */

/* Cut off tokens up to the next line, or to the next line with a directive. */
static struct token *cut(struct token **tokens, int until_directive)
{
    struct token *first = *tokens, *last = first;

    while (last->next != NULL && !(last->next->starts_line && (!until_directive || is(last->next, "#"))))
        last = last->next;
    *tokens = last->next;
    last->next = NULL;
    return first;
}

static void process_text(char *text, const char *path)
{
    struct token *tokens = tokenize(text, path);
    int outer = condition_count;

    while (tokens != NULL) {
        if (tokens->starts_line && is(tokens, "#")) {
            struct token *line = cut(&tokens, 0);
            struct token *outer_rest = rest_of_file;

            rest_of_file = tokens;
            if (line->next != NULL)
                obey(line->next, path, outer);
            rest_of_file = outer_rest;
        } else {
            struct token *lines = cut(&tokens, 1);

            if (!skipping())
                print_tokens(expand(lines));
        }
    }
    for (; condition_count > outer; condition_count--)
        report(conditions[condition_count - 1].start, "#if without #endif");
}

static void process_file(const char *path, const struct token *from)
{
    struct text text = {NULL, 0, 0};
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    char part[1024];
    size_t length;

    if (file == NULL) {
        report(from, "cannot open %s", path);
        return;
    }
    while ((length = fread(part, 1, sizeof part, file)) > 0)
        add_text(&text, part, length);
    if (file != stdin)
        fclose(file);
    add_string(&text, "\n");
    include_depth++;
    go_to(path, 1);
    process_text(text.start, path);
    end_line();
    include_depth--;
    free(text.start);
}

/* ---- command line ------------------------------------------------------ */

static void usage(void)
{
    fprintf(stderr, "usage: cpp [-P] [-D NAME[=BODY]] [-U NAME] [-I DIRECTORY] [FILE]\n"
                    "  -P  print no line markers\n");
    exit(2);
}

/* Add to the directives that come before the file. */
static void add_option(struct text *prologue, char letter, const char *value)
{
    const char *equals = strchr(value, '=');

    switch (letter) {
    case 'D':
        add_string(prologue, "#define ");
        add_text(prologue, value, equals == NULL ? strlen(value) : (size_t)(equals - value));
        add_string(prologue, " ");
        add_string(prologue, equals == NULL ? "1" : equals + 1);
        add_string(prologue, "\n");
        break;
    case 'U':
        add_string(prologue, "#undef ");
        add_string(prologue, value);
        add_string(prologue, "\n");
        break;
    case 'I':
        if (include_directory_count == MAX_INCLUDES)
            usage();
        include_directories[include_directory_count++] = value;
        break;
    default:
        usage();
    }
}

int main(int argc, char **argv)
{
    struct text prologue = {NULL, 0, 0};
    int i;

    /* no clock: output depends only on input */
    add_string(&prologue, "#define __STDC__ 1\n#define __STDC_VERSION__ 199901L\n#define __STDC_HOSTED__ 1\n"
                          "#define __DATE__ \"Jan  1 1970\"\n#define __TIME__ \"00:00:00\"\n");
    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        if (strcmp(argv[i], "-P") == 0) {
            no_markers = 1;
        } else if (argv[i][2] != '\0') { /* -DNAME */
            add_option(&prologue, argv[i][1], argv[i] + 2);
        } else if (i + 1 < argc) { /* -D NAME */
            add_option(&prologue, argv[i][1], argv[i + 1]);
            i++;
        } else {
            usage();
        }
    }
    if (argc - i > 1)
        usage();
    define_builtin("__FILE__", BUILTIN_FILE);
    define_builtin("__LINE__", BUILTIN_LINE);
    process_text(prologue.start, "<command line>");
    free(prologue.start);
    process_file(i < argc ? argv[i] : "-", NULL);
    return error_count > 0 ? 1 : 0;
}
