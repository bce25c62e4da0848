// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/python_functions.h"

#include "core/base/error.h"
#include "core/torch/bind/added_functions.h"
#include "core/torch/host/torch_hosts.h"
#include "core/torch/values/attributes.h"

namespace fx {

namespace {

/// Python's functions, to be called from outside of any program.
class PlainPython {
public:
    PlainPython() { m_torch.addTo(m_evaluator); }

    /// None for names that are not Python's.
    const Value& find(const std::string& name) {
        const auto [entry, isNew] = m_functions.try_emplace(name);
        if (isNew)
            entry->second = load(name);
        return entry->second;
    }

    Value call(const Value& function, const Values& args, const NamedValues& kwargs) {
        return request([&] { return m_evaluator.call(function, args, kwargs); });
    }
    Value callMethod(const Value& self, const std::string& name, const Values& args,
                     const NamedValues& kwargs) {
        return request([&] { return m_evaluator.callMethod(self, name, args, kwargs); });
    }

    std::string text(const Value& value) {
        return request([&] { return makeText(m_evaluator.repr(value)); }).text();
    }

private:
    /// Each call has a budget of its own.
    Value request(const std::function<Value()>& work) {
        m_evaluator.startRequest();
        return m_evaluator.runOutside(work);
    }

    Value load(const std::string& name) {
        const size_t dot = name.rfind('.');
        const std::string module = dot == std::string::npos ? std::string() : name.substr(0, dot);
        if (module.empty() && name != "print") { // what it printed would be lost
            const Value* builtin = m_evaluator.builtins().find(name);
            return builtin && (builtin->as<NativeObject>() || builtin->as<ClassObject>()) ? *builtin
                                                                                          : Value();
        }
        if (module != "operator" && module != "_operator" && module != "math")
            return {};
        const std::optional<Value> found =
            m_evaluator.findAttribute(m_evaluator.modules().importModule(module), name.substr(dot + 1));
        return found && found->as<NativeObject>() ? *found : Value();
    }

    TorchHosts m_torch;
    Evaluator m_evaluator;
    std::unordered_map<std::string, Value> m_functions;
};

PlainPython& plainPython() {
    static thread_local PlainPython python;
    return python;
}

Value callPlain(const std::string& name, const Values& args, const NamedValues& kwargs) {
    PlainPython& python = plainPython();
    return python.call(python.find(name), args, kwargs);
}

/// getattr() of what an operator gave: its tuple has fields.
Value callGetattr(const Values& args, const NamedValues& kwargs) {
    if (args.size() >= 2 && args[0].isData() && args[0].data().isTuple() && args[1].isString())
        if (std::optional<Value> field = findAttributeOf(args[0], args[1].text()))
            return std::move(*field);
    return callPlain("getattr", args, kwargs);
}

/// What concrete arguments leave in a graph; its second argument is the message.
Value assertIsNone(const Values& args, const NamedValues&) {
    requireArguments("_assert_is_none", args, 2, 2);
    if (!args[0].isNone())
        raise("AssertionError", args[1].isString() ? args[1].text() : "a value that should be None is not");
    return {};
}

Value refuseFromNumpy(const Values&, const NamedValues&) {
    throw Error("", "torch.from_numpy() is not supported: NumPy's arrays have no place here")
        .kind("RuntimeError")
        .hint("torch.tensor() takes lists of numbers");
}

} // namespace

PythonFunction findPythonFunction(const std::string& name) {
    static const auto kOwn = [] {
        PythonFunctions table = {{"getattr", callGetattr},
                                 {"torch.fx._symbolic_trace._assert_is_none", assertIsNone},
                                 {"torch.from_numpy", refuseFromNumpy}};
        addTorchState(table);
        return table;
    }();
    if (const auto own = kOwn.find(name); own != kOwn.end())
        return own->second;
    if (const PythonFunction* added = findAddedFunction(name))
        return *added;
    if (plainPython().find(name).isNone())
        return {};
    return [name](const Values& args, const NamedValues& kwargs) { return callPlain(name, args, kwargs); };
}

Value callPythonMethod(const Value& self, const std::string& name, const Values& args,
                       const NamedValues& kwargs) {
    return plainPython().callMethod(self, name, args, kwargs);
}

std::string pythonText(const Value& value) {
    return plainPython().text(value);
}

} // namespace fx
