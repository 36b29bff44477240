/*
 * spline - interpolate a smooth curve through points.
 *
 * As the Unix command: reads pairs of numbers x y, with x rising, and writes
 * pairs that lie on the cubic spline through them.  A cubic spline is made of
 * one cubic polynomial for each interval, with continuous first and second
 * derivatives; the second derivatives at the points (the "curvatures") are the
 * solution of a tridiagonal system of linear equations.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_INTERVALS 100

static double *xs, *ys;    /* the points */
static double *curvatures; /* of the curve at each point */
static int count;

static int intervals = DEFAULT_INTERVALS;
static int periodic;
static double end_factor; /* curvature at each end / that of the neighbour */
static int automatic;     /* input has no abscissas */
static double automatic_step = 1.0;
static int limits; /* how many of the next two are given */
static double lower_limit, upper_limit;

static void usage(void)
{
    fprintf(stderr, "usage: spline [-a STEP] [-k FACTOR] [-n INTERVALS] [-p] [-x LOWER[,UPPER]] [FILE]\n"
                    "  -a  input has only ordinates; abscissas are 0, STEP, 2*STEP, ...\n"
                    "  -k  curvature at each end as a factor of its neighbour's (default 0)\n"
                    "  -n  output so many intervals (default %d)\n"
                    "  -p  periodic: first and last ordinate must be equal\n"
                    "  -x  output from LOWER to UPPER (default: the range of the input)\n",
            DEFAULT_INTERVALS);
    exit(2);
}

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "spline: %s%s\n", what, name);
    exit(1);
}

static double *allocate(int n)
{
    double *memory = calloc((size_t)n, sizeof *memory);

    if (memory == NULL)
        fail("out of memory", "");
    return memory;
}

/* ---- input ------------------------------------------------------------- */

/* Read the next number; returns 0 at the end of the file. */
static int read_number(FILE *file, double *number)
{
    char word[64], *end;
    int length = 0, c;

    do {
        c = getc(file);
    } while (isspace(c));
    if (c == EOF)
        return 0;
    for (; c != EOF && !isspace(c); c = getc(file))
        if (length < (int)sizeof word - 1)
            word[length++] = (char)c;
    word[length] = '\0';
    *number = strtod(word, &end);
    if (*end != '\0')
        fail("not a number: ", word);
    return 1;
}

static void add_point(double x, double y)
{
    static int capacity;

    if (count == capacity) {
        capacity = capacity == 0 ? 64 : 2 * capacity;
        xs = realloc(xs, (size_t)capacity * sizeof *xs);
        ys = realloc(ys, (size_t)capacity * sizeof *ys);
        if (xs == NULL || ys == NULL)
            fail("out of memory", "");
    }
    xs[count] = x;
    ys[count] = y;
    count++;
}

static void read_points(FILE *file)
{
    double x, y;

    if (automatic) {
        while (read_number(file, &y))
            add_point(count * automatic_step, y);
    } else {
        while (read_number(file, &x)) {
            if (!read_number(file, &y))
                fail("the last point has no ordinate", "");
            add_point(x, y);
        }
    }
}

static void check_points(void)
{
    int i;

    if (count < (periodic ? 4 : 3))
        fail("too few points", "");
    for (i = 1; i < count; i++)
        if (xs[i] <= xs[i - 1])
            fail("abscissas do not rise", "");
    if (periodic && ys[0] != ys[count - 1])
        fail("first and last ordinate of a period differ", "");
}

/* ---- the curve --------------------------------------------------------- */

/*
 * Solve a tridiagonal system of n equations by elimination.  The diagonal and
 * the right side are destroyed; the solution replaces the right side.
 */
static void solve_tridiagonal(const double *below, double *diagonal, const double *above,
                              double *right, int n)
{
    int i;

    for (i = 1; i < n; i++) {
        double factor = below[i] / diagonal[i - 1];

        diagonal[i] -= factor * above[i - 1];
        right[i] -= factor * right[i - 1];
    }
    right[n - 1] /= diagonal[n - 1];
    for (i = n - 2; i >= 0; i--)
        right[i] = (right[i] - above[i] * right[i + 1]) / diagonal[i];
}

static double slope(int i)
{
    return (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]);
}

/*
 * The equation of an inner point i, where the first derivatives on both sides
 * are equal: h0*c[i-1] + 2*(h0+h1)*c[i] + h1*c[i+1] = 6*(slope(i) - slope(i-1)).
 */
static void find_open_curvatures(void)
{
    int n = count - 2;
    double *below = allocate(n), *diagonal = allocate(n), *above = allocate(n);
    double *right = curvatures + 1;
    int i;

    for (i = 0; i < n; i++) {
        below[i] = xs[i + 1] - xs[i];
        above[i] = xs[i + 2] - xs[i + 1];
        diagonal[i] = 2 * (below[i] + above[i]);
        right[i] = 6 * (slope(i + 1) - slope(i));
    }
    diagonal[0] += end_factor * below[0];
    diagonal[n - 1] += end_factor * above[n - 1];
    solve_tridiagonal(below, diagonal, above, right, n);
    curvatures[0] = end_factor * curvatures[1];
    curvatures[count - 1] = end_factor * curvatures[count - 2];
    free(below);
    free(diagonal);
    free(above);
}

