// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/output_rules.h"

#include "core/base/temporary_entry.h"

#include <algorithm>
#include <string_view>

namespace fx {

namespace {

namespace fs = std::filesystem;

bool isUnder(const fs::path& place, const fs::path& folder) {
    return place.native().starts_with(folder.native() + '/');
}

bool isAtOrUnder(const fs::path& place, const fs::path& top) {
    return place == top || isUnder(place, top);
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
    return isUnder(place, "/dev/shm") ||
           !(isAtOrUnder(place, "/proc") || isAtOrUnder(place, "/sys") || isAtOrUnder(place, "/dev"));
}

/// True for the names of folders that torch::inductor::AOTIModelPackageLoader makes by mkdtemp.
bool isTemporaryName(std::string_view name) {
    return name.starts_with("aotinductor_");
}

} // namespace

fs::path OutputRules::placeOf(const fs::path& path) {
    std::error_code fault;
    // Links first: "link/.." is not the folder in which the link lies.
    const fs::path whole = fs::absolute(path, fault), name = whole.filename();
    if (name.empty() || name == "." || name == "..") { // which lead through a link before them
        const fs::path out = fs::weakly_canonical(whole, fault);
        return fault ? fs::path() : (out / "").parent_path();
    }
    const fs::path folder = fs::weakly_canonical(whole.parent_path(), fault);
    return fault ? fs::path() : folder / name;
}

fs::path OutputRules::targetOf(const fs::path& place) {
    return linkTarget(place.string());
}

void OutputRules::addOutput(const std::string& path) {
    // Writers replace what a link points to.
    const fs::path target = linkTarget(path), place = placeOf(path);
    if (!target.has_filename() || !place.has_filename())
        return;
    removeLeftovers(target.string());
    m_outputs.push_back(target);
    if (place != target)
        m_outputs.push_back(place);
}

OutputRules::Right OutputRules::rightOn(const fs::path& place) const {
    if (place.empty())
        return Right::None;
    const auto covers = [&](const fs::path& top) { return isAtOrUnder(place, top); };
    if (std::ranges::any_of(m_outputs, covers) || std::ranges::any_of(m_fresh, covers))
        return Right::Change;
    const auto leadsTo = [&](const fs::path& output) {
        return isNamedAfter(place, output) || isUnder(output, place); // a folder that is missing
    };
    std::error_code fault;
    const bool isTemporary =
        m_hasTemporaryFolders && isTemporaryName(place.filename().string()) &&
        place.parent_path() == placeOf(fs::temp_directory_path(fault) / "any").parent_path();
    return isTemporary || std::ranges::any_of(m_outputs, leadsTo) ? Right::Create : Right::None;
}

bool OutputRules::mayOpen(const fs::path& place) const {
    return m_devices.contains(place) || (m_hasAllFiles && !place.empty() && isOrdinary(place));
}

} // namespace fx
