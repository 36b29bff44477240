/* Large frames, and more live values than there are registers. */
#include <stdio.h>
#include <string.h>

struct block { int head; char body[5000]; int tail; };

static int large(int n)
{
    char near[10], far[70000];
    int first = n, numbers[3000], i, last = n * 2;

    for (i = 0; i < 3000; i++)
        numbers[i] = i * n;
    memset(far, n, sizeof far);
    near[0] = far[69999] + 1;
    far[35000] = 77;
    for (i = 1; i < 10; i++)
        near[i] = near[i - 1] + far[35000 + i - 1];
    return first + last + numbers[2999] + near[9] + far[34999] + (int)sizeof far;
}

static struct block by_value(struct block b, int k)
{
    struct block c = b;

    c.head += k;
    c.body[4999] = k;
    b.tail--;
    c.tail = b.tail + c.body[2500];
    return c;
}

static int recursive(int n)
{
    int space[1500];

    space[n] = n;
    space[1499] = n ? recursive(n - 1) : 3;
    return space[1499] + space[n];
}

static int addresses(void)
{
    int a = 1, *p = &a, **q = &p, ***r = &q;
    char big[4090];
    int b = 2, *s = &b;

    big[0] = 5;
    big[4089] = 6;
    ***r += *s;
    *q = s;
    *p *= 10;
    return a * 1000 + b + big[0] + big[4089];
}

static double matrix(int n)
{
    double m[40][40], total = 0;
    int i, j;

    for (i = 0; i < 40; i++)
        for (j = 0; j < 40; j++)
            m[i][j] = i * n - j;
    for (i = 0; i < 40; i++)
        total += m[i][39 - i] * m[39 - i][i];
    return total;
}

static int ints(int x, int rounds)
{
    int v0 = x + 0;
    int v1 = x + 1;
    int v2 = x + 2;
    int v3 = x + 3;
    int v4 = x + 4;
    int v5 = x + 5;
    int v6 = x + 6;
    int v7 = x + 7;
    int v8 = x + 8;
    int v9 = x + 9;
    int v10 = x + 10;
    int v11 = x + 11;
    int v12 = x + 12;
    int v13 = x + 13;
    int v14 = x + 14;
    int v15 = x + 15;
    int v16 = x + 16;
    int v17 = x + 17;
    int v18 = x + 18;
    int v19 = x + 19;
    int v20 = x + 20;
    int v21 = x + 21;
    int v22 = x + 22;
    int v23 = x + 23;
    int v24 = x + 24;
    int v25 = x + 25;
    int v26 = x + 26;
    int v27 = x + 27;
    int v28 = x + 28;
    int v29 = x + 29;
    int v30 = x + 30;
    int v31 = x + 31;
    int v32 = x + 32;
    int v33 = x + 33;
    int v34 = x + 34;
    int v35 = x + 35;
    int v36 = x + 36;
    int v37 = x + 37;
    int v38 = x + 38;
    int v39 = x + 39;
    while (rounds--) {
        v0 = v3 - v5 + v1;
        v1 = v10 - v16 + v2;
        v2 = v17 - v27 + v3;
        v3 = v24 - v38 + v4;
        v4 = v31 - v9 + v5;
        v5 = v38 - v20 + v6;
        v6 = v5 - v31 + v7;
        v7 = v12 - v2 + v8;
        v8 = v19 - v13 + v9;
        v9 = v26 - v24 + v10;
        v10 = v33 - v35 + v11;
        v11 = v0 - v6 + v12;
        v12 = v7 - v17 + v13;
        v13 = v14 - v28 + v14;
        v14 = v21 - v39 + v15;
        v15 = v28 - v10 + v16;
        v16 = v35 - v21 + v17;
        v17 = v2 - v32 + v18;
        v18 = v9 - v3 + v19;
        v19 = v16 - v14 + v20;
        v20 = v23 - v25 + v21;
        v21 = v30 - v36 + v22;
        v22 = v37 - v7 + v23;
        v23 = v4 - v18 + v24;
        v24 = v11 - v29 + v25;
        v25 = v18 - v0 + v26;
        v26 = v25 - v11 + v27;
        v27 = v32 - v22 + v28;
        v28 = v39 - v33 + v29;
        v29 = v6 - v4 + v30;
        v30 = v13 - v15 + v31;
        v31 = v20 - v26 + v32;
        v32 = v27 - v37 + v33;
        v33 = v34 - v8 + v34;
        v34 = v1 - v19 + v35;
        v35 = v8 - v30 + v36;
        v36 = v15 - v1 + v37;
        v37 = v22 - v12 + v38;
        v38 = v29 - v23 + v39;
        v39 = v36 - v34 + v0;
    }
    return v0 * 1 + v1 * 2 + v2 * 3 + v3 * 4 + v4 * 5 + v5 * 1 + v6 * 2 + v7 * 3 + v8 * 4 + v9 * 5 + v10 * 1 + v11 * 2 + v12 * 3 + v13 * 4 + v14 * 5 + v15 * 1 + v16 * 2 + v17 * 3 + v18 * 4 + v19 * 5 + v20 * 1 + v21 * 2 + v22 * 3 + v23 * 4 + v24 * 5 + v25 * 1 + v26 * 2 + v27 * 3 + v28 * 4 + v29 * 5 + v30 * 1 + v31 * 2 + v32 * 3 + v33 * 4 + v34 * 5 + v35 * 1 + v36 * 2 + v37 * 3 + v38 * 4 + v39 * 5;
}

