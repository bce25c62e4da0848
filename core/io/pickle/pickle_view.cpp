// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickle_view.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/ir/torch_constants.h"

#include <algorithm>

namespace fx {

namespace {

/// What a person would still read of one attribute. A pickle refers to values many times over, so that a few
/// bytes can stand for billions of items.
constexpr int kMostItems = 1000, kDeepestView = 20;
constexpr size_t kLongestText = 10'000;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

class Converter {
public:
    Argument convert(const PickleValue& value, int depth) {
        if (++m_count > kMostItems || depth > kDeepestView)
            return OpaqueValue{"..."};
        if (value.isNone())
            return {};
        if (const auto* flag = value.as<bool>())
            return *flag;
        if (const auto* number = value.as<int64_t>())
            return *number;
        if (const auto* number = value.as<double>())
            return *number;
        if (const auto* text = value.as<std::string>())
            return text->size() <= kLongestText ? Argument(*text) : Argument(OpaqueValue{"<long str>"});
        if (const auto* number = value.as<PickleLong>())
            return OpaqueValue{number->text.size() < 100 ? number->text : "<long int>"};
        if (value.as<PickleBytes>())
            return OpaqueValue{"<bytes>"};
        if (const auto* list = value.as<PickleList>())
            return ListValue{convertAll(list->items, depth)};
        if (const auto* tuple = value.as<PickleTuple>())
            return TupleValue{convertAll(tuple->items, depth)};
        if (const std::optional<PickleItems> items = pickledDict(value)) {
            DictValue out;
            for (const auto& [key, item] : *items) {
                if (m_count > kMostItems)
                    return OpaqueValue{"<long dict>"};
                Argument keyArgument = convert(*key, depth + 1);
                out.items.emplace_back(std::move(keyArgument), convert(*item, depth + 1));
            }
            return out;
        }
        if (const std::string_view name = value.globalName(); !name.empty())
            return convertGlobal(name);
        if (const auto* call = value.as<PickleCall>())
            return convertCall(*call, value, depth);
        if (const std::optional<std::vector<PickleRef>> set = pickledItems(value))
            return setText(*set, depth);
        return OpaqueValue{"<storage>"};
    }

private:
    Arguments convertAll(const std::vector<PickleRef>& items, int depth) {
        Arguments out;
        for (PickleRef item : items) {
            if (m_count > kMostItems) {
                out.emplace_back(OpaqueValue{"..."});
                break;
            }
            out.push_back(convert(*item, depth + 1));
        }
        return out;
    }

    Argument setText(const std::vector<PickleRef>& items, int depth) {
        std::vector<std::string> texts;
        for (const Argument& item : convertAll(items, depth))
            texts.push_back(reprText(item, [](NodeId) { return std::string(); }));
        return OpaqueValue{texts.empty() ? "set()" : '{' + join(texts, ", ") + '}'};
    }

    static Argument convertGlobal(std::string_view name) {
        if (name.starts_with("torch."))
            if (auto constant = torchConstant(name))
                return std::move(*constant);
        if (isOneOf(name, {"builtins.Ellipsis", "__builtin__.Ellipsis"}))
            return EllipsisValue{};
        return FunctionValue{Target(std::string(name))};
    }

    Argument convertCall(const PickleCall& call, const PickleValue& value, int depth) {
        const std::string_view name = call.callable->globalName();
        const std::vector<PickleRef>& arguments = call.positional();
        const auto integer = [&](size_t i) {
            return i < arguments.size() ? arguments[i]->as<int64_t>() : nullptr;
        };
        if (isOneOf(name, {"torch.Size", "torch._C.Size"}) && arguments.size() == 1 &&
            arguments[0]->as<PickleTuple>())
            return convert(*arguments[0], depth + 1);
        if (name == "torch.device" && !arguments.empty())
            if (const std::optional<c10::Device> device = deviceOf(arguments))
                return *device;
        if (isOneOf(name, {"builtins.complex", "__builtin__.complex"}) && arguments.size() == 2 &&
            arguments[0]->as<double>() && arguments[1]->as<double>())
            return std::complex<double>(*arguments[0]->as<double>(), *arguments[1]->as<double>());
        if (isOneOf(name, {"builtins.slice", "__builtin__.slice"}) && arguments.size() == 3)
            return SliceValue{convertAll(arguments, depth)};
        if (isOneOf(name, {"builtins.range", "__builtin__.xrange"}) && integer(0) && integer(1) && integer(2))
            return RangeValue{*integer(0), *integer(1), *integer(2)};
        if (isOneOf(name, {"builtins.getattr", "__builtin__.getattr"}) && arguments.size() == 2)
            if (const auto* member = arguments[1]->as<std::string>();
                member && !pickledClassName(*arguments[0]).empty())
                return FunctionValue{Target(pickledClassName(*arguments[0]) + '.' + *member)};
        if (name == "_codecs.encode")
            return OpaqueValue{"<bytes>"};
        if (const std::optional<std::vector<PickleRef>> items = pickledItems(value))
            return setText(*items, depth);
        if (name.starts_with("torch._utils._rebuild_") || name.starts_with("torch._tensor._rebuild_"))
            return OpaqueValue{"<tensor>"};
        const std::string className = pickledClassName(*call.callable);
        // A data class with slots keeps its fields in order, and without their names.
        const auto* fields = call.isNew && call.state ? call.state->as<PickleList>() : nullptr;
        if (fields && !className.empty())
            return NamedTupleValue{Target(className), convertAll(fields->items, depth)};
        return OpaqueValue{className.empty() ? "<object>" : '<' + className + " object>"};
    }

