// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/confine_run.h"

#include "core/base/error.h"
#include "core/interpret/compiled_folder.h"
#include "core/open/python_starter.h"
#include "core/process/confine.h"
#include "core/process/write_guard.h"

#include <ATen/Context.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#ifdef FXSCOPE_HAS_SECCOMP
#include "core/process/guarded_call.h"
#include "core/process/system_calls.h"

#include <cerrno>
#include <csignal>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#endif

namespace fx {

namespace {

#ifdef FXSCOPE_HAS_SECCOMP

/// System calls that a run makes beside computing (system_calls.h). Each is of no use without a descriptor
/// that the process has already, or concerns the process and its children alone.
constexpr int kRunCalls[] = {
    // Files that are open: what writers and readers of tensors do with them.
    SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(fallocate), SCMP_SYS(fadvise64), SCMP_SYS(readahead),
    SCMP_SYS(sendfile), SCMP_SYS(copy_file_range), SCMP_SYS(preadv), SCMP_SYS(pwritev), SCMP_SYS(dup),
    SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(flock), SCMP_SYS(close_range),
    // A worker's socket, which it has from the program that it works for. There is no call for a new one.
    SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg), SCMP_SYS(shutdown),
    SCMP_SYS(getsockopt), SCMP_SYS(select), SCMP_SYS(pselect6),
    // Memory that is shared between a process and its children. A program cannot be started from it.
    SCMP_SYS(memfd_create), SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(eventfd2), SCMP_SYS(mlock),
    SCMP_SYS(munlock),
    // Signals that the process receives.
    SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(rt_sigsuspend), SCMP_SYS(pause),
    SCMP_SYS(alarm), SCMP_SYS(getpgrp), SCMP_SYS(getpgid), SCMP_SYS(getsid)};

/// Those of a process that opens models with code, each in a child, which has a filter of its own in addition
/// (confine.h).
constexpr int kParentCalls[] = {SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(wait4), SCMP_SYS(waitid),
                                SCMP_SYS(seccomp)};

/// Namespaces in which a process would have other rights.
constexpr unsigned kNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// Requests of NVIDIA's drivers: those of nvidia.ko have the type 'F', those of nvidia-uvm.ko are plain
/// numbers.
constexpr scmp_datum_t kRequestType = 0xff00, kNvidiaType = 'F' << 8, kUvmNumbers = 0xff;
constexpr scmp_datum_t kUvmInitialize = 0x30000001, kUvmDeinitialize = 0x30000002;

scmp_arg_cmp isMasked(unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
    return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

scmp_arg_cmp isEqual(unsigned argument, scmp_datum_t value) {
    return {argument, SCMP_CMP_EQ, value, 0};
}

struct Filter {
    explicit Filter(uint32_t otherwise) : context(seccomp_init(otherwise)) {}
    ~Filter() { seccomp_release(context); }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    /// A call that this architecture lacks needs no rule.
    template <class... Conditions>
    void add(uint32_t action, int call, Conditions... conditions) {
        seccomp_rule_add(context, action, call, sizeof...(conditions), conditions...);
    }

    scmp_filter_ctx context;
};

void addProcessRules(Filter& filter, bool opensModels) {
    // One that has no children leaves none behind when it dies.
    const unsigned wanted = opensModels ? 0 : kThreadFlags;
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(clone), isMasked(0, kNamespaces | wanted, wanted));
    if (opensModels)
        for (const int call : kParentCalls)
            filter.add(SCMP_ACT_ALLOW, call);
    // A filter does not see its flags; without it glibc takes clone.
    filter.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
    // Not PR_SET_PTRACER, and nothing that gives rights.
    for (const int option : {PR_SET_NAME, PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_DUMPABLE,
                             PR_SET_SECCOMP, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS})
        filter.add(SCMP_ACT_ALLOW, SCMP_SYS(prctl), isEqual(0, static_cast<scmp_datum_t>(option)));
    // Its own threads may be on some cores alone; who names another process is refused.
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(sched_setaffinity), isEqual(0, 0));
    // Its own limits.
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), isEqual(0, 0));
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(setrlimit));
    for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD, F_DUPFD_CLOEXEC, F_ADD_SEALS,
                              F_GET_SEALS, F_GETLK, F_SETLK, F_GETLEASE, F_SETLEASE})
        filter.add(SCMP_ACT_ALLOW, SCMP_SYS(fcntl), isEqual(1, static_cast<scmp_datum_t>(command)));
    // Whether a descriptor is a terminal, how wide it is, and how much can be read; no input for it
    // (TIOCSTI).
    for (const unsigned request : {TCGETS, TIOCGWINSZ, FIONREAD})
        filter.add(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), isEqual(1, request));
}

/// `change`: the action for calls that change files.
void addFileRules(Filter& filter, uint32_t change) {
    for (const auto& [call, flags] : {std::pair{SCMP_SYS(open), 1u}, std::pair{SCMP_SYS(openat), 2u}}) {
        filter.add(SCMP_ACT_ALLOW, call, isMasked(flags, kWritingFlags, 0));
        // Each flag by itself, as a filter has no "not equal" for a mask.
        if (change != SCMP_ACT_ERRNO(EPERM))
            for (unsigned flag = 1; flag != 0; flag <<= 1)
                if (flag & kWritingFlags)
                    filter.add(change, call, isMasked(flags, flag, flag));
    }
    if (change != SCMP_ACT_ERRNO(EPERM))
        for (const int call : guardedCalls())
            if (call != SCMP_SYS(kill) && call != SCMP_SYS(tgkill))
                filter.add(change, call);
}

void addCudaRules(Filter& filter) {
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), isMasked(1, kRequestType, kNvidiaType));
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), isMasked(1, ~kUvmNumbers, 0));
    for (const scmp_datum_t request : {kUvmInitialize, kUvmDeinitialize})
        filter.add(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), isEqual(1, request));
}