static long long longs(int x, int rounds)
{
    long long v0 = (long long)x * 0 << 0;
    long long v1 = (long long)x * 1 << 1;
    long long v2 = (long long)x * 2 << 2;
    long long v3 = (long long)x * 3 << 3;
    long long v4 = (long long)x * 4 << 4;
    long long v5 = (long long)x * 5 << 5;
    long long v6 = (long long)x * 6 << 6;
    long long v7 = (long long)x * 7 << 7;
    long long v8 = (long long)x * 8 << 8;
    long long v9 = (long long)x * 9 << 9;
    long long v10 = (long long)x * 10 << 10;
    long long v11 = (long long)x * 11 << 11;
    long long v12 = (long long)x * 12 << 12;
    long long v13 = (long long)x * 13 << 13;
    long long v14 = (long long)x * 14 << 14;
    long long v15 = (long long)x * 15 << 15;
    long long v16 = (long long)x * 16 << 16;
    long long v17 = (long long)x * 17 << 17;
    long long v18 = (long long)x * 18 << 18;
    long long v19 = (long long)x * 19 << 19;
    long long v20 = (long long)x * 20 << 20;
    long long v21 = (long long)x * 21 << 21;
    long long v22 = (long long)x * 22 << 22;
    long long v23 = (long long)x * 23 << 23;
    long long v24 = (long long)x * 24 << 24;
    long long v25 = (long long)x * 25 << 25;
    long long v26 = (long long)x * 26 << 26;
    long long v27 = (long long)x * 27 << 27;
    long long v28 = (long long)x * 28 << 28;
    long long v29 = (long long)x * 29 << 29;
    long long v30 = (long long)x * 30 << 30;
    long long v31 = (long long)x * 31 << 31;
    long long v32 = (long long)x * 32 << 32;
    long long v33 = (long long)x * 33 << 33;
    long long v34 = (long long)x * 34 << 34;
    long long v35 = (long long)x * 35 << 35;
    long long v36 = (long long)x * 36 << 36;
    long long v37 = (long long)x * 37 << 37;
    long long v38 = (long long)x * 38 << 38;
    long long v39 = (long long)x * 39 << 39;
    while (rounds--) {
        v0 = v3 - v5 + v1;
        v1 = v10 - v16 + v2;
        v2 = v17 - v27 + v3;
        v3 = v24 - v38 + v4;
        v4 = v31 - v9 + v5;
        v5 = v38 - v20 + v6;
        v6 = v5 - v31 + v7;
        v7 = v12 - v2 + v8;
        v8 = v19 - v13 + v9;
        v9 = v26 - v24 + v10;
        v10 = v33 - v35 + v11;
        v11 = v0 - v6 + v12;
        v12 = v7 - v17 + v13;
        v13 = v14 - v28 + v14;
        v14 = v21 - v39 + v15;
        v15 = v28 - v10 + v16;
        v16 = v35 - v21 + v17;
        v17 = v2 - v32 + v18;
        v18 = v9 - v3 + v19;
        v19 = v16 - v14 + v20;
        v20 = v23 - v25 + v21;
        v21 = v30 - v36 + v22;
        v22 = v37 - v7 + v23;
        v23 = v4 - v18 + v24;
        v24 = v11 - v29 + v25;
        v25 = v18 - v0 + v26;
        v26 = v25 - v11 + v27;
        v27 = v32 - v22 + v28;
        v28 = v39 - v33 + v29;
        v29 = v6 - v4 + v30;
        v30 = v13 - v15 + v31;
        v31 = v20 - v26 + v32;
        v32 = v27 - v37 + v33;
        v33 = v34 - v8 + v34;
        v34 = v1 - v19 + v35;
        v35 = v8 - v30 + v36;
        v36 = v15 - v1 + v37;
        v37 = v22 - v12 + v38;
        v38 = v29 - v23 + v39;
        v39 = v36 - v34 + v0;
    }
    return v0 * 1 + v1 * 2 + v2 * 3 + v3 * 4 + v4 * 5 + v5 * 1 + v6 * 2 + v7 * 3 + v8 * 4 + v9 * 5 + v10 * 1 + v11 * 2 + v12 * 3 + v13 * 4 + v14 * 5 + v15 * 1 + v16 * 2 + v17 * 3 + v18 * 4 + v19 * 5 + v20 * 1 + v21 * 2 + v22 * 3 + v23 * 4 + v24 * 5 + v25 * 1 + v26 * 2 + v27 * 3 + v28 * 4 + v29 * 5 + v30 * 1 + v31 * 2 + v32 * 3 + v33 * 4 + v34 * 5 + v35 * 1 + v36 * 2 + v37 * 3 + v38 * 4 + v39 * 5;
}

