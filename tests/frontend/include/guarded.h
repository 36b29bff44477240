#ifndef GUARDED_H
#define GUARDED_H
GUARDED(4)
#endif