/// `hasGuard`: what the guard may allow is handed to it. Returns the descriptor of its notifications, -1
/// where there is none; nothing where the kernel does not take the filter.
std::optional<int> loadFilter(const RunPermissions& permissions, bool hasGuard) {
    Filter filter(SCMP_ACT_ERRNO(EPERM));
    if (!filter.context)
        return std::nullopt;
    seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_TSYNC, 1);
    seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_OPTIMIZE, 2); // a binary tree
    for (const int call : kComputingCalls)
        filter.add(SCMP_ACT_ALLOW, call);
    for (const int call : kRunCalls)
        filter.add(SCMP_ACT_ALLOW, call);
    addProcessRules(filter, permissions.opensModels);
    // Without a guard all files are open to a process that has to write one.
    const bool mayWrite = permissions.areFilesAllowed || !permissions.outputs.empty() ||
                          permissions.furtherOutputs >= 0 || permissions.compiles ||
                          permissions.startsPython || permissions.usesCuda;
    addFileRules(filter, hasGuard ? SCMP_ACT_NOTIFY : mayWrite ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM));
    const auto self = static_cast<scmp_datum_t>(::getpid());
    for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)})
        if (hasGuard)
            filter.add(SCMP_ACT_NOTIFY, call);
        else
            filter.add(SCMP_ACT_ALLOW, call, isEqual(0, self));
    if (permissions.usesCuda)
        addCudaRules(filter);
    if (seccomp_load(filter.context) != 0)
        return std::nullopt;
    return hasGuard ? seccomp_notify_fd(filter.context) : -1;
}

/// Version of libseccomp's interface from which notifications go together with filters for all threads.
constexpr unsigned kNotifyingApi = 6;

OutputRules rulesFor(const RunPermissions& permissions) {
    OutputRules out;
    for (const std::string& output : permissions.outputs)
        out.addOutput(output);
    out.addDevice("/dev/null");
    if (permissions.areFilesAllowed)
        out.addAllFiles();
    std::error_code fault;
    if (permissions.usesCuda)
        for (const char* folder : {"/dev", "/dev/nvidia-caps"})
            for (std::filesystem::directory_iterator at(folder, fault), end; !fault && at != end;
                 at.increment(fault))
                if (at->path().filename().string().starts_with("nvidia"))
                    out.addDevice(at->path());
    try {
        const std::string packages = compiledPackageFolder();
        const bool compiles = permissions.compiles || permissions.startsPython;
        if (compiles)
            out.addOutput(packages);
        // LibTorch unpacks a package before it loads it.
        if (compiles || std::filesystem::exists(packages, fault))
            out.addTemporaryFolders();
    } catch (const Error&) { // there is no cache
    }
    if (permissions.startsPython)
        out.addOutput((std::filesystem::temp_directory_path(fault) / kCompilerFolder).string());
    return out;
}

/// False where nothing keeps the process to its outputs.
bool filterRuns(const RunPermissions& permissions) {
    OutputRules rules = rulesFor(permissions);
    if (seccomp_api_get() >= kNotifyingApi) {
        WriteGuard guard(std::move(rules), permissions.furtherOutputs);
        if (guard.isReady())
            if (const std::optional<int> listener = loadFilter(permissions, true)) {
                if (!guard.take(*listener))
                    throw Error("", "the process that writes files for the one that runs graphs has ended");
                return true;
            }
    }
    if (!loadFilter(permissions, false) && hasSeccomp())
        throw Error("", "the process that is to run graphs cannot be confined");
    return false;
}

#else

bool filterRuns(const RunPermissions&) {
    return false;
}

#endif

/// The words of a worker's command line.
constexpr std::pair<const char*, bool RunPermissions::*> kPermissionWords[] = {
    {"--files", &RunPermissions::areFilesAllowed},
    {"--cuda", &RunPermissions::usesCuda},
    {"--compiles", &RunPermissions::compiles},
    {"--python", &RunPermissions::startsPython},
};

} // namespace

void RunPermissions::addDevice(const std::string& device) {
    usesCuda |= device.starts_with("cuda");
}

void RunPermissions::addPass(const RecipeStep& step) {
    compiles |= step.pass == "lower";
    startsPython |= fx::startsPython(step);
}

bool RunPermissions::suit(const RunPermissions& needed) const {
    return areFilesAllowed == needed.areFilesAllowed &&
           std::ranges::all_of(kPermissionWords, [&](const auto& word) {
               return this->*word.second || !(needed.*word.second);
           });
}

std::vector<std::string> RunPermissions::workerWords() const {
    std::vector<std::string> out{"run"};
    for (const auto& [word, isAllowed] : kPermissionWords)
        if (this->*isAllowed)
            out.push_back(word);
    return out;
}

void RunPermissions::addWord(const std::string& given) {
    for (const auto& [word, isAllowed] : kPermissionWords)
        if (given == word)
            this->*isAllowed = true;
}

RunPermissions permissionsFor(const RunRequest& request) {
    RunPermissions out;
    out.areFilesAllowed = request.isOutsideAllowed;
    out.addDevice(request.device);
    return out;
}

bool confineRuns(const RunPermissions& permissions) {
    static bool isConfined = false, areOutputsKept = false;
    if (std::exchange(isConfined, true))
        return areOutputsKept;
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    // The driver is started while the process may do everything.
    if (permissions.usesCuda && at::hasCUDA())
        at::globalContext().lazyInitDevice(at::kCUDA);
    if (permissions.startsPython)
        preparePython();
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    areOutputsKept = filterRuns(permissions);
    return areOutputsKept;
}

} // namespace fx
