/* environ, __arguments: the start-up code of programs that mention one of them sets both (constructors.c). */

static char *nothing[1];
char **environ = nothing;
char **__arguments = nothing;
