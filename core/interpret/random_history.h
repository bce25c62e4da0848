// SPDX-License-Identifier: GPL-3.0-or-later
// How the generators of random numbers stood before each node of a run, so that a node that runs again draws
// the numbers that it drew. A state is some 5 KB, so it is looked at only where it may have become another.
#pragma once

#include "core/interpret/debug_types.h"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <map>
#include <optional>
#include <vector>

namespace fx {

class RandomHistory {
public:
    /// `device`: what the run computes on, beside the processor.
    explicit RandomHistory(std::optional<c10::Device> device);

    /// The node is about to run. True if numbers have been drawn since the last time.
    bool note(NodeRef node, bool mayDraw);
    /// The run is over. True as for note().
    bool settle();
    /// Somebody else may have drawn.
    void disturb() { m_isKnown = false; }
    /// The generators as they stood before the node ran last; as they are if it has not run.
    void restore(NodeRef node);
    /// The generators as they stood when the run was over.
    void restoreLast();

private:
    bool look();
    void restore(size_t state);

    std::vector<at::Generator> m_generators;
    std::vector<std::vector<at::Tensor>> m_states; ///< each other than the one before
    std::map<ModuleId, std::vector<size_t>>
        m_before;           ///< by node: which of them, counted from 1; 0: has not run
    bool m_isKnown = false; ///< the generators stand as the last state says
};

} // namespace fx
