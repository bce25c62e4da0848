// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/confine.h"

#include "core/base/memory_use.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#ifdef FXSCOPE_HAS_SECCOMP
#include "core/process/system_calls.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#endif

namespace fx {

namespace {

void setLimit(__rlimit_resource_t what, uint64_t most) {
    rlimit limit{most, most};
    rlimit now{};
    if (::getrlimit(what, &now) == 0 && now.rlim_max != RLIM_INFINITY)
        limit.rlim_cur = limit.rlim_max = std::min<uint64_t>(most, now.rlim_max);
    ::setrlimit(what, &limit);
}

#ifdef FXSCOPE_HAS_SECCOMP

/// False where the kernel has no seccomp.
bool filterCalls() {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return false;
    // A call that another architecture has and this one not is no fault.
    for (const int call : kComputingCalls)
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
    // Files for reading only; openat2 keeps its flags where no filter sees them.
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
                     SCMP_A1(SCMP_CMP_MASKED_EQ, kWritingFlags, 0));
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                     SCMP_A2(SCMP_CMP_MASKED_EQ, kWritingFlags, 0));
    // Threads, and no other processes. The flags of clone3 are hidden too; without it glibc takes clone.
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                     SCMP_A0(SCMP_CMP_MASKED_EQ, kThreadFlags, kThreadFlags));
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    // abort() raises its signal so.
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                     SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid()), 0));
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME, 0));
    // Of its own threads.
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sched_setaffinity), 1, SCMP_A0(SCMP_CMP_EQ, 0, 0));
    // Asking for a limit, not setting one.
    seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_EQ, 0, 0));
    for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC})
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                         SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command), 0));
    const bool isLoaded = seccomp_load(filter) == 0;
    seccomp_release(filter);
    return isLoaded;
}

#else

bool filterCalls() {
    return false;
}

#endif

} // namespace

void confineThisProcess(const OpeningLimits& limits, uint64_t fileBytes) {
    // Stands behind the counts of tensors and of Python's values: room for both, for copies of the files'
    // data, and for what threads and allocators reserve.
    constexpr uint64_t kReserve = 3ull << 30;
    setLimit(RLIMIT_AS, addressSpaceBytes() + 2 * limits.bytes + 3 * fileBytes + kReserve);
    setLimit(RLIMIT_CORE, 0);
    const uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
    setLimit(RLIMIT_CPU, static_cast<uint64_t>(limits.time.count()) * cores + 5);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    filterCalls();
}

bool hasSeccomp() {
#ifdef FXSCOPE_HAS_SECCOMP
    const uint32_t action = SECCOMP_RET_ERRNO;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return false;
#endif
}

std::string confinementText() {
#ifdef FXSCOPE_HAS_SECCOMP
    return hasSeccomp()
               ? "seccomp, resource limits"
               : "resource limits only: this kernel has no seccomp, so a model's code that breaks out of the "
                 "evaluator could write files";
#else
    return "resource limits only: this build has no libseccomp, so a model's code that breaks out of the "
           "evaluator "
           "could write files";
#endif
}

} // namespace fx
