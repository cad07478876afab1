// Failed checks are counted, and the first ones printed.
#pragma once

#include <cstdio>

static int failures = 0;
#define CHECK(condition)                                                     \
    do {                                                                     \
        if (!(condition)) {                                                  \
            if (failures++ < 10) printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                    \
    } while (0)
