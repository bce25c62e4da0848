// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into Python by try_operators.py: the memory of tensors ends at a page that nothing may touch,
// with another one before it, and is checked for what was written beside it when it is freed. A fault is told
// on stderr.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { kPage = 4096, kFill = 0xA5, kAlignment = 64, kGrain = 16 };
static const size_t kSpace = (size_t)1 << 43;
static const size_t kLargest = (size_t)1 << 30;

/// At the page two before the memory, which begins in the middle of its first page and ends with its last.
struct Header {
    size_t size;
    char *first, *data, *end;
};

static char *space, *next;
static int lock, isOn;

static void tell(const char* what, long number) {
    char text[120];
    const int length = snprintf(text, sizeof text, "FAULT %s %ld\n", what, number);
    if (write(2, text, (size_t)length) < 0)
        abort();
}

static void onSignal(int number, siginfo_t* info, void* context) {
    const uintptr_t address = (uintptr_t)info->si_addr;
    const int isWrite = (int)(((ucontext_t*)context)->uc_mcontext.gregs[REG_ERR] & 2);
    if (number == SIGFPE)
        tell("arithmetic", 0);
    else if (address < 65536)
        tell("null", (long)address);
    else
        tell(isWrite ? "write outside" : "read outside", (long)address);
    signal(number, SIG_DFL);
    raise(number);
}

/// Called in each child, which begins to guard its memory.
void guardMemory(void) {
    static char stack[65536];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    action.sa_sigaction = onSignal;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    isOn = 1;
}

static int guarded(void** out, size_t size) {
    if (size > kLargest)
        return ENOMEM;
    while (__sync_lock_test_and_set(&lock, 1)) {
    }
    if (!space)
        next = space = mmap(NULL, kSpace, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
        abort();
    const size_t bytes = (size + kGrain - 1) / kGrain * kGrain;
    const size_t pages = (bytes + kPage - 1) / kPage * kPage;
    char* header = next;
    next += pages + (size_t)3 * kPage;
    __sync_lock_release(&lock);
    char* first = header + (size_t)2 * kPage;
    if (next > space + kSpace || mprotect(header, kPage, PROT_READ | PROT_WRITE) ||
        mprotect(first, pages, PROT_READ | PROT_WRITE))
        return ENOMEM;
    memset(first, kFill, pages);
    struct Header* about = (struct Header*)header;
    *about = (struct Header){size, first, first + pages - bytes, first + pages};
    *out = about->data;
    return 0;
}

/// What LibTorch allocates tensors with.
int posix_memalign(void** out, size_t alignment, size_t size) {
    static void* (*plain)(size_t, size_t);
    if (isOn && alignment == kAlignment && size > 0)
        return guarded(out, size);
    if (!plain)
        plain = (void* (*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
    *out = plain(alignment, size ? (size + alignment - 1) / alignment * alignment : alignment);
    return *out ? 0 : ENOMEM;
}

void free(void* memory) {
    static void (*plain)(void*);
    char* data = memory;
    if (space && data >= space && data < space + kSpace) {
        char* header = (char*)((uintptr_t)data & ~(uintptr_t)(kPage - 1)) - (size_t)2 * kPage;
        const struct Header about = *(struct Header*)header;
        for (char* at = about.first; at < about.end; ++at)
            if ((at < about.data || at >= about.data + about.size) && (unsigned char)*at != kFill) {
                tell("wrote beside", at - about.data);
                abort();
            }
        mmap(header, (size_t)(about.end - header), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        return;
    }
    if (!plain)
        plain = (void (*)(void*))dlsym(RTLD_NEXT, "free");
    plain(memory);
}
