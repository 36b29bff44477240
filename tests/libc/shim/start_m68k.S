    .globl _start, __ease_syscall
    .text
_start:
    move.l (%sp), %d0
    lea 4(%sp), %a0
    lea 4(%a0,%d0.l*4), %a1
    move.l %a1, -(%sp)
    move.l %a0, -(%sp)
    move.l %d0, -(%sp)
    jsr main
    move.l %d0, -(%sp)
    jsr exit
__ease_syscall:
    movem.l %d2-%d5, -(%sp)
    movem.l 20(%sp), %d0-%d5
    trap #0
    movem.l (%sp)+, %d2-%d5
    rts
