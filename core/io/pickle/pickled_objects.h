// SPDX-License-Identifier: GPL-3.0-or-later
// The objects of a pickle, made again inside an evaluator of Python: containers, tensors, parameters,
// instances of torch.nn and of classes that a source defines. A class that nobody defines becomes an empty
// one of its name. What a pickle would call is called only where it is a class that the evaluator itself
// runs.
#pragma once

#include "core/io/pickle/pickle_view.h"
#include "core/io/pickle/pickled_tensors.h"
#include "core/python/evaluator.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fx {

class PickledObjects {
public:
    /// A class of the user's source by the qualified name that the pickle gives; none where it has none.
    using FindClass = std::function<std::optional<Value>(const std::string& qualifiedName)>;

    /// A class for a pickled GraphModule, with the forward that its code defines.
    using CompileGraph = std::function<Value(const PickleValue&)>;

    /// Evaluator and container outlive this. The functions may be null.
    PickledObjects(Evaluator& evaluator, const TorchContainer& container, FindClass sources,
                   CompileGraph compileGraph = nullptr);

    /// What is shared in the pickle is shared here. Throws at the container's place for what is nested too
    /// deeply, and what the evaluator throws where a class refuses its state.
    Value make(const PickleValue& value);
    /// An instance of a class, with its state set as unpickling sets it: by __setstate__, or as its __dict__.
    Value instanceOf(const Value& type, const PickleValue* state);
    /// A subclass of torch.nn.Module of that qualified name, without a forward.
    Value moduleClass(const std::string& qualifiedName);
    /// Classes and functions that nobody defines, in order of first use.
    const std::vector<std::string>& unknown() const { return m_unknown; }

private:
    Value makeNew(const PickleValue& value);
    void fill(DictObject& dict, const PickleItems& items);
    Value makeCall(const PickleValue& value);
    Values makeAll(const std::vector<PickleRef>& refs);
    Value restoreInstance(const PickledInstance& instance, const PickleValue& value);
    void setState(const Value& object, const PickleValue& state);
    Value makeState(const PickleValue& state);
    Value global(const std::string& name);
    std::optional<Value> findClass(const std::string& name);
    Value unknownClass(const std::string& name, bool isModule);
    void noteUnknown(const std::string& name);
    void count(uint64_t values);

    Evaluator& m_evaluator;
    const TorchContainer& m_container;
    PickledTensors m_tensors;
    FindClass m_sources;
    CompileGraph m_compileGraph;
    struct Known {
        Value value;
        uint64_t size; ///< how many values it stands for
    };
    std::map<const PickleValue*, Known> m_known;
    uint64_t m_count = 0;
    std::set<const PickleValue*> m_open;
    std::map<std::string, Value> m_made; ///< empty classes
    std::vector<std::string> m_unknown;
};

} // namespace fx
