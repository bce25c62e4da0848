// SPDX-License-Identifier: GPL-3.0-or-later
// The tracebacks that nodes have in their meta. The calls that a loop makes at one place share one text.
#pragma once

#include "core/ir/meta.h"
#include "core/python/frames.h"

#include <map>
#include <string>
#include <unordered_map>

namespace fx {

class StackTraces {
public:
    /// Python's traceback of where the program is, the innermost call last, without what is no user's source.
    SharedMeta current(const Frames& frames);
    void clear();
    /// The same of an error's way.
    static SharedMeta textOf(const Frames::Trace& trace);

private:
    struct PlacesHash {
        size_t operator()(const Frames::Places& places) const;
    };
    std::unordered_map<Frames::Places, SharedMeta, PlacesHash> m_known;
    std::map<Frames::Places::value_type, std::string> m_frameTexts; ///< of which those are made
    Frames::Places m_places;                                        ///< of the one that is asked for
};

} // namespace fx
