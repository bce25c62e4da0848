// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of a TorchScript program: instances of its classes, and attributes of its modules.
#pragma once

#include "core/trace/script/script_tracer.h"

#include <ATen/core/jit_type.h>

#include <map>

namespace fx {

class ScriptInstances {
public:
    explicit ScriptInstances(ScriptTracer& tracer) : m_tracer(tracer) {}

    /// A new one without fields.
    Value make(c10::ClassTypePtr type);
    /// The instance that an object of the archive is.
    Value instanceOf(const c10::IValue& object);
    const c10::ClassTypePtr& classOf(const Value& instance) const {
        return m_classes.at(instance.object().get());
    }
    /// `isShadow`: tensors are on the meta device, and nothing is recorded or noted.
    Value attribute(const Value& object, const std::string& name, bool isShadow);
    void setAttribute(const Value& object, const std::string& name, const Value& value, bool isShadow);

    /// Attributes of modules that were read or set, by object: where not plain, by reference.
    using Attributes = std::map<std::pair<const void*, std::string>, Value>;
    const Attributes& attributes() const { return m_attributes; }
    void restore(Attributes attributes) { m_attributes = std::move(attributes); }
    /// How often the program has set an attribute of a module.
    size_t setCount() const { return m_sets; }

private:
    ScriptTracer& m_tracer;
    Attributes m_attributes;
    size_t m_sets = 0;
    std::map<const void*, Value> m_instances;           ///< by the object of the archive
    std::map<const void*, c10::ClassTypePtr> m_classes; ///< by the instance
    Values m_kept;                                      ///< values whose addresses are keys
};

} // namespace fx
