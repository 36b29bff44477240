#ifndef _DLFCN_H
#define _DLFCN_H
/* Nothing is loaded while a program runs: dlopen fails, and dlerror says so. */
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
#define RTLD_DEFAULT ((void *)0)
#define RTLD_NEXT ((void *)-1)
void *dlopen(const char *, int), *dlsym(void *, const char *);
int dlclose(void *);
char *dlerror(void);
#endif
