/* What is written before a failed assertion. */
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("%s\n", argc == 3 ? argv[2] : "?");
    fflush(stdout);
    assert(argc == 3);
    assert(argc == 4 && "message");
    return 0;
}