    static std::optional<c10::Device> deviceOf(const std::vector<PickleRef>& arguments) {
        const auto* kind = arguments[0]->as<std::string>();
        const auto* index = arguments.size() > 1 ? arguments[1]->as<int64_t>() : nullptr;
        if (!kind)
            return std::nullopt;
        try {
            return c10::Device(index ? *kind + ':' + std::to_string(*index) : *kind);
        } catch (const c10::Error&) {
            return std::nullopt; // no device that this LibTorch has a name for
        }
    }

    int m_count = 0;
};

} // namespace

std::optional<PickleItems> pickledDict(const PickleValue& value) {
    if (const auto* dict = value.as<PickleDict>())
        return dict->items;
    const auto* call = value.as<PickleCall>();
    if (!call || !isOneOf(call->callable->globalName(),
                          {"collections.OrderedDict", "builtins.dict", "__builtin__.dict",
                           "collections.defaultdict", "torch.nn.modules.container.OrderedDict"}))
        return std::nullopt;
    PickleItems out;
    // Python 2 gave the pairs to the constructor.
    const std::vector<PickleRef>& arguments = call->positional();
    if (!arguments.empty())
        if (const auto* pairs = arguments[0]->as<PickleList>())
            for (PickleRef pair : pairs->items)
                if (const auto items = pickledItems(*pair); items && items->size() == 2)
                    out.emplace_back((*items)[0], (*items)[1]);
    out.insert(out.end(), call->items.begin(), call->items.end());
    return out;
}

const PickleValue* pickledEntry(const PickleValue& dict, std::string_view key) {
    const PickleValue* out = nullptr;
    if (const std::optional<PickleItems> items = pickledDict(dict))
        for (const auto& [name, value] : *items)
            if (pickledText(*name) == key)
                out = value; // the last one stays, as in Python
    return out;
}

std::optional<std::vector<PickleRef>> pickledItems(const PickleValue& value) {
    if (const auto* tuple = value.as<PickleTuple>())
        return tuple->items;
    if (const auto* list = value.as<PickleList>())
        return list->items;
    if (const auto* set = value.as<PickleSet>())
        return set->items;
    const auto* call = value.as<PickleCall>();
    if (!call || !isOneOf(call->callable->globalName(),
                          {"builtins.set", "__builtin__.set", "builtins.frozenset", "__builtin__.frozenset"}))
        return std::nullopt;
    const std::vector<PickleRef>& arguments = call->positional();
    if (arguments.empty())
        return std::vector<PickleRef>();
    const auto* list = arguments[0]->as<PickleList>();
    return list ? std::optional(list->items) : std::nullopt;
}

std::optional<std::string> pickledText(const PickleValue& value) {
    if (const auto* text = value.as<std::string>())
        return *text;
    if (const auto* bytes = value.as<PickleBytes>())
        return bytes->bytes;
    return std::nullopt;
}

std::string pickledClassName(const PickleValue& given) {
    // What is within a class is a member of it: getattr(Outer, "Inner").
    std::string members;
    const PickleValue* at = &given;
    for (const auto* call = at->as<PickleCall>(); call; call = at->as<PickleCall>()) {
        const bool isMember =
            isOneOf(call->callable->globalName(), {"builtins.getattr", "__builtin__.getattr"});
        const std::vector<PickleRef>& arguments = call->positional();
        const auto* name = isMember && arguments.size() == 2 ? arguments[1]->as<std::string>() : nullptr;
        constexpr size_t kLongest = 1000;
        if (!name || members.size() > kLongest)
            return {};
        members = '.' + *name + members;
        at = arguments[0];
    }
    const PickleValue& value = *at;
    if (const std::string_view name = value.globalName(); !name.empty())
        return std::string(name) + members;
    // ("module", class, file, source)
    const auto* persistent = value.as<PicklePersistent>();
    const auto* id = persistent ? persistent->id->as<PickleTuple>() : nullptr;
    const bool isClass = id && id->items.size() == 4 && pickledText(*id->items[0]) == "module";
    return isClass ? std::string(id->items[1]->globalName()) : std::string();
}

std::optional<PickledInstance> pickledInstance(const PickleValue& value) {
    const auto* call = value.as<PickleCall>();
    if (!call)
        return std::nullopt;
    const std::vector<PickleRef>& arguments = call->positional();
    const PickleValue* type = call->callable;
    // Protocols 0 and 1 say it by functions.
    if (isOneOf(type->globalName(), {"copyreg.__newobj__", "copy_reg.__newobj__", "copyreg._reconstructor",
                                     "copy_reg._reconstructor", "copyreg.__newobj_ex__"})) {
        if (arguments.empty())
            return std::nullopt;
        type = arguments[0];
    } else if (!call->isNew) {
        return std::nullopt;
    }
    const std::string name = pickledClassName(*type);
    if (name.empty())
        return std::nullopt;
    return PickledInstance{name, type, call->state};
}

Argument pickledArgument(const PickleValue& value) {
    return Converter().convert(value, 0);
}

} // namespace fx
