/*
 * vm - interprets byte code of a stack machine: a switch in a loop.
 *
 * usage: vm [LIMIT]   the interpreted program sieves up to here, follows Collatz sequences and computes remainders
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum operation {
    HALT, PUSH, PUSH_WORD, DROP, COPY, EXCHANGE, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, AND, OR, XOR, SHIFT_LEFT,
    SHIFT_RIGHT, NEGATE, LESS, EQUAL, NOT, LOAD, STORE, FETCH, PUT, INCREMENT, JUMP, JUMP_IF, JUMP_UNLESS, CALL, RETURN, PRINT
};

enum variable { I, J, COUNT, N, STEPS, BEST, A, B, SUM, LIMIT, VARIABLES };

#define CODE 512
#define STACK 64

static unsigned char code[CODE];
static int end;
static unsigned char *cells;
static int32_t variables[VARIABLES];
static uint32_t executed;

/* ---- assembler ---- */

static void emit(int operation)
{
    code[end++] = (unsigned char)operation;
}

static void emit_with(int operation, int operand)
{
    emit(operation);
    emit(operand);
}

static void emit_jump(int operation, int target)
{
    emit(operation);
    emit(target >> 8);
    emit(target & 255);
}

/* Emits a jump whose target is not known yet; `arrive` tells it. */
static int emit_forward(int operation)
{
    emit_jump(operation, 0);
    return end - 2;
}

static void arrive(int place)
{
    code[place] = (unsigned char)(end >> 8);
    code[place + 1] = (unsigned char)(end & 255);
}

static void set(int variable, int value)
{
    emit_with(PUSH, value);
    emit_with(STORE, variable);
}

static void binary(int operation, int left, int right)
{
    emit_with(LOAD, left);
    emit_with(LOAD, right);
    emit(operation);
}

/* Prints the number of primes below the limit. */
static void assemble_sieve(void)
{
    int outer, inner, done, next, composite;

    set(I, 2);
    set(COUNT, 0);
    outer = end;
    binary(LESS, I, LIMIT);
    done = emit_forward(JUMP_UNLESS);
    emit_with(LOAD, I);
    emit(FETCH);
    composite = emit_forward(JUMP_IF);
    emit_with(INCREMENT, COUNT);
    binary(ADD, I, I);
    emit_with(STORE, J);
    inner = end;
    binary(LESS, J, LIMIT);
    next = emit_forward(JUMP_UNLESS);
    emit_with(PUSH, 1);
    emit_with(LOAD, J);
    emit(PUT);
    binary(ADD, J, I);
    emit_with(STORE, J);
    emit_jump(JUMP, inner);
    arrive(next);
    arrive(composite);
    emit_with(INCREMENT, I);
    emit_jump(JUMP, outer);
    arrive(done);
    emit_with(LOAD, COUNT);
    emit(PRINT);
}

/* Prints the longest Collatz sequence that starts below the limit / 16. */
static void assemble_collatz(void)
{
    int outer, inner, done, next, even, join, shorter;

    set(I, 1);
    set(BEST, 0);
    outer = end;
    emit_with(LOAD, I);
    emit_with(LOAD, LIMIT);
    emit_with(PUSH, 4);
    emit(SHIFT_RIGHT);
    emit(LESS);
    done = emit_forward(JUMP_UNLESS);
    emit_with(LOAD, I);
    emit_with(STORE, N);
    set(STEPS, 0);
    inner = end;
    emit_with(LOAD, N);
    emit_with(PUSH, 1);
    emit(EQUAL);
    next = emit_forward(JUMP_IF);
    emit_with(LOAD, N);
    emit(COPY);
    emit_with(PUSH, 1);
    emit(AND);
    even = emit_forward(JUMP_UNLESS);
    emit_with(PUSH, 3);
    emit(MULTIPLY);
    emit_with(PUSH, 1);
    emit(ADD);
    join = emit_forward(JUMP);
    arrive(even);
    emit_with(PUSH, 1);
    emit(SHIFT_RIGHT);
    arrive(join);
    emit_with(STORE, N);
    emit_with(INCREMENT, STEPS);
    emit_jump(JUMP, inner);
    arrive(next);
    binary(LESS, BEST, STEPS);
    shorter = emit_forward(JUMP_UNLESS);
    emit_with(LOAD, STEPS);
    emit_with(STORE, BEST);
    arrive(shorter);
    emit_with(INCREMENT, I);
    emit_jump(JUMP, outer);
    arrive(done);
    emit_with(LOAD, BEST);
    emit(PRINT);
}

