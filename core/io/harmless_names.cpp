// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/harmless_names.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/written_names.h"
#include "core/interpret/interpreter.h"
#include "core/ir/names.h"
#include "core/ir/torch_constants.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/function_table.h"
#include "core/torch/host/library_texts.h"

#include <algorithm>
#include <regex>
#include <span>

namespace fx {

namespace {

/// Names of Python's own modules; * is every public one. `builtins` are written without their module.
struct Allowed {
    std::string_view module, names;
};
constexpr Allowed kPython[] = {
    {"",
     "abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate filter float format "
     "frozenset getattr hasattr hash hex id int isinstance issubclass iter len list map max min next object "
     "oct ord pow print range repr reversed round set setattr slice sorted str sum tuple type zip "
     "NoneType Ellipsis NotImplemented Exception AssertionError AttributeError IndexError KeyError "
     "NotImplementedError RuntimeError TypeError ValueError ZeroDivisionError"},
    {"collections", "ChainMap Counter OrderedDict UserDict UserList defaultdict deque namedtuple"},
    {"copy", "copy deepcopy"},
    {"dataclasses", "asdict astuple is_dataclass replace"},
    {"enum", "Enum Flag IntEnum IntFlag StrEnum auto"},
    {"functools", "cmp_to_key partial reduce wraps"},
    {"itertools", "*"},
    {"math", "*"},
    {"random", "betavariate choice choices gauss getrandbits randint random randrange sample seed shuffle "
               "triangular uniform"},
    {"statistics", "fmean geometric_mean harmonic_mean mean median mode pstdev pvariance stdev variance"},
    {"types", "EllipsisType MappingProxyType NoneType SimpleNamespace"},
};

/// Builtins that take the name of an attribute.
constexpr std::string_view kLookingUp[] = {"getattr", "hasattr", "setattr"};

/// Modules in which classes alone, which begin with a capital, may be named.
constexpr std::string_view kOfClasses[] = {"collections.abc", "_collections_abc", "numbers", "typing"};

/// What torch has in its tables and that does more than compute.
constexpr std::string_view kRefused[] = {"torch.load",
                                         "torch.serialization.load",
                                         "torch.save",
                                         "torch.serialization.save",
                                         "torch.from_file",
                                         "torch._from_blob",
                                         "torch.compile",
                                         "torch.import_ir_module",
                                         "torch.import_ir_module_from_buffer",
                                         "torch.get_file_path",
                                         "torch._utils_internal.get_file_path",
                                         "torch.get_device_module",
                                         "torch.prepare_multiprocessing_environment",
                                         "torch._utils_internal.prepare_multiprocessing_environment",
                                         "torch.classproperty",
                                         "torch._utils.classproperty",
                                         "torch.fork",
                                         "torch.set_default_tensor_type"};
constexpr std::string_view kRefusedOperators[] = {"torch.ops.aten.from_file", "torch.ops.aten.save",
                                                  "torch.ops.debugprims"};

/// What graphs hold and no table has.
constexpr std::string_view kOfTorch[] = {"torch.Generator",
                                         "torch.Size",
                                         "torch.Tensor",
                                         "torch.autocast",
                                         "torch.default_generator",
                                         "torch.device",
                                         "torch.dtype",
                                         "torch.enable_grad",
                                         "torch.finfo",
                                         "torch.iinfo",
                                         "torch.inference_mode",
                                         "torch.layout",
                                         "torch.memory_format",
                                         "torch.no_grad",
                                         "torch.qscheme",
                                         "torch.set_grad_enabled",
                                         "torch.SymBool",
                                         "torch.SymFloat",
                                         "torch.SymInt",
                                         "torch._C.Generator",
                                         "torch._C._set_grad_enabled",
                                         "torch.amp.autocast_mode._enter_autocast",
                                         "torch.amp.autocast_mode._exit_autocast",
                                         "torch.autograd.grad_mode._enter_inference_mode",
                                         "torch.autograd.grad_mode._exit_inference_mode",
                                         "torch.fx._symbolic_trace._assert_is_none",
                                         "torch._functorch.predispatch._add_batch_dim",
                                         "torch._functorch.predispatch._remove_batch_dim",
                                         "torch._functorch.predispatch._vmap_decrement_nesting",
                                         "torch._functorch.predispatch._vmap_increment_nesting",
                                         "torch._functorch.predispatch.lazy_load_decompositions"};

bool has(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

bool isBelow(std::string_view name, std::string_view module) {
    return name.starts_with(module) && (name.size() == module.size() || name[module.size()] == '.');
}

bool isOperator(const std::string& name) {
    const std::vector<std::string_view> parts = split(name, '.'); // torch.ops.NAMESPACE.NAME.OVERLOAD
    const auto isInside = [](std::string_view part) {
        return part.starts_with("__") && !isHarmlessAttribute(part);
    };
    return (parts.size() == 4 || parts.size() == 5) && std::ranges::none_of(parts, isInside) &&
           std::ranges::none_of(kRefusedOperators,
                                [&](std::string_view refused) { return isBelow(name, refused); });
}

/// With a capital first, as classes are called: "_WeightNorm".
bool isClassName(std::string_view name) {
    const size_t letter = name.find_first_not_of('_');
    return letter != std::string_view::npos && name[letter] >= 'A' && name[letter] <= 'Z';
}

/// Whether it is a function that our own text of one of torch's modules defines, which only computes, or a
/// class that such a module has, maybe from another.
bool isDefinedHere(const std::string& owner, const std::string& name) {
    static constexpr std::string_view kModules[] = {"torch.nn", "torch.ao", "torch.amp", "torch.functional",
                                                    "torch.autograd.grad_mode"};
    if (std::ranges::none_of(kModules, [&](std::string_view module) { return isBelow(owner, module); }))
        return false;
    const LibraryModule* module = findTextModule(owner);
    if (!module)
        return false;
    return isClassName(name) || contains(module->file->text, "\ndef " + name + '(');
}

bool isHarmlessOfTorch(const std::string& name) {
    if (isBelow(name, "torch.ops"))
        return isOperator(name);
    const size_t dot = name.rfind('.');
    const std::string owner = name.substr(0, dot), last = name.substr(dot + 1);
    if (!isBarePath(name) || has(kRefused, name))
        return false;
    if (owner == "torch.Tensor" || owner == "torch._C.TensorBase")
        return isHarmlessAttribute(last);
    if (owner == "torch.return_types" || has(kOfTorch, name))
        return true;
    if (const FunctionRow* row = findFunction(name); row && row->kind > FunctionKind::Body)
        return row->kind == FunctionKind::Value ||
               (row->kind == FunctionKind::Class && isBelow(name, "torch.nn"));
    return isFunctionOfTorch(name) || isKnownFunction(name) || isDefinedHere(owner, last);
}

} // namespace

bool isHarmlessAttribute(std::string_view name) {
    static constexpr std::string_view kWriting[] = {"dump", "dumps", "from_file", "tofile"};
    static constexpr std::string_view kPrivate[] = {
        "__call__", "__contains__", "__floordiv__", "__ipow__", "__len__", "__pow__", "__rpow__",
        "__rsub__", "__rtruediv__", "_asdict",      "_fields",  "_make",   "_replace"};
    if (!name.starts_with('_'))
        return !has(kWriting, name);
    // What is private may lead to Python's insides; an operator such as __add__ records add.
    const FunctionRow* row = findTensorMember(name);
    const bool isOwn = row && (row->kind == FunctionKind::Builtin || !name.starts_with("__"));
    return has(kPrivate, name) || (isOwn && row->target && row->target.isBuiltin());
}

bool isHarmlessName(const std::string& qualifiedName) {
    if (qualifiedName.starts_with("torch."))
        return isHarmlessOfTorch(qualifiedName);
    const size_t dot = qualifiedName.rfind('.');
    std::string module = dot == std::string::npos ? std::string() : qualifiedName.substr(0, dot);
    const std::string name = qualifiedName.substr(dot + 1);
    if (!isWrittenBare(name))
        return false;
    if (module == "operator" || module == "_operator")
        return name != "attrgetter" && name != "methodcaller" && name != "call" &&
               isKnownFunction(qualifiedName);
    if (module == "builtins")
        module.clear();
    if (has(kOfClasses, module))
        return isClassName(name) && name != "ForwardRef";
    return std::ranges::any_of(kPython, [&](const Allowed& row) {
        const std::vector<std::string_view> names = split(row.names, ' ');
        return row.module == module && (row.names == "*" ? name[0] != '_' : has(names, name));
    });
}

void requireHarmless(const std::string& qualifiedName, const std::string& place) {
    if (!isHarmlessName(qualifiedName))
        throw Error(place, "names " +
                               (isBarePath(qualifiedName) ? qualifiedName : pythonRepr(qualifiedName)) +
                               ", which an exported package may not")
            .hint("remove the node, or put an operator in its place");
}

void requireHarmlessAttribute(const std::string& name, const std::string& place) {
    if (!isHarmlessAttribute(name))
        throw Error(place, "looks up " + pythonRepr(name) + ", which an exported package may not")
            .hint("remove the node");
}

void requireHandedOn(const std::string& function, const std::string& place) {
    if (has(kLookingUp, function.substr(function.rfind('.') + 1)))
        throw Error(place, "hands " + function + " on, which an exported package may not")
            .hint("remove the node");
}

namespace {

void requireArgument(const Argument& part, const std::string& place) {
    static const std::regex number("-?[0-9]+");
    if (const auto* opaque = part.as<OpaqueValue>(); opaque && !std::regex_match(opaque->text, number))
        throw Error(place, "holds an object that Python code cannot make again: " + opaque->text)
            .hint("remove the node or put another value in its place");
    if (const auto* function = part.as<FunctionValue>()) {
        const std::string& name = function->target.name();
        requireHarmless(name, place);
        requireHandedOn(name, place);
    }
    const auto requireClass = [&](Target type) {
        // Inside of a dict its short name alone is written.
        if (type.isFromTorch())
            requireHarmless(type.name(), place);
        else if (!isBarePath(type.name()) || isReservedName(type.functionName()))
            throw Error(place, "holds a value of the class " + pythonRepr(type.name()) +
                                   ", which is no name of a class in Python")
                .hint("remove the node");
    };
    if (const auto* named = part.as<NamedTupleValue>())
        requireClass(named->type);
    if (const auto* member = part.as<EnumValue>(); member && !isQScheme(part)) {
        // The members of torch's enums are numbers, whichever they are; no table has their classes.
        if (!isClassName(member->type.functionName()) || !isBarePath(member->type.name()))
            requireClass(member->type);
        requireHarmlessAttribute(member->member, place);
    }
}

} // namespace

void requireHarmless(const Model& model, ModuleId module, const Node& node) {
    const std::string place = nodePlace(model.graph(module), node.id);
    const std::string& target = node.target.name();
    for (const Argument& argument : node.args)
        forEachPart(argument, [&](const Argument& part) { requireArgument(part, place); });
    for (const auto& [key, argument] : node.kwargs)
        forEachPart(argument, [&](const Argument& part) { requireArgument(part, place); });
    if (node.opcode == Opcode::Placeholder && !isWrittenBare(withoutStars(target)))
        throw Error(place, "is the parameter " + pythonRepr(target) + ", which is no name in Python")
            .hint("rename the input");
    if (node.opcode == Opcode::CallMethod)
        requireHarmlessAttribute(target, place);
    if ((node.opcode == Opcode::GetAttr || node.opcode == Opcode::CallModule) &&
        !model.resolve(module, target))
        for (std::string_view part : split(target, '.'))
            requireHarmlessAttribute(std::string(part), place);
    if (node.opcode != Opcode::CallFunction)
        return;
    if (node.target.isFromTorch())
        requireHarmless(target, place);
    if (has(kLookingUp, target)) {
        const auto* name = node.args.size() > 1 ? node.args[1].as<std::string>() : nullptr;
        if (!name)
            throw Error(place, "looks up an attribute whose name the graph computes")
                .hint("put the name in its place");
        requireHarmlessAttribute(*name, place);
    }
}

void requirePlainNames(const Model& model, ModuleId module, const Node& node) {
    const std::string place = nodePlace(model.graph(module), node.id);
    const auto fail = [&](const std::string& name) {
        throw Error(place, "has the name " + pythonRepr(name) + " in it, which is none in Python")
            .hint("rename it");
    };
    for (const auto& [key, value] : node.kwargs)
        if (!isWrittenBare(key))
            fail(key);
    const std::string& target = node.target.name();
    if (node.opcode == Opcode::CallMethod && !isWrittenBare(target))
        fail(target);
    // torch.fx puts what is no name into quotes, whatever it holds.
    const bool hasQuotes = std::ranges::any_of(target, [](char c) {
        return static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\'' || c == '\\' || c == '\x7f';
    });
    if ((node.opcode == Opcode::GetAttr || node.opcode == Opcode::CallModule) && hasQuotes)
        fail(target);
}

} // namespace fx