static double doubles(int x, int rounds)
{
    double v0 = x / 1.0;
    double v1 = x / 2.0;
    double v2 = x / 3.0;
    double v3 = x / 4.0;
    double v4 = x / 5.0;
    double v5 = x / 6.0;
    double v6 = x / 7.0;
    double v7 = x / 8.0;
    double v8 = x / 9.0;
    double v9 = x / 10.0;
    double v10 = x / 11.0;
    double v11 = x / 12.0;
    double v12 = x / 13.0;
    double v13 = x / 14.0;
    double v14 = x / 15.0;
    double v15 = x / 16.0;
    double v16 = x / 17.0;
    double v17 = x / 18.0;
    double v18 = x / 19.0;
    double v19 = x / 20.0;
    double v20 = x / 21.0;
    double v21 = x / 22.0;
    double v22 = x / 23.0;
    double v23 = x / 24.0;
    double v24 = x / 25.0;
    double v25 = x / 26.0;
    double v26 = x / 27.0;
    double v27 = x / 28.0;
    double v28 = x / 29.0;
    double v29 = x / 30.0;
    double v30 = x / 31.0;
    double v31 = x / 32.0;
    double v32 = x / 33.0;
    double v33 = x / 34.0;
    double v34 = x / 35.0;
    double v35 = x / 36.0;
    double v36 = x / 37.0;
    double v37 = x / 38.0;
    double v38 = x / 39.0;
    double v39 = x / 40.0;
    while (rounds--) {
        v0 = v3 - v5 * 0.25f;
        v1 = v10 - v16 * 0.25f;
        v2 = v17 - v27 * 0.25f;
        v3 = v24 - v38 * 0.25f;
        v4 = v31 - v9 * 0.25f;
        v5 = v38 - v20 * 0.25f;
        v6 = v5 - v31 * 0.25f;
        v7 = v12 - v2 * 0.25f;
        v8 = v19 - v13 * 0.25f;
        v9 = v26 - v24 * 0.25f;
        v10 = v33 - v35 * 0.25f;
        v11 = v0 - v6 * 0.25f;
        v12 = v7 - v17 * 0.25f;
        v13 = v14 - v28 * 0.25f;
        v14 = v21 - v39 * 0.25f;
        v15 = v28 - v10 * 0.25f;
        v16 = v35 - v21 * 0.25f;
        v17 = v2 - v32 * 0.25f;
        v18 = v9 - v3 * 0.25f;
        v19 = v16 - v14 * 0.25f;
        v20 = v23 - v25 * 0.25f;
        v21 = v30 - v36 * 0.25f;
        v22 = v37 - v7 * 0.25f;
        v23 = v4 - v18 * 0.25f;
        v24 = v11 - v29 * 0.25f;
        v25 = v18 - v0 * 0.25f;
        v26 = v25 - v11 * 0.25f;
        v27 = v32 - v22 * 0.25f;
        v28 = v39 - v33 * 0.25f;
        v29 = v6 - v4 * 0.25f;
        v30 = v13 - v15 * 0.25f;
        v31 = v20 - v26 * 0.25f;
        v32 = v27 - v37 * 0.25f;
        v33 = v34 - v8 * 0.25f;
        v34 = v1 - v19 * 0.25f;
        v35 = v8 - v30 * 0.25f;
        v36 = v15 - v1 * 0.25f;
        v37 = v22 - v12 * 0.25f;
        v38 = v29 - v23 * 0.25f;
        v39 = v36 - v34 * 0.25f;
    }
    return v0 * 1 + v1 * 2 + v2 * 3 + v3 * 4 + v4 * 5 + v5 * 1 + v6 * 2 + v7 * 3 + v8 * 4 + v9 * 5 + v10 * 1 + v11 * 2 + v12 * 3 + v13 * 4 + v14 * 5 + v15 * 1 + v16 * 2 + v17 * 3 + v18 * 4 + v19 * 5 + v20 * 1 + v21 * 2 + v22 * 3 + v23 * 4 + v24 * 5 + v25 * 1 + v26 * 2 + v27 * 3 + v28 * 4 + v29 * 5 + v30 * 1 + v31 * 2 + v32 * 3 + v33 * 4 + v34 * 5 + v35 * 1 + v36 * 2 + v37 * 3 + v38 * 4 + v39 * 5;
}

