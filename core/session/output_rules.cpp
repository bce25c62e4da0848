// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/output_rules.h"

#include <algorithm>
#include <string_view>

namespace fx {

namespace {

namespace fs = std::filesystem;

bool isBelow(const fs::path& place, const fs::path& folder) {
    return place.native().starts_with(folder.native() + '/');
}

bool isAtOrBelow(const fs::path& place, const fs::path& top) {
    return place == top || isBelow(place, top);
}

/// Writers cut off what is too long for the file system together with their ending.
constexpr size_t kNamedAfter = 200;

bool isNamedAfter(const fs::path& place, const fs::path& output) {
    if (place.parent_path() != output.parent_path())
        return false;
    const std::string name = place.filename().string(),
                      wanted = output.filename().string().substr(0, kNamedAfter);
    return name.starts_with(wanted) || name.starts_with('.' + wanted);
}

/// False in the file systems by which the kernel tells of processes, devices and itself.
bool isOrdinary(const fs::path& place) {
    return isBelow(place, "/dev/shm") ||
           !(isAtOrBelow(place, "/proc") || isAtOrBelow(place, "/sys") || isAtOrBelow(place, "/dev"));
}

/// True for names of files and folders that a writer had not finished when it was killed.
bool isUnfinished(std::string_view name) {
    constexpr std::string_view kMark = ".fxscope-part-";
    const size_t mark = name.rfind(kMark);
    return mark != std::string_view::npos && mark > 0 &&
           name.substr(mark + kMark.size()).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// True for the names of folders that torch::inductor::AOTIModelPackageLoader makes by mkdtemp.
bool isTemporaryName(std::string_view name) {
    return name.starts_with("aotinductor_");
}

} // namespace

fs::path OutputRules::placeOf(const fs::path& path) {
    std::error_code fault;
    fs::path whole = fs::absolute(path, fault).lexically_normal();
    if (!whole.has_filename()) // it ended in a slash
        whole = whole.parent_path();
    const fs::path folder = fs::weakly_canonical(whole.parent_path(), fault);
    return fault ? fs::path() : folder / whole.filename();
}

fs::path OutputRules::targetOf(fs::path place) {
    constexpr int kMostLinks = 40; // as many as Linux follows
    std::error_code fault;
    for (int i = 0; i < kMostLinks && fs::is_symlink(place, fault); ++i)
        place = placeOf(place.parent_path() / fs::read_symlink(place, fault));
    return place;
}

void OutputRules::addOutput(const std::string& path) {
    const fs::path place = placeOf(path);
    if (place.empty() || !place.has_filename())
        return;
    m_outputs.push_back(place);
    // Writers replace what a link points to.
    if (const fs::path target = targetOf(place); target != place)
        m_outputs.push_back(target);
}

OutputRules::Right OutputRules::rightOn(const fs::path& place) const {
    if (place.empty())
        return Right::None;
    const auto covers = [&](const fs::path& top) { return isAtOrBelow(place, top); };
    if (std::ranges::any_of(m_outputs, covers) || std::ranges::any_of(m_fresh, covers))
        return Right::Change;
    const auto leadsTo = [&](const fs::path& output) {
        return isNamedAfter(place, output) || isBelow(output, place); // a folder that is missing
    };
    std::error_code fault;
    const bool isTemporary =
        m_hasTemporaryFolders && isTemporaryName(place.filename().string()) &&
        place.parent_path() == placeOf(fs::temp_directory_path(fault) / "any").parent_path();
    return isTemporary || std::ranges::any_of(m_outputs, leadsTo) ? Right::Create : Right::None;
}

bool OutputRules::mayRemove(const fs::path& place) const {
    return rightOn(place) == Right::Change || std::ranges::any_of(m_outputs, [&](const fs::path& output) {
               const fs::path below = place.lexically_relative(output.parent_path());
               return !below.empty() && isUnfinished(below.begin()->string());
           });
}

bool OutputRules::mayOpen(const fs::path& place) const {
    return m_devices.contains(place) || (m_hasAllFiles && !place.empty() && isOrdinary(place));
}

} // namespace fx