/* Prints a sum of greatest common divisors, which a routine computes. */
static void assemble_divisors(void)
{
    int over, routine, loop, finished, outer, done;

    over = emit_forward(JUMP);
    routine = end;
    loop = end;
    emit_with(LOAD, B);
    finished = emit_forward(JUMP_UNLESS);
    emit_with(LOAD, B);
    binary(REMAINDER, A, B);
    emit_with(STORE, B);
    emit_with(STORE, A);
    emit_jump(JUMP, loop);
    arrive(finished);
    emit(RETURN);
    arrive(over);
    set(I, 1);
    set(SUM, 0);
    outer = end;
    binary(LESS, I, LIMIT);
    done = emit_forward(JUMP_UNLESS);
    emit_with(LOAD, I);
    emit_with(STORE, A);
    emit_jump(PUSH_WORD, 5040);
    emit_with(LOAD, I);
    emit(XOR);
    emit_with(STORE, B);
    emit_jump(CALL, routine);
    binary(ADD, SUM, A);
    emit_with(STORE, SUM);
    emit_with(INCREMENT, I);
    emit_jump(JUMP, outer);
    arrive(done);
    emit_with(LOAD, SUM);
    emit(PRINT);
}

/* ---- interpreter ---- */

static int32_t run(void)
{
    int32_t stack[STACK], *top = stack, kept, sum = 0;
    const unsigned char *at = code;

    for (;;) {
        executed++;
        switch ((enum operation)*at++) {
        case HALT:
            return sum;
        case PUSH:
            *++top = *at++;
            break;
        case PUSH_WORD:
            *++top = at[0] << 8 | at[1];
            at += 2;
            break;
        case DROP:
            top--;
            break;
        case COPY:
            top[1] = top[0];
            top++;
            break;
        case EXCHANGE:
            kept = top[0];
            top[0] = top[-1];
            top[-1] = kept;
            break;
        case ADD:
            top--;
            top[0] += top[1];
            break;
        case SUBTRACT:
            top--;
            top[0] -= top[1];
            break;
        case MULTIPLY:
            top--;
            top[0] *= top[1];
            break;
        case DIVIDE:
            top--;
            top[0] /= top[1];
            break;
        case REMAINDER:
            top--;
            top[0] %= top[1];
            break;
        case AND:
            top--;
            top[0] &= top[1];
            break;
        case OR:
            top--;
            top[0] |= top[1];
            break;
        case XOR:
            top--;
            top[0] ^= top[1];
            break;
        case SHIFT_LEFT:
            top--;
            top[0] = (int32_t)((uint32_t)top[0] << top[1]);
            break;
        case SHIFT_RIGHT:
            top--;
            top[0] >>= top[1];
            break;
        case NEGATE:
            top[0] = -top[0];
            break;
        case LESS:
            top--;
            top[0] = top[0] < top[1];
            break;
        case EQUAL:
            top--;
            top[0] = top[0] == top[1];
            break;
        case NOT:
            top[0] = !top[0];
            break;
        case LOAD:
            *++top = variables[*at++];
            break;
        case STORE:
            variables[*at++] = *top--;
            break;
        case FETCH:
            top[0] = cells[top[0]];
            break;
        case PUT:
            cells[top[0]] = (unsigned char)top[-1];
            top -= 2;
            break;
        case INCREMENT:
            variables[*at++]++;
            break;
        case JUMP:
            at = code + (at[0] << 8 | at[1]);
            break;
        case JUMP_IF:
            at = *top-- != 0 ? code + (at[0] << 8 | at[1]) : at + 2;
            break;
        case JUMP_UNLESS:
            at = *top-- == 0 ? code + (at[0] << 8 | at[1]) : at + 2;
            break;
        case CALL:
            *++top = (int32_t)(at + 2 - code);
            at = code + (at[0] << 8 | at[1]);
            break;
        case RETURN:
            at = code + *top--;
            break;
        case PRINT:
            printf(" %ld", (long)*top);
            sum = sum * 31 + *top--;
            break;
        }
    }
}

int main(int argc, char **argv)
{
    int limit = argc > 1 ? atoi(argv[1]) : 200;
    int32_t sum;

    cells = calloc((size_t)limit + 1, 1);
    if (cells == NULL || limit < 1)
        return 1;
    variables[LIMIT] = limit;
    assemble_sieve();
    assemble_collatz();
    assemble_divisors();
    emit(HALT);
    printf("vm %d:", limit);
    sum = run();
    printf(", %08lx after %lu operations\n", (unsigned long)(uint32_t)sum, (unsigned long)executed);
    return 0;
}
