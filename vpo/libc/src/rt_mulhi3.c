/* 16-bit multiplication, for machines without. */

#include "rt.h"

typedef uint16_t factor;
#define PRODUCT __mulhi3
#include "rt_product.h"
