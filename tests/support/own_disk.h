// SPDX-License-Identifier: GPL-3.0-or-later
// A disk in memory that only this process sees, which a test may fill up or make one that can only be read.
#pragma once

#include <cstdint>
#include <string>

namespace fx {

class OwnDisk {
public:
    /// Makes it, where the process may. To be called before there are threads.
    static void make();
    static void remove();
    /// Empty where there is none.
    static const std::string& path() { return s_path; }
    /// A template of QTemporaryDir; on the disk if there is one, as syncing a real one takes long.
    static std::string place();

    /// Deletes what is on it.
    static void clear();
    static bool resize(uint64_t bytes);
    static bool setReadOnly(bool isReadOnly);
    static uint64_t usedBytes();

    static constexpr uint64_t kWholeSize = uint64_t(64) << 20;
    static constexpr uint64_t kPage = 4096; ///< sizes are multiples of it

private:
    static inline std::string s_path;
};

} // namespace fx
