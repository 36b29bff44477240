/* Regular expressions: what they match, and which are none. */
#include <regex.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *pattern, *text;
    int flags;
} basic[] = {
    {"abc", "xabcy", 0}, {"a*", "baa", 0}, {"^a*b", "aaab", 0}, {"*a", "x*a", 0}, {"\\(*a\\)", "x*a", 0}, {"a\\{2,3\\}", "aaaa", 0},
    {"\\(ab\\)*c", "xababc", 0}, {"\\(a\\)\\1", "baa", 0}, {"\\(a*\\)b\\1", "aabaa", 0}, {"a|b", "a|b", 0}, {"a\\|b", "xb", 0},
    {"a\\+b\\?", "caab", 0}, {"[]a]*", "]a]b", 0}, {"[^]a]", "]ab", 0}, {"[a-c-]*", "a-cd", 0}, {"[[:digit:]]*x", "12x", 0},
    {"a.c$", "abcabc", 0}, {"a^b$c", "a^b$c", 0}, {"\\(^a\\)", "ba", 0}, {"\\.", "a.b", 0}, {"x\\{0\\}y", "y", 0},
    {"\\<is\\>", "this is it", 0}, {"\\bwo\\B", "a word", 0}, {"\\w*", "ab_1 c", 0}, {"A[B-D]e", "xacE", REG_ICASE},
    {"^b", "a\nb", REG_NEWLINE}, {"a$", "a\nb", REG_NEWLINE}, {"a.b", "a\nb", REG_NEWLINE}, {"a[^x]b", "a\nb", REG_NEWLINE},
    {"a.b", "a\nb", 0}, {"\\(a\\)*\\1b", "aaab", 0}, {"\\(.*\\)\\n\\1", "a", 0}, {"", "abc", 0}, {"[[=a=]b]", "b", 0},
    {"[[.-.]]", "a-", 0}, {"\\(a\\(b\\)*\\)*", "abbab", 0}
}, extended[] = {
    {"a+b?c", "xaabc", 0}, {"(a|b)*c|(a|ab)*c", "abc", 0}, {"x*", "aaa", 0}, {"(x?)(x*)", "xx", 0},
    {"a{2}", "aaa", 0}, {"a{,2}b", "aaab", 0}, {"(ab){1,2}", "ababab", 0}, {"()b", "ab", 0}, {"a||b", "b", 0}, {"(|a)b", "ab", 0},
    {"^(foo|foobar)$", "foobar", 0}, {"a)", "xa)", 0}, {"(^a|b)c", "bc", 0}, {"a$|b", "ab", 0}, {"(a*)(b*)(c?)", "aabbc", 0},
    {"[0-9]+(\\.[0-9]+)?", "v3.14x", 0}, {"([a-z]+)@([a-z]+)\\.com", "me@here.com", 0}, {"(a|b|c|d)+", "xabcdx", 0},
    {"HeLLo", "say hello", REG_ICASE}, {"(.)\\1", "abccd", 0}, {"((a)|(b))*", "ab", 0}, {"(a+|b+)(c?)", "bbc", 0}, {"\\$\\^\\*", "$^*", 0},
    {"((foo)|(bar))!bas", "bar!bas", 0}, {"[[:alpha:]_][[:alnum:]_]*", "1 name_2", 0}, {"a.*b.*c", "xaabbcc", 0}, {"(a{1,2}){2}", "aaaa", 0}
};

static const char *const wrong_basic[] = {"\\(a", "a\\)", "[a", "a\\{1", "a\\{2,1\\}", "a\\{x\\}", "\\", "\\(a\\)\\2", "[b-a]", "[[:none:]]", "[[.xy.]]"};
static const char *const wrong_extended[] = {"(a", "*a", "a|*b", "[a", "a{2,1}", "(+a)", "a{1", "[[:alpha:", "[z-a]"};

static void try(const char *pattern, const char *text, int flags)
{
    regmatch_t at[6];
    regex_t compiled;
    int i, result = regcomp(&compiled, pattern, flags);

    printf("%s %d", pattern, result);
    if (result == 0) {
        printf(" %d %d", (int)compiled.re_nsub, regexec(&compiled, text, 6, at, 0));
        if (regexec(&compiled, text, 6, at, 0) == 0)
            for (i = 0; i <= (int)compiled.re_nsub && i < 6; i++)
                printf(" %d-%d", (int)at[i].rm_so, (int)at[i].rm_eo);
        printf(" %d", regexec(&compiled, text, 0, NULL, REG_NOTBOL | REG_NOTEOL));
        regfree(&compiled);
    }
    putchar('\n');
}

static unsigned state = 12345;

static int choose(int count)
{
    state = state * 1103515245u + 12345u;
    return (int)((state >> 16 & 0x7fff) % count);
}

/* Random expressions without groups that repeat: there, libraries differ in what the last repetition was. */
static void random_expressions(void)
{
    static const char *const parts[] = {"a", "b", "c", "ab", ".", "[ab]", "[^a]", "a*", "b+", "c?", "(a|bc)", "(ab|a)", "a{1,2}", "(b*)", "|", "^", "$"};
    char pattern[80], text[20];
    int i, n, k;

    for (i = 0; i < 500; i++) {
        *pattern = 0;
        for (n = choose(6) + 1; n > 0; n--)
            strcat(pattern, parts[choose(n == 1 ? 14 : 17)]);
        for (k = 0; k < 8; k++) {
            regmatch_t at[1];
            regex_t compiled;

            for (n = 0; n < 10; n++)
                text[n] = (char)('a' + choose(3));
            text[choose(10)] = 0;
            if (regcomp(&compiled, pattern, REG_EXTENDED))
                continue;
            n = regexec(&compiled, text, 1, at, 0);
            printf("%s %s %d %d %d\n", pattern, text, n, n ? 0 : (int)at[0].rm_so, n ? 0 : (int)at[0].rm_eo);
            regfree(&compiled);
        }
    }
}

int main(void)
{
    unsigned i;
    char text[60];

    for (i = 0; i < sizeof basic / sizeof *basic; i++)
        try(basic[i].pattern, basic[i].text, basic[i].flags);
    for (i = 0; i < sizeof extended / sizeof *extended; i++)
        try(extended[i].pattern, extended[i].text, extended[i].flags | REG_EXTENDED);
    for (i = 0; i < sizeof wrong_basic / sizeof *wrong_basic; i++)
        try(wrong_basic[i], "", 0);
    for (i = 0; i < sizeof wrong_extended / sizeof *wrong_extended; i++)
        try(wrong_extended[i], "", REG_EXTENDED);
    printf("%d ", (int)regerror(REG_EPAREN, NULL, text, 10));
    printf("%s\n", text);
    random_expressions();
    return 0;
}
