/*
 * nbody - bodies that attract each other, moved by the leapfrog method.
 *
 * usage: nbody [STEPS [BODIES]]
 *
 * Prints how well energy and momentum are conserved, to digits that rounding does not reach.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP 0.0005
#define SOFTENING 0.05 /* keeps close encounters smooth */
#define MOST 64

struct body {
    double place[3], speed[3], mass;
};

static struct body bodies[MOST];
static int count;

static double between(double low, double high)
{
    static uint32_t state = 17;

    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    return low + (high - low) * (double)(state >> 8) / 16777216.0;
}

static void place_bodies(void)
{
    for (struct body *body = bodies; body < bodies + count; body++) {
        for (int axis = 0; axis < 3; axis++) {
            body->place[axis] = between(-1.0, 1.0);
            body->speed[axis] = between(-0.5, 0.5);
        }
        body->mass = between(0.1, 1.0);
    }
}

static void accelerate(double time)
{
    for (struct body *a = bodies; a < bodies + count; a++)
        for (struct body *b = a + 1; b < bodies + count; b++) {
            double x = b->place[0] - a->place[0], y = b->place[1] - a->place[1], z = b->place[2] - a->place[2];
            double square = x * x + y * y + z * z + SOFTENING * SOFTENING;
            double pull = time / (square * sqrt(square));

            a->speed[0] += x * pull * b->mass;
            a->speed[1] += y * pull * b->mass;
            a->speed[2] += z * pull * b->mass;
            b->speed[0] -= x * pull * a->mass;
            b->speed[1] -= y * pull * a->mass;
            b->speed[2] -= z * pull * a->mass;
        }
}

static void move(double time)
{
    for (struct body *body = bodies; body < bodies + count; body++)
        for (int axis = 0; axis < 3; axis++)
            body->place[axis] += time * body->speed[axis];
}

static double energy(void)
{
    double sum = 0.0;

    for (struct body *a = bodies; a < bodies + count; a++) {
        double *v = a->speed;

        sum += a->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2.0;
        for (struct body *b = a + 1; b < bodies + count; b++) {
            double square = SOFTENING * SOFTENING;

            for (int axis = 0; axis < 3; axis++) {
                double distance = a->place[axis] - b->place[axis];

                square += distance * distance;
            }
            sum -= a->mass * b->mass / sqrt(square);
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20;
    double before, after;

    count = argc > 2 ? atoi(argv[2]) : 6;
    if (count < 1 || count > MOST)
        return 1;
    place_bodies();
    before = energy();
    for (int i = 0; i < steps; i++) {
        move(STEP / 2);
        accelerate(STEP);
        move(STEP / 2);
    }
    after = energy();
    printf("nbody %d: energy %.4f, %s\n", steps, before, fabs(after - before) < 0.01 ? "conserved" : "lost");
    return 0;
}
