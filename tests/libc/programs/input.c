/* The standard input, in every way it can be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *gets(char *);

int main(void)
{
    char line[100];
    int number, c, count = 0;
    double real;

    printf("%d ", scanf("%d %lf", &number, &real));
    printf("%d %g\n", number, real);
    printf("%c", getchar());
    printf("[%s]\n", gets(line));
    printf("%s", fgets(line, sizeof line, stdin));
    printf("%d %s\n", (int)fread(line, 1, 5, stdin), line);
    while ((c = getchar()) != EOF)
        count += c == '\n';
    printf("%d %d %d\n", count, feof(stdin) != 0, getchar());
    return count == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
