/* A small operating system's kernel: tasks with priorities, a wheel of timers, queues of messages, handlers by pointer. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TASKS 12
#define QUEUE 16
#define WHEEL 32

struct message {
    uint8_t kind, from;
    uint16_t value;
};

struct task;
typedef void handler(struct task *, const struct message *);

struct task {
    struct task *next; /* of the same priority, or at the same time */
    handler *handle[4];
    struct message queue[QUEUE];
    uint8_t number, priority, head, count, waiting;
    uint32_t state, handled, lost;
};

static struct task tasks[TASKS], *ready_first[8], *ready_last[8], *wheel[WHEEL];
static uint32_t ready, now, switches;

static void make_ready(struct task *task)
{
    int priority = task->priority;

    task->next = NULL;
    if (ready_first[priority] == NULL)
        ready_first[priority] = task;
    else
        ready_last[priority]->next = task;
    ready_last[priority] = task;
    ready |= 1u << priority;
}

static struct task *next_task(void)
{
    struct task *task;
    int priority = 7;

    if (ready == 0)
        return NULL;
    while (!(ready >> priority & 1))
        priority--;
    task = ready_first[priority];
    ready_first[priority] = task->next;
    if (task->next == NULL)
        ready &= ~(1u << priority);
    return task;
}

static void send(struct task *to, int kind, int from, unsigned value)
{
    struct message *message;

    if (to->count == QUEUE) {
        to->lost++;
        return;
    }
    message = &to->queue[(to->head + to->count) % QUEUE];
    message->kind = (uint8_t)kind;
    message->from = (uint8_t)from;
    message->value = (uint16_t)value;
    if (to->count++ == 0 && !to->waiting)
        make_ready(to);
}

static void sleep_until(struct task *task, uint32_t time)
{
    task->waiting = 1;
    task->next = wheel[time % WHEEL];
    wheel[time % WHEEL] = task;
}

static void count_up(struct task *task, const struct message *message)
{
    task->state += message->value;
}

static void pass_on(struct task *task, const struct message *message)
{
    task->state = task->state * 5 + 1;
    if (message->value > 3)
        send(&tasks[(task->number + task->state % 7) % TASKS], (int)(task->state >> 8) % 4, task->number, message->value / 2u);
}

static void answer(struct task *task, const struct message *message)
{
    task->state ^= (uint32_t)message->value << message->from;
    send(&tasks[message->from], 0, task->number, task->state & 0xff);
}

static void rest(struct task *task, const struct message *message)
{
    sleep_until(task, now + 1 + message->value % (WHEEL - 2));
}

static void tick(void)
{
    struct task *task = wheel[++now % WHEEL], *next;

    wheel[now % WHEEL] = NULL;
    for (; task; task = next) {
        next = task->next;
        task->waiting = 0;
        if (task->count)
            make_ready(task);
    }
}

static void run_one(struct task *task)
{
    struct message message = task->queue[task->head];

    task->head = (task->head + 1) % QUEUE;
    task->count--;
    task->handled++;
    task->handle[message.kind](task, &message);
    if (task->count && !task->waiting)
        make_ready(task);
    switches++;
}

int main(int argc, char **argv)
{
    static handler *const handlers[] = {count_up, pass_on, answer, rest, pass_on, count_up};
    uint32_t ticks = (uint32_t)(argc > 1 ? atoi(argv[1]) : 3000), seed = 67, sum = 0, lost = 0;

    for (int i = 0; i < TASKS; i++) {
        tasks[i].number = (uint8_t)i;
        tasks[i].priority = (uint8_t)(i % 8);
        for (int kind = 0; kind < 4; kind++)
            tasks[i].handle[kind] = handlers[(kind + i % 3) % 6];
    }
    while (now < ticks) {
        struct task *task;

        for (int i = 0; i < 3; i++) {
            seed = seed * 1664525u + 1013904223u;
            send(&tasks[(seed >> 24) % TASKS], (int)(seed >> 20 & 3), (int)((seed >> 8) % TASKS), seed >> 16 & 0x3ff);
        }
        for (int i = 0; i < 8 && (task = next_task()) != NULL; i++)
            run_one(task);
        tick();
    }
    for (int i = 0; i < TASKS; i++) {
        sum = sum * 31 + tasks[i].state + tasks[i].handled;
        lost += tasks[i].lost;
    }
    printf("%lu switches, %lu lost, %08lx\n", (unsigned long)switches, (unsigned long)lost, (unsigned long)sum);
    return 0;
}
