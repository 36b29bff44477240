#ifndef _SYS_QUEUE_H
#define _SYS_QUEUE_H
/* Lists and queues of BSD: S single links, LIST double links; STAILQ and TAILQ know their ends. */
#include <stddef.h>

#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { NULL }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_INIT(head) ((head)->slh_first = NULL)
#define SLIST_EMPTY(head) ((head)->slh_first == NULL)
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(item, field) ((item)->field.sle_next)
#define SLIST_FOREACH(item, head, field) for ((item) = SLIST_FIRST(head); (item); (item) = SLIST_NEXT(item, field))
#define SLIST_INSERT_HEAD(head, item, field) \
    do { \
        (item)->field.sle_next = (head)->slh_first; \
        (head)->slh_first = (item); \
    } while (0)
#define SLIST_INSERT_AFTER(before, item, field) \
    do { \
        (item)->field.sle_next = (before)->field.sle_next; \
        (before)->field.sle_next = (item); \
    } while (0)
#define SLIST_REMOVE_HEAD(head, field) ((head)->slh_first = (head)->slh_first->field.sle_next)
#define SLIST_REMOVE(head, item, type, field) \
    do { \
        struct type **link_ = &(head)->slh_first; \
        while (*link_ != (item)) \
            link_ = &(*link_)->field.sle_next; \
        *link_ = (item)->field.sle_next; \
    } while (0)

#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { NULL }
#define LIST_ENTRY(type) struct { struct type *le_next, **le_prev; }
#define LIST_INIT(head) ((head)->lh_first = NULL)
#define LIST_EMPTY(head) ((head)->lh_first == NULL)
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(item, field) ((item)->field.le_next)
#define LIST_FOREACH(item, head, field) for ((item) = LIST_FIRST(head); (item); (item) = LIST_NEXT(item, field))
#define LIST_INSERT_HEAD(head, item, field) \
    do { \
        if (((item)->field.le_next = (head)->lh_first) != NULL) \
            (head)->lh_first->field.le_prev = &(item)->field.le_next; \
        (head)->lh_first = (item); \
        (item)->field.le_prev = &(head)->lh_first; \
    } while (0)
#define LIST_INSERT_AFTER(before, item, field) \
    do { \
        if (((item)->field.le_next = (before)->field.le_next) != NULL) \
            (before)->field.le_next->field.le_prev = &(item)->field.le_next; \
        (before)->field.le_next = (item); \
        (item)->field.le_prev = &(before)->field.le_next; \
    } while (0)
#define LIST_INSERT_BEFORE(behind, item, field) \
    do { \
        (item)->field.le_prev = (behind)->field.le_prev; \
        (item)->field.le_next = (behind); \
        *(behind)->field.le_prev = (item); \
        (behind)->field.le_prev = &(item)->field.le_next; \
    } while (0)
#define LIST_REMOVE(item, field) \
    do { \
        if ((item)->field.le_next != NULL) \
            (item)->field.le_next->field.le_prev = (item)->field.le_prev; \
        *(item)->field.le_prev = (item)->field.le_next; \
    } while (0)

#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first, **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { NULL, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_INIT(head) ((head)->stqh_first = NULL, (head)->stqh_last = &(head)->stqh_first)
#define STAILQ_EMPTY(head) ((head)->stqh_first == NULL)
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_NEXT(item, field) ((item)->field.stqe_next)
#define STAILQ_FOREACH(item, head, field) for ((item) = STAILQ_FIRST(head); (item); (item) = STAILQ_NEXT(item, field))
#define STAILQ_INSERT_HEAD(head, item, field) \
    do { \
        if (((item)->field.stqe_next = (head)->stqh_first) == NULL) \
            (head)->stqh_last = &(item)->field.stqe_next; \
        (head)->stqh_first = (item); \
    } while (0)
#define STAILQ_INSERT_TAIL(head, item, field) \
    do { \
        (item)->field.stqe_next = NULL; \
        *(head)->stqh_last = (item); \
        (head)->stqh_last = &(item)->field.stqe_next; \
    } while (0)
#define STAILQ_REMOVE_HEAD(head, field) \
    do { \
        if (((head)->stqh_first = (head)->stqh_first->field.stqe_next) == NULL) \
            (head)->stqh_last = &(head)->stqh_first; \
    } while (0)

#define STAILQ_INSERT_AFTER(head, before, item, field) \
    do { \
        if (((item)->field.stqe_next = (before)->field.stqe_next) == NULL) \
            (head)->stqh_last = &(item)->field.stqe_next; \
        (before)->field.stqe_next = (item); \
    } while (0)
#define STAILQ_REMOVE(head, item, type, field) \
    do { \
        struct type **link_ = &(head)->stqh_first; \
        while (*link_ != (item)) \
            link_ = &(*link_)->field.stqe_next; \
        if ((*link_ = (item)->field.stqe_next) == NULL) \
            (head)->stqh_last = link_; \
    } while (0)
