// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory_use.h"

#include <cstdio>
#include <unistd.h>

namespace fx {

namespace {

struct Pages {
    unsigned long all = 0, resident = 0, shared = 0;
};

Pages pagesNow() {
    Pages out;
    if (FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%lu %lu %lu", &out.all, &out.resident, &out.shared) != 3)
            out = {};
        std::fclose(file);
    }
    return out;
}

uint64_t bytesOf(unsigned long pages) {
    return uint64_t(pages) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

uint64_t addressSpaceBytes() {
    return bytesOf(pagesNow().all);
}

uint64_t residentBytes() {
    return bytesOf(pagesNow().resident);
}

uint64_t ownBytes() {
    const Pages now = pagesNow();
    return bytesOf(now.resident - now.shared);
}

uint64_t machineBytes() {
    return bytesOf(static_cast<unsigned long>(::sysconf(_SC_PHYS_PAGES)));
}

} // namespace fx
