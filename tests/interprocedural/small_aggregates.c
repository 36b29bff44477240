/* Aggregates of at most a word, by parts and as a whole. */
int printf(const char *, ...);

struct pixel { unsigned char r, g, b, a; };
struct halves { short x, y; };
union word { unsigned u; signed char c[4]; short s[2]; };
struct bits { unsigned a : 3, b : 13; int c : 9; };
struct one { signed char c; };

__attribute__((noinline)) static struct pixel with_green(struct pixel p, int g) { p.g = g; return p; }
__attribute__((noinline)) static struct pixel made(int r, int g, int b, int a) {
    struct pixel p; p.r = r; p.g = g; p.b = b; p.a = a; return p;
}
__attribute__((noinline)) static struct halves sum(struct halves v, struct halves w) {
    struct halves r = { v.x + w.x, v.y + w.y }; return r;
}
__attribute__((noinline)) static struct bits changed(struct bits b, int n) { b.c -= n; b.a ^= b.b; return b; }
__attribute__((noinline)) static struct one next(struct one o) { o.c++; return o; }
__attribute__((noinline)) static int parts(union word w) { return w.c[0] * 7 + w.s[1] - (w.u == 5); }
__attribute__((noinline)) static void step(struct halves *p, struct halves by) {
    struct halves q = *p; q.x -= by.y; by = q; by.y += 3; *p = by;
}
__attribute__((noinline)) static struct pixel rotated(struct pixel p, int n) {
    while (n-- > 0) { struct pixel q; q.r = p.a; q.g = p.r; q.b = p.g; q.a = p.b; p = q; }
    return p;
}
/* integers of which parts are copied, as memcpy is done in place */
struct byte { unsigned char b[1]; };
__attribute__((noinline)) static int product(unsigned n, int m) {
    struct halves h = *(struct halves *)&n; struct byte b = *(struct byte *)((char *)&m + 1); n += h.x; return h.x * h.y + b.b[0] + n;
}
__attribute__((noinline)) static unsigned put(unsigned n, struct halves h, int k) {
    unsigned short s = k; *(struct byte *)((char *)&n + 3) = (struct byte) { k };
    *(struct halves *)&k = h; *(struct byte *)&s = *(struct byte *)&n; return n ^ k ^ s;
}

int main(void) {
    struct pixel p = with_green(made(1, 300, -3, 4), 77);
    printf("%d %d %d %d\n", p.r, p.g, p.b, p.a);
    struct halves h = sum((struct halves) { 30000, -5 }, (struct halves) { 10000, 3 });
    step(&h, h);
    printf("%d %d\n", h.x, h.y);
    struct bits b = changed((struct bits) { 5, 8000, -200 }, 70);
    printf("%u %u %d\n", b.a, b.b, b.c);
    printf("%d\n", next(next((struct one) { 126 })).c);
    union word w; w.s[0] = -3; w.s[1] = 1234;
    printf("%d\n", parts(w) - w.s[0]);
    p = rotated(p, 5);
    printf("%d %d %d %d\n", p.r, p.g, p.b, p.a);
    printf("%d %u\n", product(0xfffb1234, 7 << 10), put(0x12345678, h, 99));
    return 0;
}
