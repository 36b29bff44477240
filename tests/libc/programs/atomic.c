/* stdatomic.h, in one thread. */

#include <stdatomic.h>
#include <stdio.h>

static atomic_int shared = ATOMIC_VAR_INIT(5);
static atomic_flag lock = ATOMIC_FLAG_INIT;

int main(void)
{
    atomic_ullong wide;
    int expected = 3;
    printf("%d ", atomic_fetch_add(&shared, 3));
    printf("%d ", (int)atomic_load(&shared));
    printf("%d ", atomic_fetch_or_explicit(&shared, 16, memory_order_relaxed));
    printf("%d\n", (int)shared);
    printf("%d ", atomic_compare_exchange_strong(&shared, &expected, 1));
    printf("%d ", expected);
    printf("%d ", atomic_compare_exchange_strong(&shared, &expected, 1));
    printf("%d\n", (int)shared);
    printf("%d ", atomic_flag_test_and_set(&lock));
    printf("%d ", atomic_flag_test_and_set(&lock));
    atomic_flag_clear(&lock);
    printf("%d\n", atomic_flag_test_and_set(&lock));
    (atomic_flag_clear_explicit)(&lock, memory_order_relaxed);
    printf("%d ", (atomic_flag_test_and_set)(&lock));
    printf("%d ", (atomic_flag_test_and_set_explicit)(&lock, memory_order_seq_cst));
    (atomic_flag_clear)(&lock);
    (atomic_thread_fence)(memory_order_acquire);
    (atomic_signal_fence)(memory_order_acquire);
    printf("%d\n", atomic_flag_test_and_set(&lock));
    atomic_init(&wide, 1ULL << 40);
    atomic_store(&wide, atomic_exchange(&wide, 7) + 1);
    printf("%llu\n", (unsigned long long)wide);
    atomic_thread_fence(memory_order_seq_cst);
    return 0;
}