static unsigned char chars(int x, int rounds)
{
    unsigned char v0 = x * 0;
    unsigned char v1 = x * 1;
    unsigned char v2 = x * 2;
    unsigned char v3 = x * 3;
    unsigned char v4 = x * 4;
    unsigned char v5 = x * 5;
    unsigned char v6 = x * 6;
    unsigned char v7 = x * 7;
    unsigned char v8 = x * 8;
    unsigned char v9 = x * 9;
    unsigned char v10 = x * 10;
    unsigned char v11 = x * 11;
    unsigned char v12 = x * 12;
    unsigned char v13 = x * 13;
    unsigned char v14 = x * 14;
    unsigned char v15 = x * 15;
    unsigned char v16 = x * 16;
    unsigned char v17 = x * 17;
    unsigned char v18 = x * 18;
    unsigned char v19 = x * 19;
    unsigned char v20 = x * 20;
    unsigned char v21 = x * 21;
    unsigned char v22 = x * 22;
    unsigned char v23 = x * 23;
    unsigned char v24 = x * 24;
    unsigned char v25 = x * 25;
    unsigned char v26 = x * 26;
    unsigned char v27 = x * 27;
    unsigned char v28 = x * 28;
    unsigned char v29 = x * 29;
    unsigned char v30 = x * 30;
    unsigned char v31 = x * 31;
    unsigned char v32 = x * 32;
    unsigned char v33 = x * 33;
    unsigned char v34 = x * 34;
    unsigned char v35 = x * 35;
    unsigned char v36 = x * 36;
    unsigned char v37 = x * 37;
    unsigned char v38 = x * 38;
    unsigned char v39 = x * 39;
    while (rounds--) {
        v0 = v3 - v5 + v1;
        v1 = v10 - v16 + v2;
        v2 = v17 - v27 + v3;
        v3 = v24 - v38 + v4;
        v4 = v31 - v9 + v5;
        v5 = v38 - v20 + v6;
        v6 = v5 - v31 + v7;
        v7 = v12 - v2 + v8;
        v8 = v19 - v13 + v9;
        v9 = v26 - v24 + v10;
        v10 = v33 - v35 + v11;
        v11 = v0 - v6 + v12;
        v12 = v7 - v17 + v13;
        v13 = v14 - v28 + v14;
        v14 = v21 - v39 + v15;
        v15 = v28 - v10 + v16;
        v16 = v35 - v21 + v17;
        v17 = v2 - v32 + v18;
        v18 = v9 - v3 + v19;
        v19 = v16 - v14 + v20;
        v20 = v23 - v25 + v21;
        v21 = v30 - v36 + v22;
        v22 = v37 - v7 + v23;
        v23 = v4 - v18 + v24;
        v24 = v11 - v29 + v25;
        v25 = v18 - v0 + v26;
        v26 = v25 - v11 + v27;
        v27 = v32 - v22 + v28;
        v28 = v39 - v33 + v29;
        v29 = v6 - v4 + v30;
        v30 = v13 - v15 + v31;
        v31 = v20 - v26 + v32;
        v32 = v27 - v37 + v33;
        v33 = v34 - v8 + v34;
        v34 = v1 - v19 + v35;
        v35 = v8 - v30 + v36;
        v36 = v15 - v1 + v37;
        v37 = v22 - v12 + v38;
        v38 = v29 - v23 + v39;
        v39 = v36 - v34 + v0;
    }
    return v0 * 1 + v1 * 2 + v2 * 3 + v3 * 4 + v4 * 5 + v5 * 1 + v6 * 2 + v7 * 3 + v8 * 4 + v9 * 5 + v10 * 1 + v11 * 2 + v12 * 3 + v13 * 4 + v14 * 5 + v15 * 1 + v16 * 2 + v17 * 3 + v18 * 4 + v19 * 5 + v20 * 1 + v21 * 2 + v22 * 3 + v23 * 4 + v24 * 5 + v25 * 1 + v26 * 2 + v27 * 3 + v28 * 4 + v29 * 5 + v30 * 1 + v31 * 2 + v32 * 3 + v33 * 4 + v34 * 5 + v35 * 1 + v36 * 2 + v37 * 3 + v38 * 4 + v39 * 5;
}

