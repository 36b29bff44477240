#include "host.h"
/* Macro replacement, as the examples of 6.10.3 of C99 have it, and what else programs do to the preprocessor. */
#define text(x) #x
#define text_of(x) text(x)
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
#define t(x, y, z) x ## y ## z
#define c(p) 0x##p
#define size(...) (sizeof (int[]){ 0, ##__VA_ARGS__ } / sizeof(int) - 1)
#define later(x) x
#define chain0 chain1 + 1
#define chain1 chain2 + 10
#define chain2 100

%: define FIRST <::> = <% 1, 2, 3 %>
%: define glue(a, b) a %:%: b

static int numbers FIRST;
static int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };

#define GUARDED(n) static int guarded(void) { return n; }
#include "guarded.h"
#undef GUARDED_H
#undef GUARDED
#define GUARDED(n) static int again(void) { return n + 1; }
#include "guarded.h"
#include "guarded.h"

#pragma push_macro("chain2")
#undef chain2
#define chain2 200
static int pushed = chain0;
#pragma pop_macro("chain2")
static int popped = chain0;

static int unused_ones __attribute__((unused, __used__)), split\
_name = 5;
#define quietly __attribute__((__noinline__)) __attribute__((format(printf, 1, 2)))
static int quietly show(const char *format, ...) { return format[0]; }

#define HERE 700
#line HERE "moved.c"
static int line = __LINE__;
static const char *file = __FILE__;

#define log_line(format, ...) printf(format "\n" __VA_OPT__(,) __VA_ARGS__)
#define with_suffix(x, ...) x ## __VA_OPT__(_more)
#define any_arguments(...) (0 __VA_OPT__(+ 1))

int main(void) {
  printf("%s %s %s\n", join(x, y), text_of(hash_hash), text(<: :> <% %> %: %:%: "\n" '"'));
  for (unsigned i = 0; i < sizeof j / sizeof *j; i++) printf("%d ", j[i]);
  printf("%d %d %d\n", c(7b), c(e+1), (int)sizeof numbers);
  printf("%d %d %d\n", (int)size(), (int)size(1), (int)size(1, 2));
  printf("%d %d %d %d\n", guarded(), again(), pushed, popped);
  printf("%d %d %s %d\n", glue(split, _name), line, file, later
    (chain0) - -later(-1));
  printf("%d\n", show("a"));
  int with_suffix(number) = 1, with_suffix(number, 2) = 2;
  log_line("none"), log_line("%d %d", number, number_more), log_line("%d %d", any_arguments(), any_arguments(,));
#define TEXT_OF(...) TEXT_(__VA_ARGS__)
#define TEXT_(...) #__VA_ARGS__
#define REST(a, ...) rest(a, ## __VA_ARGS__)
  printf("%s\n", TEXT_OF(REST(1) REST(1,) REST(1,2,3) REST(1, 2)));
  return 0;
}
