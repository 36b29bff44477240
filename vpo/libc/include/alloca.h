/* Memory that lives as long as the function that asks for it. */
#ifndef _ALLOCA_H
#define _ALLOCA_H

#define alloca(size) __builtin_alloca(size)

#endif