static float singles(int x, int rounds)
{
    float v0 = x * 0.5f;
    float v1 = x * 1.5f;
    float v2 = x * 2.5f;
    float v3 = x * 3.5f;
    float v4 = x * 4.5f;
    float v5 = x * 5.5f;
    float v6 = x * 6.5f;
    float v7 = x * 7.5f;
    float v8 = x * 8.5f;
    float v9 = x * 9.5f;
    float v10 = x * 10.5f;
    float v11 = x * 11.5f;
    float v12 = x * 12.5f;
    float v13 = x * 13.5f;
    float v14 = x * 14.5f;
    float v15 = x * 15.5f;
    float v16 = x * 16.5f;
    float v17 = x * 17.5f;
    float v18 = x * 18.5f;
    float v19 = x * 19.5f;
    float v20 = x * 20.5f;
    float v21 = x * 21.5f;
    float v22 = x * 22.5f;
    float v23 = x * 23.5f;
    float v24 = x * 24.5f;
    float v25 = x * 25.5f;
    float v26 = x * 26.5f;
    float v27 = x * 27.5f;
    float v28 = x * 28.5f;
    float v29 = x * 29.5f;
    float v30 = x * 30.5f;
    float v31 = x * 31.5f;
    float v32 = x * 32.5f;
    float v33 = x * 33.5f;
    float v34 = x * 34.5f;
    float v35 = x * 35.5f;
    float v36 = x * 36.5f;
    float v37 = x * 37.5f;
    float v38 = x * 38.5f;
    float v39 = x * 39.5f;
    while (rounds--) {
        v0 = v3 - v5 * 0.25f;
        v1 = v10 - v16 * 0.25f;
        v2 = v17 - v27 * 0.25f;
        v3 = v24 - v38 * 0.25f;
        v4 = v31 - v9 * 0.25f;
        v5 = v38 - v20 * 0.25f;
        v6 = v5 - v31 * 0.25f;
        v7 = v12 - v2 * 0.25f;
        v8 = v19 - v13 * 0.25f;
        v9 = v26 - v24 * 0.25f;
        v10 = v33 - v35 * 0.25f;
        v11 = v0 - v6 * 0.25f;
        v12 = v7 - v17 * 0.25f;
        v13 = v14 - v28 * 0.25f;
        v14 = v21 - v39 * 0.25f;
        v15 = v28 - v10 * 0.25f;
        v16 = v35 - v21 * 0.25f;
        v17 = v2 - v32 * 0.25f;
        v18 = v9 - v3 * 0.25f;
        v19 = v16 - v14 * 0.25f;
        v20 = v23 - v25 * 0.25f;
        v21 = v30 - v36 * 0.25f;
        v22 = v37 - v7 * 0.25f;
        v23 = v4 - v18 * 0.25f;
        v24 = v11 - v29 * 0.25f;
        v25 = v18 - v0 * 0.25f;
        v26 = v25 - v11 * 0.25f;
        v27 = v32 - v22 * 0.25f;
        v28 = v39 - v33 * 0.25f;
        v29 = v6 - v4 * 0.25f;
        v30 = v13 - v15 * 0.25f;
        v31 = v20 - v26 * 0.25f;
        v32 = v27 - v37 * 0.25f;
        v33 = v34 - v8 * 0.25f;
        v34 = v1 - v19 * 0.25f;
        v35 = v8 - v30 * 0.25f;
        v36 = v15 - v1 * 0.25f;
        v37 = v22 - v12 * 0.25f;
        v38 = v29 - v23 * 0.25f;
        v39 = v36 - v34 * 0.25f;
    }
    return v0 * 1 + v1 * 2 + v2 * 3 + v3 * 4 + v4 * 5 + v5 * 1 + v6 * 2 + v7 * 3 + v8 * 4 + v9 * 5 + v10 * 1 + v11 * 2 + v12 * 3 + v13 * 4 + v14 * 5 + v15 * 1 + v16 * 2 + v17 * 3 + v18 * 4 + v19 * 5 + v20 * 1 + v21 * 2 + v22 * 3 + v23 * 4 + v24 * 5 + v25 * 1 + v26 * 2 + v27 * 3 + v28 * 4 + v29 * 5 + v30 * 1 + v31 * 2 + v32 * 3 + v33 * 4 + v34 * 5 + v35 * 1 + v36 * 2 + v37 * 3 + v38 * 4 + v39 * 5;
}

