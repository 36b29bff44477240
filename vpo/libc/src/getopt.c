/* getopt, getopt_long, getopt_long_only: words that are no options move behind the options, but with a leading + they
   end them. */

#include <getopt.h>
#include <stdio.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt;

static const char *rest = ""; /* of a word with several options */

static int complain(char *const words[], const char *options, const char *what, const char *name, int length)
{
    if (opterr && *options != ':')
        fprintf(stderr, "%s: %s -- '%.*s'\n", words[0], what, length, name);
    return '?';
}

static int missing(char *const words[], const char *options, const char *name, int length)
{
    complain(words, options, "option requires an argument", name, length);
    return *options == ':' ? ':' : '?';
}

/* The next option, which begins at words[optind]; `optind` moves on when all options of a word have been told. */
static int short_option(int count, char *const words[], const char *options)
{
    const char *found;

    optarg = NULL;
    if (*rest == 0) {
        if (optind >= count || words[optind] == NULL || words[optind][0] != '-' || words[optind][1] == 0)
            return -1;
        if (strcmp(words[optind], "--") == 0) {
            optind++;
            return -1;
        }
        rest = words[optind] + 1;
    }
    optopt = (unsigned char)*rest++;
    if (*rest == 0)
        optind++;
    found = strchr(options, optopt);
    if (found == NULL || optopt == ':')
        return complain(words, options, "invalid option", rest - 1, 1);
    if (found[1] != ':')
        return optopt;
    if (*rest) {
        optarg = (char *)rest;
        optind++;
    } else if (found[2] != ':') {
        if (optind >= count)
            return missing(words, options, rest - 1, 1);
        optarg = words[optind++];
    }
    rest = "";
    return optopt;
}

/* Returns the option that a name means: the one of that name, else the only one that begins so. */
static const struct option *look_up(const struct option *all, const char *name, size_t length)
{
    const struct option *option, *only = NULL;
    int matches = 0;

    for (option = all; option->name; option++)
        if (strncmp(option->name, name, length) == 0) {
            if (option->name[length] == 0)
                return option;
            only = option;
            matches++;
        }
    return matches == 1 ? only : NULL;
}

/* The name of the long option at words[optind], NULL if there is none; `only`: it may have one dash, too. */
static const char *long_name(int count, char *const words[], const char *options, const struct option *all, int only)
{
    const char *word = optind < count ? words[optind] : NULL;

    if (all == NULL || *rest || word == NULL || word[0] != '-' || word[1] == 0)
        return NULL;
    if (word[1] == '-')
        return word[2] ? word + 2 : NULL;
    if (!only || (look_up(all, word + 1, strcspn(word + 1, "=")) == NULL && (word[2] == 0 || strchr(options, word[1]))))
        return NULL;
    return word + 1;
}

static int any_option(
    int count, char *const words[], const char *options, const struct option *all, int *index, int only)
{
    const struct option *option;
    const char *name = long_name(count, words, options, all, only);
    size_t length;

    if (name == NULL)
        return short_option(count, words, options);
    optind++;
    length = strcspn(name, "=");
    option = look_up(all, name, length);
    optarg = NULL;
    optopt = 0;
    if (option == NULL)
        return complain(words, options, "unrecognized option", name, (int)length);
    if (name[length])
        optarg = (char *)name + length + 1;
    if (optarg && option->has_arg == no_argument)
        return complain(words, options, "option doesn't allow an argument", name, (int)length);
    if (option->has_arg == required_argument && optarg == NULL) {
        if (optind >= count)
            return missing(words, options, name, (int)length);
        optarg = words[optind++];
    }
    if (index)
        *index = (int)(option - all);
    if (option->flag == NULL)
        return option->val;
    *option->flag = option->val;
    return 0;
}

/* Moves the words from `from` to `to` - 1 before those from `place` on. */
static void move(char **words, int place, int from, int to)
{
    for (; from < to; place++, from++) {
        char *word = words[from];

        memmove(words + place + 1, words + place, (size_t)(from - place) * sizeof *words);
        words[place] = word;
    }
}

static int next_option(
    int count, char *const words[], const char *options, const struct option *all, int *index, int only)
{
    int first, begin, result;

    if (optind == 0) { /* from the beginning, whatever was read before */
        optind = 1;
        rest = "";
    }
    if (*options == '+')
        return any_option(count, words, options + 1, all, index, only);
    first = optind;
    for (begin = first; begin < count && words[begin] && (words[begin][0] != '-' || words[begin][1] == 0); begin++)
        ;
    if (begin >= count || words[begin] == NULL)
        return -1;
    optind = begin;
    result = any_option(count, words, options, all, index, only);
    if (begin > first) {
        move((char **)words, first, begin, optind);
        optind -= begin - first;
    }
    return result;
}

int getopt_long(int count, char *const words[], const char *options, const struct option *all, int *index)
{
    return next_option(count, words, options, all, index, 0);
}

int getopt_long_only(int count, char *const words[], const char *options, const struct option *all, int *index)
{
    return next_option(count, words, options, all, index, 1);
}

int getopt(int count, char *const words[], const char *options)
{
    return next_option(count, words, options, NULL, NULL, 0);
}
