// SPDX-License-Identifier: GPL-3.0-or-later
// What a pass has left as it was, and why: one line for each reason, for who asked for the pass.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fx {

class LeftAlone {
public:
    /// `what` has become of them, in other words for a pass that may do something else with them.
    explicit LeftAlone(std::string what = "left alone") : m_what(std::move(what)) {}
    /// "in training mode", "bn1".
    void add(const std::string& reason, const std::string& node) { m_nodes[reason].push_back(node); }
    /// Adds a line for each reason: "2 left alone, in training mode: bn1, bn2"; of many the first few.
    void tellIn(std::vector<std::string>& results) const;

private:
    std::string m_what;
    std::map<std::string, std::vector<std::string>> m_nodes;
};

} // namespace fx
