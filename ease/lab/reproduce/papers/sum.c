/* A sum over an array, -1 for an empty one: a function with the flow of control of the ease paper's example. */
int putchar(int);

static int sum(const int *numbers, int count)
{
    int total = 0;
    if (count <= 0)
        return -1;
    for (int i = 0; i < count; i++)
        total += numbers[i];
    return total;
}

int main(void)
{
    static const int numbers[] = {10, 20, 30};
    putchar('0' + sum(numbers, 3) / 10);
    putchar('\n');
    return sum(numbers, 0) + 1;
}
