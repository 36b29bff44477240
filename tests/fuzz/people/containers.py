"""Linked lists, hash tables, ring buffers, trees."""

from __future__ import annotations

from tests.fuzz.people.expressions import ranged
from tests.fuzz.people.scope import Writer, fill, piece
from tests.fuzz.people.shapes import register
from tests.fuzz.people.statements import lines


@piece(1.2)
def linked(writer: Writer) -> None:
    """Write a list on the heap: insert, find, remove, reverse, free."""
    t, name = writer.name("node"), writer.name("use_list")
    scope = writer.scope(result=None)
    scope.read_only("value", 0, 400)
    insert, removed = (
        lines(scope.inner(9, loop=False), writer.number(0, 2)),
        lines(scope.inner(3, loop=False), writer.number(0, 8)),
    )
    writer.tops.append(
        fill(
            """struct $t { $kind value; struct $t *next; $more };
        $how struct $t *${t}_insert(struct $t *head, int value, bool *twice)
        {
            struct $t **at = &head, *fresh;
            *twice = false;
            while (*at != NULL && (*at)->value $before value)
                at = &(*at)->next;
            if (*at && (*at)->value == value) {
                *twice = true;
                $insert
                return head;
            }
            fresh = malloc(sizeof *fresh);
            if (fresh == NULL)
                exit(3);
            fresh->value = ($kind)value;
            fresh->next = *at;
            *at = fresh;
            return head;
        }
        $how bool ${t}_remove(struct $t **head, int value)
        {
            bool found = false;
            struct $t *previous = NULL;
            for (struct $t *one = *head; one != NULL; previous = one, one = one->next) {
                if (one->value != value)
                    continue;
                found = true;
                if (previous)
                    previous->next = one->next;
                else
                    *head = one->next;
                free(one);
                $removed
                break;
            }
            return found;
        }
        $how struct $t *${t}_reverse(struct $t *head)
        {
            struct $t *result = NULL;
            while (head) {
                struct $t *next = head->next;
                head->next = result;
                result = head;
                head = next;
            }
            return result;
        }
        $how int $name(int n, int a)
        {
            struct $t *head = NULL;
            int twice = 0, gone = 0, sum = 0;
            bool again;
            for (int i = 0; i < n; i++) {
                head = ${t}_insert(head, (i * $factor + a) % $mod, &again);
                if (again)
                    twice++;
            }
            for (int i = 0; i < 3; i++)
                if (${t}_remove(&head, a + i * $factor))
                    gone |= 1 << i;
            if (gone & $mask)
                head = ${t}_reverse(head);
            while (head != NULL) {
                struct $t *next = head->next;
                sum = (sum * 3 + head->value) % 1000;
                free(head);
                head = next;
            }
            return sum + twice * 10 + gone;
        }""",
            t=t,
            kind=writer.chance.choice(("int", "short", "long")),
            more=writer.chance.choice(("", "char mark;", "int count;")),
            how=writer.storage(),
            before=writer.chance.choice("<>"),
            insert=insert,
            removed=removed,
            name=name,
            factor=writer.number(1, 20),
            mod=writer.number(5, 60),
            mask=writer.number(1, 7),
        )
    )
    register(writer, name, ((0, 9), (0, 20)), (-1100, 1200), 500)


@piece(1.2)
def hashed(writer: Writer) -> None:
    """Write a table of strings with open addressing, or with chains in an array."""
    t, name = writer.name("table"), writer.name("use_table")
    scope = writer.scope(result=None)
    scope.read_only("i", 0, 15)
    hit = lines(scope.inner(8, loop=False), writer.number(0, 8))
    size = writer.chance.choice((8, 16))
    writer.tops.append(
        fill(
            """struct ${t}_entry { char key[8]; int value; $flag used; };
        struct $t { struct ${t}_entry entries[$size]; int count, probes; };
        static uint32_t ${t}_hash(const char *key)
        {
            uint32_t h = $start;
            while (*key)
                h = (h ^ (unsigned char)*key++) * $factor;
            return h ^ h >> 15;
        }
        $how struct ${t}_entry *${t}_find(struct $t *t, const char *key, bool make)
        {
            uint32_t at = ${t}_hash(key) % $size;
            struct ${t}_entry *entry = NULL;
            for (int i = 0; i < $size; i++, at = (at + 1) % $size) {
                entry = &t->entries[at];
                t->probes++;
                if (!entry->used)
                    break;
                if (strcmp(entry->key, key) == 0) {
                    $hit
                    return entry;
                }
                entry = NULL;
            }
            if (!make || entry == NULL)
                return NULL;
            strcpy(entry->key, key);
            entry->used = 1;
            entry->value = 0;
            t->count++;
            return entry;
        }
        $how int $name(int n, int step)
        {
            struct $t table;
            char key[8];
            int full = 0, sum = 0;
            memset(&table, 0, sizeof table);
            for (int i = 0; i < n; i++) {
                struct ${t}_entry *one;
                snprintf(key, sizeof key, "k%d", i * step % $mod);
                one = ${t}_find(&table, key, true);
                if (one)
                    one->value += i + 1;
                else
                    full++;
            }
            for (int i = 0; i < 6; i++) {
                struct ${t}_entry copy = {"", -1, 0}, *one;
                sprintf(key, "k%d", i);
                if ((one = ${t}_find(&table, key, false)) != NULL)
                    copy = *one;
                sum += copy.value;
                if (copy.used && copy.key[0] != 'k')
                    return -1;
            }
            return sum * 10 + full + table.count + table.probes % 7;
        }""",
            t=t,
            flag=writer.chance.choice(("bool", "char", "int", "unsigned char")),
            size=size,
            start=writer.chance.choice(("5381u", "2166136261u")),
            factor=writer.chance.choice(("33u", "16777619u")),
            how=writer.storage(),
            hit=hit,
            name=name,
            mod=writer.number(3, 20),
        )
    )
    register(writer, name, ((0, 12), (1, 9)), (-100, 1500), 900)


