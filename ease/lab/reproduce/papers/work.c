/* Hashes words, keeps numbers in a heap and sorts them, as often as the argument says; writes one number.
 *
 * It needs next to nothing of the library, so that many machines and variants of them are measured in little time.
 */
int putchar(int);

#define WORDS 8
#define KEYS 256
#define MOST 60

static const char *const words[WORDS] = {"register", "transfer", "list", "machine", "branch", "cache", "window", "trace"};
static int keys[KEYS], heap[MOST + 1], used;

static int hash(const char *word)
{
    unsigned sum = 5381;
    while (*word)
        sum = sum * 33 + (unsigned char)*word++;
    return sum & (KEYS - 1);
}

static int parent(int place)
{
    return (place - 1) / 2;
}

static void swap(int *one, int *other)
{
    int kept = *one;
    *one = *other;
    *other = kept;
}

static void put(int number)
{
    int place = used++;
    heap[place] = number;
    while (place && heap[parent(place)] > heap[place]) {
        swap(&heap[parent(place)], &heap[place]);
        place = parent(place);
    }
}

static int smaller_child(int place)
{
    int child = 2 * place + 1;
    return child + 1 < used && heap[child + 1] < heap[child] ? child + 1 : child;
}

static int get(void)
{
    int first = heap[0], place = 0, child;
    heap[0] = heap[--used];
    while ((child = smaller_child(place)) < used && heap[child] < heap[place]) {
        swap(&heap[child], &heap[place]);
        place = child;
    }
    return first;
}

static void write_number(unsigned number)
{
    char digits[16];
    int count = 0;
    do
        digits[count++] = '0' + number % 10;
    while (number /= 10);
    while (count)
        putchar(digits[--count]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    int rounds = 0;
    unsigned sum = 0;
    for (const char *digit = argc > 1 ? argv[1] : "400"; *digit; digit++)
        rounds = rounds * 10 + (*digit - '0');
    for (int i = 0; i < rounds; i++) {
        keys[hash(words[i % WORDS]) ^ (i & 31)] += i;
        if (used < MOST)
            put((i * 7919) & 1023);
        if (i % 3 == 0)
            sum += get();
    }
    for (int i = 0; i < KEYS; i++)
        sum += keys[i];
    write_number(sum);
    return 0;
}
