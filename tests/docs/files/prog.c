static int a[20], b[20];

static int product(const int *x, const int *y, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

int main(int count, char **words)
{
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        a[i] = i * words[count - 1][0];
        b[i] = i;
    }
    for (int round = 0; round < 100; round++)
        sum += product(a, b, 20);
    return sum == 1;
}
