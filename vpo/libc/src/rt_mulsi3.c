/* 32-bit multiplication, for machines without. */

#include "rt.h"

typedef uint32_t factor;
#define PRODUCT __mulsi3
#include "rt_product.h"
