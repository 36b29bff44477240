/* atomic_flag_..., atomic_..._fence, where no macro of stdatomic.h stands for them; there is one thread */

#include <stdatomic.h>

_Bool (atomic_flag_test_and_set)(volatile atomic_flag *flag)
{
    _Bool old = flag->__set;

    flag->__set = 1;
    return old;
}

_Bool (atomic_flag_test_and_set_explicit)(volatile atomic_flag *flag, memory_order order)
{
    return (atomic_flag_test_and_set)(flag);
}

void (atomic_flag_clear)(volatile atomic_flag *flag)
{
    flag->__set = 0;
}

void (atomic_flag_clear_explicit)(volatile atomic_flag *flag, memory_order order)
{
    (atomic_flag_clear)(flag);
}

void (atomic_thread_fence)(memory_order order) {}
void (atomic_signal_fence)(memory_order order) {}
