/* <wchar.h> and <wctype.h>: strings of wide characters, classes, conversion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

static void put(const wchar_t *s)
{
    if (s == NULL)
        printf("none");
    else
        for (; *s; s++)
            putchar((int)*s);
    putchar('\n');
}

static void classes(void)
{
    static const char *names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit", "none"};
    unsigned i;
    wint_t c;

    for (c = 0; c < 300; c++) {
        printf("%u:", c);
        for (i = 0; i < 12; i++)
            printf("%d", iswctype(c, wctype(names[i])) != 0);
        printf(" %d %u %u %u\n", iswpunct(c) != 0, towlower(c), towupper(c), towctrans(c, wctrans("toupper")));
    }
    printf("%d %d\n", wctype(names[12]) == 0, wctrans("none") == 0);
}

int main(void)
{
    static const wchar_t *words[] = {L"", L"a", L"ab", L"abc", L"abd", L"b", L"some longer words, with commas"};
    wchar_t buffer[80], *rest, *token;
    char bytes[80];
    const char *from = "some bytes";
    const wchar_t *wide = L"wide";
    mbstate_t state;
    int i, j;

    memset(&state, 0, sizeof state);
    for (i = 0; i < 7; i++)
        for (j = 0; j < 7; j++) {
            printf("%d %d %d %d ", sign(wcscmp(words[i], words[j])), sign(wcsncmp(words[i], words[j], 2)), (int)wcsspn(words[i], words[j]), (int)wcscspn(words[i], words[j]));
            put(wcsstr(words[i], words[j]));
            put(wcspbrk(words[i], words[j]));
            wcscpy(buffer, words[i]);
            put(wcsncat(wcscat(buffer, words[j]), L"xyz", j));
            wmemset(buffer, L'-', 20);
            put(wcsncpy(buffer, words[i], 3) + (wcslen(words[i]) < 3 ? 0 : 1));
        }
    put(wcschr(words[6], L'w'));
    put(wcsrchr(words[6], L'w'));
    wcscpy(buffer, words[6]);
    for (token = wcstok(buffer, L" ,", &rest); token; token = wcstok(NULL, L" ,", &rest))
        put(token);
    printf("%d %d\n", wmemcmp(words[3], words[4], 2), sign(wmemcmp(words[3], words[4], 3)));
    printf("%d ", (int)mbsrtowcs(buffer, &from, 80, &state));
    puts(from ? from : "none");
    put(buffer);
    printf("%d\n", (int)wcsrtombs(bytes, &wide, 3, &state));
    printf("%.3s %d\n", bytes, (int)*wide);
    for (i = 0; i < 200; i += 7) {
        char c = i;
        wchar_t w = -5;

        printf("%d %d %d ", (int)btowc(i), wctob(i), (int)mbrtowc(&w, &c, 1, &state));
        memset(&state, 0, sizeof state);
        printf("%d %d\n", (int)w, (int)wcrtomb(bytes, i, &state));
    }
    classes();
    return 0;
}
