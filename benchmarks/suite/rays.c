/* Traces rays through a scene of spheres, in single precision: shade, shadows, one reflection. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SPHERES 5

struct vector {
    float x, y, z;
};

struct sphere {
    struct vector centre;
    float radius, shine, shade;
};

static const struct sphere spheres[SPHERES] = {
    {{0.0f, -1000.0f, 0.0f}, 999.0f, 0.1f, 0.5f}, {{0.0f, 0.0f, 6.0f}, 1.0f, 0.4f, 0.9f},
    {{2.0f, 0.5f, 7.0f}, 1.5f, 0.3f, 0.7f},       {{-2.0f, -0.25f, 5.0f}, 0.75f, 0.0f, 0.6f},
    {{0.5f, -0.6f, 4.0f}, 0.4f, 0.2f, 0.8f},
};
static const struct vector light = {0.4f, 0.8f, -0.45f};

static struct vector add(struct vector a, struct vector b)
{
    struct vector sum = {a.x + b.x, a.y + b.y, a.z + b.z};

    return sum;
}

static struct vector scale(struct vector a, float factor)
{
    struct vector scaled = {a.x * factor, a.y * factor, a.z * factor};

    return scaled;
}

static float dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vector unit(struct vector a)
{
    return scale(a, 1.0f / (float)sqrt((double)dot(a, a)));
}

/* Returns the distance to the sphere, or a negative number. */
static float distance(const struct sphere *sphere, struct vector from, struct vector way)
{
    struct vector to = add(from, scale(sphere->centre, -1.0f));
    float half = dot(to, way), rest = half * half - dot(to, to) + sphere->radius * sphere->radius, root;

    if (rest < 0.0f)
        return -1.0f;
    root = (float)sqrt((double)rest);
    return -half - root > 0.01f ? -half - root : -half + root > 0.01f ? -half + root : -1.0f;
}

static const struct sphere *nearest(struct vector from, struct vector way, float *how_far)
{
    const struct sphere *found = NULL;

    for (const struct sphere *sphere = spheres; sphere < spheres + SPHERES; sphere++) {
        float far = distance(sphere, from, way);

        if (far > 0.0f && (found == NULL || far < *how_far)) {
            *how_far = far;
            found = sphere;
        }
    }
    return found;
}

static float brightness(struct vector from, struct vector way, int depth)
{
    float far = 0.0f, bright;
    const struct sphere *sphere = nearest(from, way, &far);
    struct vector place, normal;

    if (sphere == NULL)
        return 0.3f + 0.2f * way.y;
    place = add(from, scale(way, far));
    normal = unit(add(place, scale(sphere->centre, -1.0f)));
    bright = dot(normal, light);
    if (bright < 0.0f || nearest(place, light, &far) != NULL)
        bright = 0.0f;
    bright = 0.1f + sphere->shade * bright;
    if (depth > 0 && sphere->shine > 0.0f) {
        struct vector mirrored = add(way, scale(normal, -2.0f * dot(way, normal)));

        bright += sphere->shine * brightness(place, mirrored, depth - 1);
    }
    return bright;
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : 32, height = width / 2;
    struct vector eye = {0.0f, 0.0f, 0.0f};
    double sum = 0.0, squares = 0.0;

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            struct vector way;
            float bright;

            way.x = ((float)x - (float)width / 2.0f) / (float)width;
            way.y = ((float)height / 2.0f - (float)y) / (float)width;
            way.z = 1.0f;
            bright = brightness(eye, unit(way), 2);
            sum += bright;
            squares += bright * bright;
        }
    printf("%d x %d: %.2f, %.2f\n", width, height, sum / (width * height), squares / (width * height));
    return 0;
}
