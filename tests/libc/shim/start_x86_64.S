    .globl _start, __ease_syscall
_start:
    xor %ebp, %ebp
    mov (%rsp), %rdi
    lea 8(%rsp), %rsi
    lea 8(%rsi,%rdi,8), %rdx
    .weak __arguments
    mov $__arguments, %rax
    test %rax, %rax
    jz 1f
    mov %rsi, (%rax)
1:
    and $-16, %rsp
    call main
    mov %eax, %edi
    call exit
__ease_syscall:
    mov %rdi, %rax
    mov %rsi, %rdi
    mov %rdx, %rsi
    mov %rcx, %rdx
    mov %r8, %r10
    mov %r9, %r8
    syscall
    ret
    .section .note.GNU-stack,"",@progbits
