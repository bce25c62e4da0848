// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that nobody would think of: random verbs on random nodes, the same ones for the same seed.
#pragma once

#include "core/module/edit.h"

#include <random>

namespace fx {

class RandomEdits {
public:
    RandomEdits(Model& model, unsigned seed) : m_model(model), m_random(seed) {}

    /// One to three random verbs on nodes as one edit.
    Changes edit();
    /// The same with all that an Edit can do: modules and tensors are made and named, too, a nested graph is
    /// edited.
    Changes wideEdit();
    /// An edit that is given up, which uses up ids.
    void failedEdit();
    size_t below(size_t count) { return m_random() % count; }

private:
    NodeId pick(const Graph& graph);
    void verb(Edit& edit);
    void moduleVerb(Edit& edit);

    Model& m_model;
    std::mt19937 m_random;
};

} // namespace fx
