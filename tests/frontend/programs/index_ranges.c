/* Ranges of elements (GNU) with further designators: what follows goes on behind the last element only. */
int printf(const char *, ...);
struct M { int N; struct I { int J; int K[3]; int L; } O[3]; int P; };
int a[][2][4] = { [2 ... 4][0 ... 1][2 ... 3] = 1, [2] = 2, [2][0][2] = 3 };
struct M n[] = { [0 ... 5].O[1 ... 2].K[0 ... 1] = 4, 5, 6, 7 };
struct M o[] = { [0 ... 5].O = { [1 ... 2].K[0 ... 1] = 4 }, [5].O[2].K[2] = 5, 6, 7 };
struct M p[] = { [0 ... 5].O[1 ... 2].K = { [0 ... 1] = 4 }, [5].O[2].K[2] = 5, 6, 7 };
int q[3][3] = { [0 ... 1] = { [1 ... 2] = 23 }, [1][2] = 24 };
void show(int *x, int n, int m) { for (int i = 0; i < n; i++) printf("%d%c", x[i], i % m == m - 1 ? 10 : 32);
    printf("\n"); }
struct P { int a, b, c; } e1[] = { [0 ... 2] = 1, 2, [5 ... 6].b = 7, 8, 9 }; int e2[4][3] = { [0 ... 2] = 1, 2, [3] = 5, 6 }; char e3[4][4] = { [0 ... 2] = "ab", "c" };
struct P e4[] = { [0 ... 1] = {1, 2}, 3, 4, [4 ... 6] = 1, 2, 3, 4 };
static void more(void) { show((int*)e1, sizeof e1/4, 3); show((int*)e2, 12, 3); show((int*)e3, 4, 4); show((int*)e4, sizeof e4/4, 3);
 int n = 3; struct P l1[] = { [0 ... 2] = n++, n++, [5 ... 6].b = n++, 8, n++ };  show((int*)l1, sizeof l1/4, 3); }
int main(void)
{
    more();
    show((int*)a, sizeof a/4, 8); show((int*)n, sizeof n/4, 17); show((int*)o, sizeof o/4, 17); show((int*)p, sizeof p/4, 17); show((int*)q, 9, 3);
 struct M ln[] = { [0 ... 5].O[1 ... 2].K[0 ... 1] = 4, 5, 6, 7 };show((int*)ln, sizeof ln/4, 17);
    return 0;
}
