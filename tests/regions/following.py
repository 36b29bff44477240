"""A program with regions, and an interpreter that follows them."""

from collections import Counter

from vpo.interpret.plain import PlainInterpreter

PROGRAM = r"""
#include <ease.h>
#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int deep(int n) { if (n > 20) longjmp(back, n); return deep(n + 7) + 1; }
static int helper(int n) { return n * 3 + fib(n & 3); }
int main(void) {
    int i, sum = 0;
    ease_begin("all");
    for (i = 0; i < 9; i++) {
        sum += helper(i);
        ease_begin("inner");
        sum ^= fib(i & 7); /* ease_end("inner") */
        ease_end("inner");
        if (setjmp(back) == 0)
            sum += deep(i);
        sum += fib(2);
    }
    ease_end("all");
    printf("%d\n", sum);
    return 0;
}
"""
NAMES = ["marks", "fib", "program.c:17-18"]


class Following(PlainInterpreter):
    """Counts what is executed in each region: its own RTLs, and what is called from them."""

    def follow(self, regions):
        self.regions, self.counts = regions, {region.name: Counter() for region in regions}
        self.calls = {}  # the place of the call under way in each activation, by depth

    def execute(self, rtl):
        depth, name, place = len(self.state.activations), self.function.name, self.position
        going = super().execute(rtl)
        self.calls[depth] = name, place
        for region in self.regions:
            for level in range(1, depth + 1):
                function, position = self.calls[level]
                if position in region.own.get(function, ()):
                    self.counts[region.name][name, place] += 1
                    break
        return going

    def step(self):  # a call stands before what is in its delay slots
        depth, place = len(self.state.activations), (self.function.name, self.position)
        super().step()
        if len(self.state.activations) > depth:
            self.calls[depth] = place
