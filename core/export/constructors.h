// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments with which a module's constructor gives what the model holds: read off its attributes, and
// proven by calling it here, on the meta device.
#pragma once

#include "core/export/package_names.h"
#include "core/interpret/source_modules.h"
#include "core/module/model.h"
#include "core/python/evaluator.h"
#include "core/torch/host/torch_hosts.h"
#include "core/trace/tracing_host.h"

#include <functional>
#include <optional>
#include <string>

namespace fx {

/// A module that a constructor made.
struct Constructed {
    std::string expression; ///< "torch.nn.Conv2d(3, 8, kernel_size=(3, 3), bias=False)"
    Value instance;
};

/// Whether the constructor of a class can do without memory: packing a quantized weight cannot.
bool isMadeOnMeta(std::string_view type);

class Constructors {
public:
    /// `write`: the text of an attribute's value.
    Constructors(const Model& model, PackageNames& names, std::function<std::string(const Argument&)> write);

    /// None where the class is not known here, or no arguments are found that it takes. What the instance
    /// holds may still differ from what the model does.
    std::optional<Constructed> construct(ModuleId module);
    /// The same by the constructor of another class than the module's.
    std::optional<Constructed> constructAs(ModuleId module, const std::string& type);
    /// The class by the shortest name that PyTorch has for it: "torch.nn.Conv2d"; none for a class that is
    /// not known here.
    std::optional<std::string> className(ModuleId module);
    /// Whether the class has this method from a class of its own, and not from torch.nn.Module.
    bool overrides(ModuleId module, const std::string& method);

    Evaluator& evaluator() { return m_evaluator; }

private:
    struct Parameter {
        std::string name;
        bool isKeywordOnly = false;
        std::optional<Value> otherwise;
    };
    struct Chosen {
        std::string text;
        Value value;
    };

    struct Call {
        Values args;
        NamedValues kwargs;
        std::vector<std::string> texts; ///< of all arguments, as they are written
    };

    std::optional<Value> classOf(ModuleId module);
    std::optional<Value> instanceOf(ModuleId module, const Value& type, const Call& call);
    bool areAlike(const Value& a, const Value& b);
    std::vector<Parameter> parametersOf(const Value& type);
    std::optional<Chosen> argumentFor(ModuleId module, const std::string& parameter, const Value* otherwise);
    std::optional<Chosen> fromRule(ModuleId module, std::string_view source);
    std::optional<Chosen> chosen(const Argument& value);
    std::optional<Constructed> attempt(ModuleId module, const Value& type, const std::string& name,
                                       bool isShort);

    const Model& m_model;
    PackageNames& m_names;
    std::function<std::string(const Argument&)> m_write;
    TorchHosts m_torch;
    TracingHost m_tracing{m_torch};
    SourceModules m_sources;
    Evaluator m_evaluator;
};

/// "torch.nn.Linear(256, 10)", what makes a module like this one; none where that is not known.
std::optional<std::string> constructorText(const Model& model, ModuleId module);

} // namespace fx