static int deep(int a, int b, int c, int d)
{
    return 
        (((((((a * c) + (b - d)) ^ ((a ^ b) - (c + b))) - (((b - d) * (b * a)) + ((b ^ b) + (c * c)))) + ((((d ^ c) * (c + d)) ^ ((c * a) * (c | a))) ^ (((c & c) - (c - b)) | ((b - a) - (a & c))))) | (((((a + d) | (b + b)) + ((d ^ c) - (c | d))) + (((a & d) | (b - c)) - ((c * c) | (c - c)))) + ((((c * d) - (a * a)) * ((b + c) + (d & d))) & (((d + c) + (b ^ b)) * ((b - d) + (b | a)))))) & ((((((d - c) * (c - c)) - ((b + a) - (b + d))) * (((d - c) * (a | c)) | ((c & c) + (c - c)))) & ((((c - c) + (d & c)) * ((c | c) | (c + b))) | (((b | b) | (c ^ d)) - ((d - b) & (c + c))))) + (((((b * b) - (d + b)) * ((b + a) * (b | d))) ^ (((d + c) + (a + b)) ^ ((a | c) ^ (c + d)))) + ((((a & c) + (c | c)) | ((d + c) * (b - b))) - (((b ^ a) - (a | d)) + ((b | c) - (d + d)))))));
}

static int f(int x) { return x * 5 ^ x >> 1; }
static int across(int x, int y, int z) { return (((((f(x) - f(y)) - (f(z) - f(y))) + ((f(z) * f(y)) * (f(y) - f(y)))) - (((f(x) - f(y)) - (f(y) + f(y))) + ((f(x) * f(z)) - (f(x) - f(x))))) + ((((f(y) + f(y)) * (f(z) - f(x))) - ((f(x) + f(y)) - (f(x) * f(y)))) - (((f(y) * f(y)) * (f(z) * f(z))) + ((f(x) + f(y)) - (f(z) * f(y)))))); }

int main(void)
{
    static struct block b = {1, "text", 9};
    struct block c = by_value(b, 5), d = by_value(by_value(c, 6), 7);
    int i;

    printf("%d %d\n", large(1), large(-3));
    printf("%d %d %d %d %d\n", d.head, d.tail, d.body[0], d.body[4999], c.body[4999]);
    printf("%d %d %.1f\n", recursive(30), addresses(), matrix(3));
    for (i = 0; i < 4; i++)
        printf("%d %lld %.6f %d %.6f\n", ints(i * 100, i + 1), longs(i * 100, i + 1), doubles(i * 100, i), chars(i * 100, i + 1), (double)singles(i, i));
    printf("%d %d\n", deep(1, 2, 3, 4), deep(-99999, 12345, 777, -1));
    printf("%d %d\n", across(1, 2, 3), across(-5, 100, 7));
    return 0;
}
