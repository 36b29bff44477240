"""What tests of samples share: a program that does a bit of everything, and how it is measured."""

from ease.host.process.job import RunOptions
from ease.run.measure_options import MeasureOptions
from ease.sampling.sampled_run import sampled_run

MACHINES = ("riscv32", "sparc", "arm", "m68020", "vax", "mips")
SYSTEM = "I:256,16,1+D:256,16,2"
PREDICTORS = "bimodal:16+gshare:64,4+ras:4+btb:16,2+btfn"
PROGRAM = r"""
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>
static jmp_buf place;
static int numbers[100];
static double halves[100];
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int depth(int n) { if (n == 3) longjmp(place, n + 1); return n ? depth(n - 1) + 1 : 0; }
static double mean(int n) { double sum = 0; int i; for (i = 0; i < n; i++) sum += halves[i]; return sum / n; }
static void put(int n) { char text[2]; text[0] = 'a' + (n & 15); text[1] = '\n'; write(1, text, 2); }
int main(int argc, char **argv)
{
    int i, j, back;
    unsigned seed = 1;
    for (j = 0; j < 12; j++) {
        for (i = 0; i < 100; i++) {
            numbers[i] = (seed = seed * 1103515245u + 12345u) >> 20;
            halves[i] = numbers[i] / 2.0;
        }
        qsort(numbers, 100, sizeof *numbers, compare);
        back = setjmp(place);
        if (back == 0)
            depth(j);
        put(numbers[0] + back);
        put((int)mean(100));
    }
    exit(numbers[3] & 63);
}
"""


def everything(measurement):
    """What a measurement says, without what tells that it was sampled."""
    memory, prediction = measurement.memory, measurement.prediction
    return measurement.characteristics, memory, prediction and prediction.sites, measurement.timing


def measured(run, program, *args, stdin=None, limit=None, **wanted):
    """Run a program; `args` and `wanted` are those of MeasureOptions, behind a schedule and its text for `sampled_run`."""
    schedule, args = (args[:2], args[2:]) if run is sampled_run else ((), args)
    schedule = (*schedule, "")[:2] if schedule else ()
    options = RunOptions(stdin, capture=True, limit=limit, tier="quick")
    return run(program, ["program"], *schedule, MeasureOptions(*args, **wanted), options)
