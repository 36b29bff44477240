/* Input and output of wide characters, numbers in them, and <tgmath.h>. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <tgmath.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>

static void streams(void)
{
    wchar_t text[40], word[20];
    FILE *f = fopen("wide.txt", "w+");
    int number = 0;
    double real = 0;
    char narrow[20];

    fwprintf(f, L"%d %ls %s %lc|%6.2f\n", 42, L"wide", "narrow", L'x', 2.5);
    fputws(L"second line\n", f);
    fputwc(L'!', f);
    rewind(f);
    printf("%d %ls", (int)wcslen(fgetws(text, 40, f)), text);
    printf("%d ", (int)fgetwc(f));
    printf("%d ", (int)ungetwc(L'S', f));
    printf("%d ", fwscanf(f, L"%ls %19l[a-z]", word, text));
    printf("%ls %ls ", word, text);
    fgetws(text, 40, f);
    printf("%d ", (int)fgetwc(f));
    printf("%d\n", fgetwc(f) == WEOF);
    fclose(f);
    printf("%d ", swscanf(L"12 3.5 abc xyz", L"%d%lf %s %ls", &number, &real, narrow, word));
    printf("%d %g %s %ls\n", number, real, narrow, word);
    printf("%d ", swprintf(text, 40, L"[%5d|%-6ls|%.2ls]", 7, L"ab", L"cdef"));
    printf("%ls ", text);
    printf("%d\n", swprintf(text, 3, L"too long"));
    printf("[%8ls] [%-8ls] [%.3ls] [%lc] %d\n", L"right", L"left", L"precise", L'c', snprintf(NULL, 0, "%ls", L"five5"));
}

static void numbers(void)
{
    wchar_t *end;

    printf("%ld ", wcstol(L"  -123abc", &end, 10));
    printf("%ls ", end);
    printf("%lu %ls ", wcstoul(L"0xffz", &end, 0), L"");
    printf("%ls ", end);
    printf("%lld ", wcstoll(L"-9223372036854775808", NULL, 10));
    printf("%g ", wcstod(L"1.5e3x", &end));
    printf("%ls %g ", end, wcstof(L"0.25", NULL));
    printf("%d\n", (int)wcstoimax(L"77", NULL, 8));
}

static void others(void)
{
    time_t moment = 86400L * 365;
    wchar_t text[40], *copy = wcsdup(L"Copy");
    char16_t c16 = 0;
    char32_t c32 = 0;
    char bytes[8];
    mbstate_t state = {0};

    wcsftime(text, 40, L"%Y-%m-%d", gmtime(&moment));
    printf("%ls %ls %d %d %d ", text, copy, wcscasecmp(copy, L"cOPY"), wcsncasecmp(L"abX", L"aby", 2), (int)wcsnlen(copy, 2));
    printf("%d %d ", wcswidth(L"abc", 9), (int)(wcpcpy(text, copy) - text));
    printf("%d ", (int)mbrtoc16(&c16, "a", 1, &state));
    printf("%d ", (int)mbrtoc32(&c32, "b", 1, &state));
    printf("%d %d %d ", (int)c16, (int)c32, (int)c16rtomb(bytes, u'x', &state));
    printf("%d\n", (int)mbrtoc32(&c32, "", 1, &state));
}

static void types(void)
{
    float f = 2;
    double d = 2;
    long double l = 2;
    int i = 2;

    printf("%d %d %d %d ", sizeof sqrt(f) == sizeof f, sizeof sqrt(d) == sizeof d, sizeof sqrt(l) == sizeof l, sizeof sqrt(i) == sizeof d);
    printf("%d %d %d ", sizeof pow(f, f) == sizeof f, sizeof pow(f, d) == sizeof d, sizeof pow(f, i) == sizeof d);
    printf("%.9g %.17g %.17g %ld %.17g\n", sqrt(f), sqrt(d), pow(i, 0.5), lround(f + 0.6f), fma(d, d, 1.0));
}

int main(void)
{
    streams();
    numbers();
    others();
    types();
    return 0;
}
