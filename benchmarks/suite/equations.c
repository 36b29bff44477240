/* Linear equations in double precision: decomposition with pivots, and iteration on a sparse matrix. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int size;
    double *cells;
    int *rows; /* the order of rows after exchanges */
};

static double *row_of(const struct matrix *m, int row)
{
    return m->cells + m->rows[row] * m->size;
}

static int decompose(struct matrix *m)
{
    for (int k = 0; k < m->size; k++) {
        int best = k, kept;

        for (int i = k + 1; i < m->size; i++)
            if (fabs(row_of(m, i)[k]) > fabs(row_of(m, best)[k]))
                best = i;
        kept = m->rows[k];
        m->rows[k] = m->rows[best];
        m->rows[best] = kept;
        if (row_of(m, k)[k] == 0.0)
            return 0;
        for (int i = k + 1; i < m->size; i++) {
            double *row = row_of(m, i), *top = row_of(m, k), factor = row[k] / top[k];

            row[k] = factor;
            for (int j = k + 1; j < m->size; j++)
                row[j] -= factor * top[j];
        }
    }
    return 1;
}

static void solve(const struct matrix *m, const double *right, double *x)
{
    for (int i = 0; i < m->size; i++) {
        x[i] = right[m->rows[i]];
        for (int j = 0; j < i; j++)
            x[i] -= row_of(m, i)[j] * x[j];
    }
    for (int i = m->size - 1; i >= 0; i--) {
        for (int j = i + 1; j < m->size; j++)
            x[i] -= row_of(m, i)[j] * x[j];
        x[i] /= row_of(m, i)[i];
    }
}

struct sparse {
    int size, *starts, *columns;
    double *values;
};

/* Gauss and Seidel; returns how many rounds it took. */
static int iterate(const struct sparse *s, const double *right, double *x, double tolerance)
{
    int rounds = 0;
    double change;

    do {
        change = 0.0;
        for (int i = 0; i < s->size; i++) {
            double sum = right[i], diagonal = 1.0, old = x[i];

            for (int k = s->starts[i]; k < s->starts[i + 1]; k++)
                if (s->columns[k] == i)
                    diagonal = s->values[k];
                else
                    sum -= s->values[k] * x[s->columns[k]];
            x[i] = sum / diagonal;
            change = fabs(x[i] - old) > change ? fabs(x[i] - old) : change;
        }
    } while (++rounds < 200 && change > tolerance);
    return rounds;
}

static void fill(struct sparse *s)
{
    int used = 0;

    for (int i = 0; i < s->size; i++) {
        s->starts[i] = used;
        for (int j = i - 2; j <= i + 2; j++)
            if (j >= 0 && j < s->size && j != i + 1) {
                s->columns[used] = j;
                s->values[used++] = j == i ? 4.0 : -1.0 / (1 + abs(i - j));
            }
    }
    s->starts[s->size] = used;
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 32;
    struct matrix m = {size, malloc(sizeof(double) * (size_t)(size * size)), malloc(sizeof(int) * (size_t)size)};
    struct sparse s = {8 * size, malloc(sizeof(int) * (size_t)(8 * size + 1)), malloc(sizeof(int) * (size_t)(40 * size)),
                       malloc(sizeof(double) * (size_t)(40 * size))};
    double *right = malloc(sizeof(double) * (size_t)(8 * size)), *x = calloc((size_t)(8 * size), sizeof(double)), worst = 0.0;
    uint32_t seed = 59;

    for (int i = 0; i < size; i++) {
        m.rows[i] = i;
        right[i] = 0.0;
        for (int j = 0; j < size; j++) {
            seed = seed * 1664525u + 1013904223u;
            m.cells[i * size + j] = (double)(int)(seed >> 20) / 512.0 - 4.0;
            right[i] += m.cells[i * size + j] * (j + 1);
        }
    }
    if (!decompose(&m))
        return 1;
    solve(&m, right, x);
    for (int i = 0; i < size; i++)
        worst = fabs(x[i] - (i + 1)) > worst ? fabs(x[i] - (i + 1)) : worst;
    printf("%d equations, %s\n", size, worst < 1e-6 ? "solved" : "not solved");
    fill(&s);
    for (int i = 0; i < s.size; i++) {
        right[i] = (i % 7) - 3.0;
        x[i] = 0.0;
    }
    printf("%d rounds\n", iterate(&s, right, x, 1e-4));
    worst = 0.0;
    for (int i = 0; i < s.size; i++)
        worst += x[i] * x[i];
    printf("%.3f\n", worst);
    return 0;
}
