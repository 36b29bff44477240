static int m[32][32];

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++)
            m[i][j] = i ^ j;
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++)
            sum += m[i][j] * (i + 2 * j);
    return sum >> 9 & 127;
}
