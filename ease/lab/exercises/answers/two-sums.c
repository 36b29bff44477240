static unsigned a[64];

int main(void)
{
    unsigned even = 1, odd = 1;
    for (int i = 0; i < 64; i++)
        a[i] = 2 * i + 3;
    for (int i = 0; i < 64; i += 2)
        even *= a[i], odd *= a[i + 1];
    return even * odd >> 8 & 127;
}
