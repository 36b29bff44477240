/* Atomic operations, which in one thread are plain ones. */

#include "host.h"

static int steps[4];
static _Atomic int counter = 3;
static unsigned char flag;
static int *where = steps;
struct pair { int x, y; };

int main(void)
{
    int x = 5, y, expected = 7;
    long long wide = 1LL << 40;
    unsigned char small = 250;
    printf("%d ", __sync_fetch_and_add(&x, 3)), printf("%d ", x), printf("%d\n", __sync_add_and_fetch(&x, 2));
    printf("%d ", __sync_fetch_and_nand(&x, 6)), printf("%d ", x), printf("%d\n", __sync_nand_and_fetch(&x, 1));
    printf("%d ", __sync_fetch_and_or(&small, 5)), printf("%d ", __sync_add_and_fetch(&small, 10)), printf("%d\n", small);
    x = 7;
    printf("%d ", __sync_bool_compare_and_swap(&x, 7, 8)), printf("%d ", x), printf("%d ", __sync_val_compare_and_swap(&x, 7, 9));
    printf("%d\n", x);
    printf("%d ", __sync_lock_test_and_set(&x, 1)), __sync_lock_release(&x), printf("%d\n", x);
    __sync_synchronize();
    printf("%lld ", __atomic_fetch_sub(&wide, 1, __ATOMIC_RELAXED)), printf("%lld\n", __atomic_load_n(&wide, __ATOMIC_SEQ_CST));
    __atomic_store_n(&x, 7, 5), __atomic_load(&x, &y, 5), printf("%d\n", y);
    printf("%d ", __atomic_compare_exchange_n(&x, &expected, 10, 0, 5, 5)), printf("%d %d\n", x, expected);
    printf("%d ", __atomic_compare_exchange_n(&x, &expected, 11, 0, 5, 5)), printf("%d %d\n", x, expected);
    y = 12;
    printf("%d ", __atomic_compare_exchange(&x, &expected, &y, 1, 5, 5)), printf("%d\n", x);
    printf("%d ", __atomic_exchange_n(&x, 20, 5)), printf("%d ", x);
    y = 30, __atomic_exchange(&x, &y, &expected, 5), printf("%d %d\n", x, expected);
    __atomic_store(&x, &expected, 5), printf("%d\n", x);
    printf("%d ", __atomic_test_and_set(&flag, 5)), printf("%d ", flag), __atomic_clear(&flag, 5), printf("%d\n", flag);
    printf("%d ", (int)(__atomic_fetch_add(&where, sizeof(int), 5) - steps)), printf("%d\n", (int)(where - steps));
    counter++, counter += 2;
    printf("%d ", counter), printf("%d\n", __atomic_xor_fetch(&counter, 1, 5));
    __atomic_thread_fence(5);
    printf("%d\n", __atomic_always_lock_free(sizeof(int), 0));
    return 0;
}