/*
 * For a period, the last point is the first and has an equation like the
 * others.  The two coefficients in the corners of the system are taken out as
 * the product of two vectors (the formula of Sherman and Morrison).
 */
static void find_periodic_curvatures(void)
{
    int n = count - 1;
    double *below = allocate(n), *diagonal = allocate(n), *above = allocate(n);
    double *diagonal_copy = allocate(n), *correction = allocate(n);
    double *right = curvatures;
    double corner = xs[n] - xs[n - 1]; /* the same in both corners */
    double gamma, factor;
    int i;

    for (i = 0; i < n; i++) {
        int before = i == 0 ? n - 1 : i - 1;

        below[i] = xs[before + 1] - xs[before];
        above[i] = xs[i + 1] - xs[i];
        diagonal[i] = 2 * (below[i] + above[i]);
        right[i] = 6 * (slope(i) - slope(before));
    }
    gamma = -diagonal[0];
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * corner / gamma;
    memcpy(diagonal_copy, diagonal, (size_t)n * sizeof *diagonal);
    correction[0] = gamma;
    correction[n - 1] = corner;
    solve_tridiagonal(below, diagonal, above, right, n);
    solve_tridiagonal(below, diagonal_copy, above, correction, n);
    factor = (right[0] + corner * right[n - 1] / gamma)
        / (1 + correction[0] + corner * correction[n - 1] / gamma);
    for (i = 0; i < n; i++)
        right[i] -= factor * correction[i];
    curvatures[n] = curvatures[0];
    free(below);
    free(diagonal);
    free(above);
    free(diagonal_copy);
    free(correction);
}

/* The ordinate of the curve at x, in the interval between points i and i + 1. */
static double curve_at(double x, int i)
{
    double h = xs[i + 1] - xs[i];
    double a = (xs[i + 1] - x) / h;
    double b = (x - xs[i]) / h;

    return a * ys[i] + b * ys[i + 1]
        + (a * (a * a - 1) * curvatures[i] + b * (b * b - 1) * curvatures[i + 1]) * h * h / 6;
}

/* ---- output ------------------------------------------------------------ */

/* Rounding errors around zero must not show. */
static double clean(double value, double largest)
{
    double small = largest * 1e-10;

    return value < small && value > -small ? 0.0 : value;
}

static double largest_magnitude(const double *values)
{
    double largest = 0;
    int i;

    for (i = 0; i < count; i++) {
        if (values[i] > largest)
            largest = values[i];
        if (-values[i] > largest)
            largest = -values[i];
    }
    return largest;
}

static void print_curve(void)
{
    double lower = limits > 0 ? lower_limit : xs[0];
    double upper = limits > 1 ? upper_limit : xs[count - 1];
    double largest_x = largest_magnitude(xs), largest_y = largest_magnitude(ys);
    int at = 0, i;

    for (i = 0; i <= intervals; i++) {
        double x = lower + i * (upper - lower) / intervals;

        while (at < count - 2 && x > xs[at + 1])
            at++;
        printf("%g %g\n", clean(x, largest_x), clean(curve_at(x, at), largest_y));
    }
}

/* ---- command line ------------------------------------------------------ */

static double parse_number(const char *text, const char **end)
{
    char *stop;
    double value = strtod(text, &stop);

    if (stop == text || (*stop != '\0' && *stop != ','))
        usage();
    *end = stop;
    return value;
}

static double parse_only_number(const char *text)
{
    const char *end;
    double value = parse_number(text, &end);

    if (*end != '\0')
        usage();
    return value;
}

static void parse_limits(const char *text)
{
    lower_limit = parse_number(text, &text);
    limits = 1;
    if (*text == ',') {
        upper_limit = parse_only_number(text + 1);
        limits = 2;
    }
}

static void set_option(char letter, const char *value)
{
    switch (letter) {
    case 'a':
        automatic = 1;
        automatic_step = parse_only_number(value);
        break;
    case 'k':
        end_factor = parse_only_number(value);
        break;
    case 'n':
        intervals = atoi(value);
        if (intervals < 1)
            usage();
        break;
    case 'x':
        parse_limits(value);
        break;
    default:
        usage();
    }
}

int main(int argc, char **argv)
{
    FILE *file = stdin;
    int i;

    for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        if (strcmp(argv[i], "-p") == 0) {
            periodic = 1;
        } else if (strlen(argv[i]) != 2 || i + 1 == argc) {
            usage();
        } else {
            set_option(argv[i][1], argv[i + 1]);
            i++;
        }
    }
    if (argc - i > 1)
        usage();
    if (i < argc && strcmp(argv[i], "-") != 0) {
        file = fopen(argv[i], "r");
        if (file == NULL)
            fail("cannot open ", argv[i]);
    }

    read_points(file);
    if (file != stdin)
        fclose(file);
    check_points();
    curvatures = allocate(count);
    if (periodic)
        find_periodic_curvatures();
    else
        find_open_curvatures();
    print_curve();
    free(xs);
    free(ys);
    free(curvatures);
    return 0;
}
