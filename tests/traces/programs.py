"""Programs whose traces are compared: loops, calls of all kinds, faults, jumps out of functions."""

ENDING = {  # they end by themselves
    "nested loops": """
        int a[12][12], b[12][12], c[12][12];
        int main(int argc, char **argv) {
            int i, j, k, n = 11 + argc;
            for (i = 0; i < n; i++) for (j = 0; j < n; j++) { a[i][j] = i * j; b[j][i] = i - j; }
            for (i = 0; i < n; i++)
                for (j = 0; j < n; j++) { int s = 0; for (k = 0; k < n; k++) s += a[i][k] * b[k][j]; c[i][j] = s; }
            return c[3][4] & 127;
        }""",
    "longjmp": """
        #include <setjmp.h>
        #include <stdio.h>
        jmp_buf first, second; int depth, marks[64];
        void fall(int n) { marks[n] += n; if (n == 0) longjmp(depth & 1 ? first : second, 1 + depth); fall(n - 1); }
        int main(void) {
            int k; volatile int sum = 0; int *p = marks;
            for (k = 0; k < 3; k++) {
                if (setjmp(first) == 0) { depth = 1; marks[k]++; fall(5 + k); }
                p[k] += 2;
                if (setjmp(second) == 0) { depth = 2; fall(3); }
                p[k + 1] += 1; sum += marks[2];
            }
            printf("%d\\n", sum);
            return 0;
        }""",
    "indirect": """
        #include <stdio.h>
        int choose(int x) {
            switch (x) { case 0: return 3; case 1: return 9; case 2: return x * 2; case 3: return 7; case 4: return 1;
                         case 5: return 99; case 6: return 4; }
            return 0;
        }
        int (*table[2])(int) = {choose, 0};
        int main(void) { int i, s = 0; for (i = 0; i < 9; i++) s += table[0](i); printf("%g\\n", s / 3.0); return 0; }""",
    "exit deep in calls": """
        #include <stdlib.h>
        int t[50];
        void down(int n) { t[n] = n; if (n == 0) exit(3); down(n - 1); }
        int main(void) { down(9); return 0; }""",
}
FAULTING = {
    "null pointer": """
        int main(int c, char **v) {
            int *volatile p = (int *)0; int i, s = 0; int a[20];
            for (i = 0; i < 20; i++) a[i] = i;
            for (i = 0; i < c + 10; i++) s += a[i];
            return s + *p;
        }""",
    "division": """
        int g;
        int divide(int x) { return 10 / (x - g); }
        int main(void) { int i; for (i = 0; i < 6; i++) g += divide(i + 3); return g; }""",
    "endless walk": """
        int sink;
        int main(void) { char *p = (char *)main; p += 100; for (;;) sink += *p--; }""",
}
