/* environ: the start-up code of programs that mention it sets it (constructors.c). */

static char *nothing[1];
char **environ = nothing;
