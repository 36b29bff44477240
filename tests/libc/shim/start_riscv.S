    .globl _start, __ease_syscall
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
#if __riscv_xlen == 32
    lw a0, 0(sp)
    addi a1, sp, 4
    slli a2, a0, 2
    addi a2, a2, 4
#else
    ld a0, 0(sp)
    addi a1, sp, 8
    slli a2, a0, 3
    addi a2, a2, 8
#endif
    add a2, a2, a1
    andi sp, sp, -16
    call main
    call exit
__ease_syscall:
    mv a7, a0
    mv a0, a1
    mv a1, a2
    mv a2, a3
    mv a3, a4
    mv a4, a5
    ecall
    ret
