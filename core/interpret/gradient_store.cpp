// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/gradient_store.h"

namespace fx {

namespace {

const char* const kNotAsked = "this run is without gradients; run it with them";
const char* const kNotYet = "it has no gradient yet: gradients are there when the run is over";

} // namespace

void GradientStore::put(const GradientRecord& record, const Value& gradient) {
    if (record.node.node)
        m_values.put(record.node, gradient, 0);
    else
        m_parameters[record.tensor] = gradient;
}

void GradientStore::end(const std::vector<GradientRecord>& records) {
    m_isThere = true;
    for (const GradientRecord& record : records)
        if (!record.absence.empty())
            (record.node.node ? m_absences[record.node] : m_noParameter[record.tensor]) = record.absence;
}

const Value* GradientStore::find(TensorId tensor) const {
    const auto found = m_parameters.find(tensor);
    return found == m_parameters.end() ? nullptr : &found->second;
}

std::string GradientStore::absenceOf(NodeRef node) const {
    if (m_values.wasDropped(node))
        return "its gradient was dropped to keep within the memory for values";
    const auto found = m_absences.find(node);
    return found != m_absences.end() ? found->second : reason("it is no floating-point value of the run");
}

std::string GradientStore::absenceOf(TensorId tensor) const {
    const auto found = m_noParameter.find(tensor);
    return found != m_noParameter.end()
               ? found->second
               : reason("it has no gradient: the run has not used it, or it does not require one");
}

std::string GradientStore::reason(const char* whenThere) const {
    return m_isThere ? whenThere : m_isAwaited ? kNotYet : kNotAsked;
}

} // namespace fx
