/* A designator that goes into a string replaces one element of it. */
int printf(const char *, ...);
typedef __WCHAR_TYPE__ wchar_t;

struct named {
    char name[4];
    int number;
};

static char rows[2][3] = {"ab", [0][1] = 'x'};
static struct named fixed = {"abc", .name[1] = 'z', .number = 3};

int main(void)
{
    struct named one = {"abc", .name[0] = 'y', 4}, two[2] = {[1] = {"q", 4}, [1].name[1] = 'w'};
    wchar_t wide[] = L"wide";
    struct { wchar_t text[4]; } w = {L"uvw", .text[1] = L'1'};

    printf("%s %s %d %s %d %s %d\n", rows[0], fixed.name, fixed.number, one.name, one.number, two[1].name, two[1].number);
    printf("%d %d %d %d\n", (int)w.text[0], (int)w.text[1], (int)w.text[2], (int)wide[3]);
    return 0;
}