#define STAILQ_CONCAT(head, more) \
    do { \
        if (!STAILQ_EMPTY(more)) { \
            *(head)->stqh_last = (more)->stqh_first; \
            (head)->stqh_last = (more)->stqh_last; \
            STAILQ_INIT(more); \
        } \
    } while (0)

#define SIMPLEQ_HEAD(name, type) struct name { struct type *stqh_first, **stqh_last; }
#define SIMPLEQ_HEAD_INITIALIZER STAILQ_HEAD_INITIALIZER
#define SIMPLEQ_ENTRY STAILQ_ENTRY
#define SIMPLEQ_INIT STAILQ_INIT
#define SIMPLEQ_EMPTY STAILQ_EMPTY
#define SIMPLEQ_FIRST STAILQ_FIRST
#define SIMPLEQ_NEXT STAILQ_NEXT
#define SIMPLEQ_FOREACH STAILQ_FOREACH
#define SIMPLEQ_INSERT_HEAD STAILQ_INSERT_HEAD
#define SIMPLEQ_INSERT_TAIL STAILQ_INSERT_TAIL
#define SIMPLEQ_REMOVE_HEAD STAILQ_REMOVE_HEAD
#define SIMPLEQ_INSERT_AFTER STAILQ_INSERT_AFTER
#define SIMPLEQ_REMOVE STAILQ_REMOVE

#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first, **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { NULL, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next, **tqe_prev; }
#define TAILQ_INIT(head) ((head)->tqh_first = NULL, (head)->tqh_last = &(head)->tqh_first)
#define TAILQ_EMPTY(head) ((head)->tqh_first == NULL)
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_NEXT(item, field) ((item)->field.tqe_next)
/* The last item's link, seen as the head of a queue: its second member points at the link before. */
#define TAILQ_LAST(head, name) (*(((struct name *)((head)->tqh_last))->tqh_last))
#define TAILQ_PREV(item, name, field) (*(((struct name *)((item)->field.tqe_prev))->tqh_last))
#define TAILQ_FOREACH(item, head, field) for ((item) = TAILQ_FIRST(head); (item); (item) = TAILQ_NEXT(item, field))
#define TAILQ_FOREACH_REVERSE(item, head, name, field) \
    for ((item) = TAILQ_LAST(head, name); (item); (item) = TAILQ_PREV(item, name, field))
#define TAILQ_INSERT_HEAD(head, item, field) \
    do { \
        if (((item)->field.tqe_next = (head)->tqh_first) != NULL) \
            (head)->tqh_first->field.tqe_prev = &(item)->field.tqe_next; \
        else \
            (head)->tqh_last = &(item)->field.tqe_next; \
        (head)->tqh_first = (item); \
        (item)->field.tqe_prev = &(head)->tqh_first; \
    } while (0)
#define TAILQ_INSERT_TAIL(head, item, field) \
    do { \
        (item)->field.tqe_next = NULL; \
        (item)->field.tqe_prev = (head)->tqh_last; \
        *(head)->tqh_last = (item); \
        (head)->tqh_last = &(item)->field.tqe_next; \
    } while (0)
#define TAILQ_INSERT_AFTER(head, before, item, field) \
    do { \
        if (((item)->field.tqe_next = (before)->field.tqe_next) != NULL) \
            (item)->field.tqe_next->field.tqe_prev = &(item)->field.tqe_next; \
        else \
            (head)->tqh_last = &(item)->field.tqe_next; \
        (before)->field.tqe_next = (item); \
        (item)->field.tqe_prev = &(before)->field.tqe_next; \
    } while (0)
#define TAILQ_INSERT_BEFORE(behind, item, field) \
    do { \
        (item)->field.tqe_prev = (behind)->field.tqe_prev; \
        (item)->field.tqe_next = (behind); \
        *(behind)->field.tqe_prev = (item); \
        (behind)->field.tqe_prev = &(item)->field.tqe_next; \
    } while (0)
#define TAILQ_REMOVE(head, item, field) \
    do { \
        if ((item)->field.tqe_next != NULL) \
            (item)->field.tqe_next->field.tqe_prev = (item)->field.tqe_prev; \
        else \
            (head)->tqh_last = (item)->field.tqe_prev; \
        *(item)->field.tqe_prev = (item)->field.tqe_next; \
    } while (0)
#define TAILQ_CONCAT(head, other, field) \
    do { \
        if (!TAILQ_EMPTY(other)) { \
            *(head)->tqh_last = (other)->tqh_first; \
            (other)->tqh_first->field.tqe_prev = (head)->tqh_last; \
            (head)->tqh_last = (other)->tqh_last; \
            TAILQ_INIT(other); \
        } \
    } while (0)
#endif