@piece(1)
def ring(writer: Writer) -> None:
    """Write a ring buffer, and a stack or queue that works with it."""
    t, name = writer.name("ring"), writer.name("use_ring")
    scope = writer.scope(result=None)
    size, kind = writer.chance.choice((3, 4, 8)), writer.chance.choice(("int", "unsigned char", "short"))
    parts = {word: lines(scope.inner(6, loop=False), writer.number(0, 7)) for word in ("full", "empty")}
    writer.tops.append(
        fill(
            """struct $t { $kind cells[$size]; unsigned head, tail; bool full; int lost; };
        $how int ${t}_put(struct $t *r, int v)
        {
            int status = 0;
            if (r->full) {
                status = -1;
                r->lost++;
                $full
                if ($drop)
                    return status;
                r->tail = (r->tail + 1) % $size;
            }
            r->cells[r->head] = ($kind)v;
            r->head = (r->head + 1) % $size;
            r->full = r->head == r->tail;
            return status;
        }
        $how bool ${t}_get(struct $t *r, int *v)
        {
            bool there = true;
            if (r->head == r->tail && !r->full) {
                there = false;
                *v = 0;
                $empty
            } else {
                *v = r->cells[r->tail];
                r->tail = (r->tail + 1) % $size;
                r->full = false;
            }
            return there;
        }
        $how int $name(int n, int every)
        {
            struct $t r = {{0}, 0, 0, false, 0};
            int sum = 0, bad = 0, v = 0;
            for (int i = 0; i < n; i++) {
                if (${t}_put(&r, i * $factor) < 0)
                    bad++;
                if (i % every == 0 && !${t}_get(&r, &v))
                    bad += 10;
                sum = (sum + v * (i + 1)) % 1000;
            }
            while (${t}_get(&r, &v))
                sum = (sum * 2 + v) % 1000;
            return sum + bad + r.lost;
        }""",
            t=t,
            kind=kind,
            size=size,
            how=writer.storage(),
            name=name,
            drop=ranged(scope, 0, 1),
            factor=writer.number(1, 20),
            **parts,
        )
    )
    register(writer, name, ((0, 12), (1, 5)), (-1200, 1300), 300)


@piece(1)
def tree(writer: Writer) -> None:
    """Write a binary tree in an array of nodes, by recursion."""
    t, name = writer.name("tree"), writer.name("use_tree")
    scope = writer.scope(result=None)
    scope.read_only("depth", 0, 20)
    body = lines(scope.inner(10, loop=False), writer.number(0, 3))
    writer.tops.append(
        fill(
            """struct $t { $kind key; short left, right; unsigned char balance : 3, deep : 5; };
        static struct $t ${t}_nodes[20];
        static short ${t}_count;
        $how short ${t}_add(short at, int key, int depth)
        {
            if (at < 0) {
                at = ${t}_count++;
                ${t}_nodes[at].key = ($kind)key;
                ${t}_nodes[at].left = ${t}_nodes[at].right = -1;
                ${t}_nodes[at].deep = (unsigned char)(depth & 31);
            } else if (key == ${t}_nodes[at].key) {
                ${t}_nodes[at].balance = (unsigned char)(${t}_nodes[at].balance + 1 & 7);
                $body
            } else if (key < ${t}_nodes[at].key)
                ${t}_nodes[at].left = ${t}_add(${t}_nodes[at].left, key, depth + 1);
            else {
                short right = ${t}_add(${t}_nodes[at].right, key, depth + 1);
                ${t}_nodes[at].right = right;
            }
            return at;
        }
        static int ${t}_walk(short at, int *last, bool *ordered)
        {
            int here;
            if (at < 0)
                return 0;
            here = ${t}_walk(${t}_nodes[at].left, last, ordered);
            if ($first && *last >= ${t}_nodes[at].key)
                *ordered = false;
            *last = (int)${t}_nodes[at].key;
            here += ${t}_nodes[at].deep * (1 + ${t}_nodes[at].balance);
            return here + ${t}_walk(${t}_nodes[at].right, last, ordered);
        }
        $how int $name(int n, int factor)
        {
            short root = -1;
            int last = -1000, sum;
            bool ordered = true;
            ${t}_count = 0;
            memset(${t}_nodes, 0, sizeof ${t}_nodes);
            for (int i = 0; i < n; i++)
                root = ${t}_add(root, i * factor % 17 - 5, 0);
            sum = ${t}_walk(root, &last, &ordered);
            return ordered ? sum + last : -1;
        }""",
            t=t,
            kind=writer.chance.choice(("int", "short", "long", "signed char")),
            how=writer.chance.choice(("static", "", "static __attribute__((noinline))")),
            body=body,
            name=name,
            first="*last > -1000",
        )
    )
    register(writer, name, ((0, 20), (1, 30)), (-1000, 2000), 900)
