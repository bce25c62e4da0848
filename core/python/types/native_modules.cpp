// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/types/native_modules.h"

#include "core/python/exceptions.h"
#include "core/python/frame.h"
#include "core/python/generic_alias.h"
#include "core/python/regex/regex_module.h"
#include "core/python/tracebacks.h"
#include "core/python/types/builtin_functions.h"

#include <algorithm>

namespace fx {

NativeModule::NativeModule(std::string name) : m_name(std::move(name)) {
    DictObject names;
    names.set("__name__", makeText(m_name));
    names.set("__doc__", Value());
    m_module = Object{SourceModuleObject{m_name, Object{std::move(names)}}};
}

void NativeModule::set(const std::string& name, Value value) {
    m_module.as<SourceModuleObject>()->dict.as<DictObject>()->set(name, std::move(value));
}

void NativeModule::add(const std::string& name, size_t least, size_t most, PlainCall call) {
    const std::string full = m_name + '.' + name;
    set(name, makeNative(full, checkedCall(full, least, most, 0, std::move(call))));
}

void NativeModule::addFree(const std::string& name, NativeObject::Call call) {
    set(name, makeNative(m_name + '.' + name, std::move(call)));
}

namespace {

/// The name of the module whose code called into the library.
Value callerModule(Evaluator& evaluator) {
    const size_t depth = evaluator.frames().callStack().size();
    for (size_t outer = 0; outer < depth; ++outer)
        if (const std::optional<Value> globals = evaluator.frames().callerModuleGlobals(outer))
            if (const Value* name = globals->as<DictObject>()->find("__name__"))
                return *name;
    return makeText("__main__");
}

/// What sys.modules and importlib are made of.
void addModuleFunctions(NativeModule& module) {
    module.add("_is_importing", 0, 0,
               [](Evaluator& e, Values&) { return makeBool(e.modules().areRunning()); });
    module.add("_import_module", 1, 1, [](Evaluator& e, Values& args) {
        return e.modules().importModule(textArgument("name", args[0]));
    });
    module.add("_find_source", 1, 1, [](Evaluator& e, Values& args) -> Value {
        const std::optional<FoundSource> found = e.modules().finder().find(textArgument("name", args[0]));
        if (!found)
            return {};
        return makeTuple({found->file ? makeText(found->file->path) : Value(), makeBool(found->isPackage)});
    });
    // (text, path, names): runs it among the names.
    module.add("_run_source", 3, 3, [](Evaluator& e, Values& args) {
        return e.evaluate(parseSource(textArgument("text", args[0]), textArgument("path", args[1])), args[2]);
    });
    module.add("_known_modules", 0, 0, [](Evaluator& e, Values&) {
        Values names;
        for (const std::string& name : e.modules().known())
            names.push_back(makeText(name));
        return makeList(std::move(names));
    });
    module.add("_known_module", 2, 2, [](Evaluator& e, Values& args) {
        return e.modules().known(textArgument("name", args[0])).value_or(args[1]);
    });
    module.add("_set_module", 2, 2, [](Evaluator& e, Values& args) -> Value {
        e.modules().set(textArgument("name", args[0]), args[1]);
        return {};
    });
    module.add("_forget_module", 1, 1, [](Evaluator& e, Values& args) -> Value {
        e.modules().forget(textArgument("name", args[0]));
        return {};
    });
}

/// What traceback, logging and sys tell of frames. The library's own are left out.
void addFrameFunctions(NativeModule& module) {
    const auto told = [](const std::vector<CallSite>& sites) {
        Values out;
        for (const CallSite& site : sites)
            if (!site.file->isLibrary() || site.file->path.starts_with("<eval_with_key>"))
                out.push_back(frameTuple(site));
        return makeList(std::move(out));
    };
    module.add("_traceback_frames", 1, 1,
               [told](Evaluator&, Values& args) { return told(tracebackFrames(args[0])); });
    // Of the library's as well.
    module.add("_innermost_file", 1, 1, [](Evaluator&, Values& args) -> Value {
        const std::vector<CallSite> sites = tracebackFrames(args[0]);
        return makeText(sites.empty() ? std::string() : sites.back().file->path);
    });
    module.add("_call_stack", 0, 0, [told](Evaluator& e, Values&) {
        std::vector<CallSite> sites = e.frames().callStack();
        std::reverse(sites.begin(), sites.end());
        return told(sites);
    });
    module.add("_handled", 0, 0, [](Evaluator& e, Values&) { return handledIn(e.frames().innermost()); });
}

Value makeLibraryModule() {
    NativeModule module("_native");
    addModuleFunctions(module);
    addFrameFunctions(module);
    module.add("_write_output", 1, 1, [](Evaluator& e, Values& args) -> Value {
        writeOutput(e, textArgument("text", args[0]));
        return {};
    });
    module.add("_union", 2, 2, [](Evaluator& e, Values& args) { return unionOf(e, args[0], args[1]); });
    module.add("_source_of", 1, 1, [](Evaluator& e, Values& args) { return sourceLines(e, args[0]); });
    module.add("_caller_module", 0, 0, [](Evaluator& e, Values&) { return callerModule(e); });
    module.add("_record_warning", 2, 2, [](Evaluator& e, Values& args) -> Value {
        e.warnings().push_back(e.str(args[1]) + ": " + e.str(args[0]));
        return {};
    });
    module.add("_hold", 2, 2, [](Evaluator&, Values& args) -> Value {
        auto* instance = args[0].as<InstanceObject>();
        if (!instance)
            raise("TypeError", "_hold() wants an instance");
        instance->payload = plainOf(args[1]);
        return {};
    });
    return module.value();
}

Value makeBuiltinsModule(Evaluator& evaluator) {
    NativeModule module("builtins");
    for (const DictObject::Entry& entry : evaluator.builtins().entries())
        module.set(entry.key.text(), entry.value);
    return module.value();
}

} // namespace

std::optional<Value> nativeModule(Evaluator& evaluator, const std::string& name) {
    if (name == "math")
        return makeMathModule(evaluator);
    if (name == "operator" || name == "_operator")
        return makeOperatorModule(evaluator);
    if (name == "_zlib")
        return makeZlibModule();
    if (name == "_regex")
        return makeRegexModule(evaluator);
    if (name == "builtins")
        return makeBuiltinsModule(evaluator);
    if (name == "_native")
        return makeLibraryModule();
    return std::nullopt;
}

} // namespace fx
