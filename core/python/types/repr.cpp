// SPDX-License-Identifier: GPL-3.0-or-later
// repr(), str() and format() of every kind of value.
#include "core/python/types/repr.h"

#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/python/big_int.h"
#include "core/python/generator.h"
#include "core/python/types/format.h"
#include "core/python/types/growing_text.h"
#include "core/python/types/object_type.h"
#include "core/python/types/operations.h"
#include "core/python/types/text_units.h"

#include <algorithm>
#include <unordered_map>

namespace fx {

namespace {

/// The containers that are being written now: one within itself is written as "...".
thread_local std::vector<const Object*> written;

class WritingGuard {
public:
    explicit WritingGuard(const Value& value)
        : m_recursion("while getting the repr of an object"),
          m_isInside(std::find(written.begin(), written.end(), value.object().get()) != written.end()) {
        written.push_back(value.object().get());
    }
    ~WritingGuard() { written.pop_back(); }
    WritingGuard(const WritingGuard&) = delete;
    WritingGuard& operator=(const WritingGuard&) = delete;
    bool isInside() const { return m_isInside; }

private:
    RecursionGuard m_recursion;
    bool m_isInside;
};

void grow(Evaluator& evaluator, std::string& out, const std::string& part) {
    evaluator.step();
    appendPart(evaluator, out, part);
}

std::string sequenceText(Evaluator& evaluator, const Value& value, bool isList) {
    const WritingGuard guard(value);
    if (value.object() && guard.isInside())
        return isList ? "[...]" : "(...)";
    const Values* live = listItems(value); // a __repr__ may change the list
    const Values own = live ? Values() : *itemsOf(value);
    const Values& items = live ? *live : own;
    std::string out(1, isList ? '[' : '(');
    for (size_t i = 0; i < items.size(); ++i) {
        const Value item = items[i];
        grow(evaluator, out, (i > 0 ? ", " : "") + evaluator.repr(item));
    }
    if (!isList && items.size() == 1)
        out += ',';
    return out + (isList ? ']' : ')');
}

std::string dictText(Evaluator& evaluator, const Value& value) {
    const WritingGuard guard(value);
    if (guard.isInside())
        return "{...}";
    const std::vector<DictObject::Entry> entries = value.as<DictObject>()->entries();
    std::string out = "{";
    for (size_t i = 0; i < entries.size(); ++i) {
        const std::string key = evaluator.repr(entries[i].key);
        grow(evaluator, out, (i > 0 ? ", " : "") + key + ": " + evaluator.repr(entries[i].value));
    }
    return out + '}';
}

std::string setText(Evaluator& evaluator, const Value& value) {
    const WritingGuard guard(value);
    const SetObject set = *value.as<SetObject>();
    const std::string name = set.isFrozen ? "frozenset" : "set";
    if (guard.isInside())
        return name + "(...)";
    if (set.table.empty())
        return name + "()";
    std::string out = "{";
    for (size_t i = 0; i < set.table.size(); ++i)
        grow(evaluator, out, (i > 0 ? ", " : "") + evaluator.repr(set.table.entries()[i].key));
    out += '}';
    return set.isFrozen ? name + '(' + out + ')' : out;
}

std::string bytesText(const BytesObject& object) {
    const bool hasSingle = object.bytes.find('\'') != std::string::npos;
    const char quote = hasSingle && object.bytes.find('"') == std::string::npos ? '"' : '\'';
    std::string out = "b";
    out += quote;
    for (const char c : object.bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == quote || c == '\\')
            (out += '\\') += c;
        else if (c == '\t' || c == '\n' || c == '\r')
            out += c == '\t' ? "\\t" : c == '\n' ? "\\n" : "\\r";
        else if (byte < 0x20 || byte >= 0x7F) {
            out += hexEscape(byte);
        } else
            out += c;
    }
    out += quote;
    return object.isArray ? "bytearray(" + out + ')' : out;
}

std::string at(const Value& value) {
    char out[32];
    std::snprintf(out, sizeof out, " at 0x%012llx>", static_cast<unsigned long long>(identityOf(value)));
    return out;
}

std::string className(const ClassData& data) {
    return data.module.empty() || data.module == "builtins" ? data.qualifiedName
                                                            : data.module + '.' + data.qualifiedName;
}

std::string nativeText(Evaluator& evaluator, const NativeObject& native) {
    const size_t dot = native.name.rfind('.');
    const std::string name = native.name.substr(dot == std::string::npos ? 0 : dot + 1);
    const std::string owner = dot == std::string::npos ? "" : native.name.substr(0, dot);
    // Methods of types are told from functions of modules by their owner being a type.
    const Value* type = owner.empty() ? nullptr : evaluator.builtins().find(owner);
    if (type && type->as<ClassObject>())
        return "<method '" + name + "' of '" + owner + "' objects>";
    return "<built-in function " + name + '>';
}

std::string boundText(Evaluator& evaluator, const BoundMethodObject& method) {
    if (const auto* native = method.function.as<NativeObject>())
        return "<built-in method " + native->name.substr(native->name.rfind('.') + 1) + " of " +
               typeName(method.self) + " object" + at(method.self);
    const auto* defined = method.function.as<DefinedObject>();
    const std::string name = defined ? defined->function->qualifiedName : evaluator.repr(method.function);
    return "<bound method " + name + " of " + evaluator.repr(method.self) + '>';
}

std::string leafText(const Argument& leaf, const Value& value) {
    if (leaf.as<EllipsisValue>())
        return "Ellipsis";
    if (const auto* opaque = leaf.as<OpaqueValue>())
        return opaque->text;
    if (const auto* member = leaf.as<EnumValue>())
        return member->repr.empty() ? member->member : member->repr;
    return '<' + typeName(value) + '>';
}

std::string rangeText(const RangeObject& range) {
    return "range(" + std::to_string(range.start) + ", " + std::to_string(range.stop) +
           (range.step == 1 ? "" : ", " + std::to_string(range.step)) + ')';
}

/// repr() of an object that is no instance.
std::string objectText(Evaluator& evaluator, const Value& value) {
    if (const auto* sequence = value.as<SequenceObject>())
        return sequenceText(evaluator, value, sequence->isList);
    if (value.as<DictObject>())
        return dictText(evaluator, value);
    if (value.as<SetObject>())
        return setText(evaluator, value);
    if (value.as<BigIntObject>())
        return integerText(value);
    if (const auto* bytes = value.as<BytesObject>())
        return bytesText(*bytes);
    if (const auto* range = value.as<RangeObject>())
        return rangeText(*range);
    if (const auto* slice = value.as<SliceObject>())
        return "slice(" + evaluator.repr(slice->start) + ", " + evaluator.repr(slice->stop) + ", " +
               evaluator.repr(slice->step) + ')';
    if (value.as<SizeObject>())
        return "torch.Size(" + sequenceText(evaluator, makeList(*itemsOf(value)), true) + ')';
    if (value.as<ClassObject>())
        return classText(evaluator, value);
    if (const auto* function = value.as<DefinedObject>())
        return "<function " + function->function->qualifiedName + at(value);
    if (const auto* native = value.as<NativeObject>())
        return nativeText(evaluator, *native);
    if (const auto* method = value.as<BoundMethodObject>())
        return boundText(evaluator, *method);
    if (const auto* module = value.as<SourceModuleObject>())
        return "<module '" + module->name + "'>";
    if (const auto* alias = value.as<AliasObject>())
        return alias->text;
    if (const auto* leaf = value.as<Argument>())
        return leafText(*leaf, value);
    if (const auto* super = value.as<SuperObject>()) {
        const auto* type = super->type.as<ClassObject>();
        return "<super: <class '" + (type ? type->data->name : "") + "'>, <" + typeName(super->self) +
               " object>>";
    }
    if (const auto* generator = value.as<GeneratorObject>())
        return "<generator object " + generator->generator->name() + at(value);
    if (const auto* method = value.as<StaticMethodObject>())
        return "<staticmethod(" + evaluator.repr(method->function) + ")>";
    if (const auto* method = value.as<ClassMethodObject>())
        return "<classmethod(" + evaluator.repr(method->function) + ")>";
    if (const auto* iterator = value.as<IteratorObject>())
        return '<' + iterator->typeName + " object" + at(value);
    return '<' + typeName(value) + " object" + at(value);
}

std::string textOf(const Value& answer, const char* method) {
    if (!plainOf(answer).isString())
        raise("TypeError", std::string(method) + " returned non-string (type " + typeName(answer) + ')');
    return plainOf(answer).text();
}

/// What the class of the value says by that method; metaclasses may speak for classes.
std::optional<std::string> ownText(Evaluator& evaluator, const Value& value, const char* method) {
    const auto* type = value.as<ClassObject>();
    if (!value.as<InstanceObject>() && !(type && !type->data->metaclass.isNone()))
        return std::nullopt;
    const Value meta = evaluator.typeOf(value);
    const Value* found = evaluator.classOf(meta).find(method);
    if (!found || (type && found->as<NativeObject>()))
        return std::nullopt;
    const RecursionGuard guard("while calling a Python object");
    const Value held = *found;
    return textOf(evaluator.call(held, {value}), method);
}

std::string dataText(const c10::IValue& data, const Value& value, Evaluator& evaluator) {
    if (data.isNone())
        return "None";
    if (data.isBool())
        return data.toBool() ? "True" : "False";
    if (data.isInt())
        return std::to_string(data.toInt());
    if (data.isDouble())
        return pythonFloat(data.toDouble());
    if (data.isComplexDouble())
        return pythonComplex({data.toComplexDouble().real(), data.toComplexDouble().imag()});
    if (data.isString())
        return pythonRepr(data.toStringRef());
    if (data.isTuple() || data.isList())
        return sequenceText(evaluator, value, data.isList());
    return '<' + typeName(value) + '>';
}

} // namespace

std::string classText(Evaluator&, const Value& type) {
    return "<class '" + className(*type.as<ClassObject>()->data) + "'>";
}

std::string defaultRepr(Evaluator& evaluator, const Value& value) {
    const ClassData& data = evaluator.classOf(evaluator.typeOf(value));
    return '<' + (data.module.empty() ? "" : data.module + '.') + data.qualifiedName + " object" + at(value);
}

uint64_t identityOf(const Value& value) {
    // Handed out in the order of asking.
    static thread_local std::unordered_map<const void*, uint64_t> numbers;
    static thread_local uint64_t next = 0x7f0000001000;
    if (isSmallInt(value))
        return 0x10000 + static_cast<uint64_t>(smallInt(value)) * 32;
    const void* key = value.object().get();
    if (!key && value.isData() && value.data().isPtrType())
        key = value.data().internalToPointer();
    if (!key)
        return 0x9000 + (value.isNone() ? 0 : hashOf(value) % 0xFFFF) * 16;
    const auto [found, isNew] = numbers.try_emplace(key, next);
    if (isNew)
        next += 64;
    return found->second;
}

std::string reprOf(Evaluator& evaluator, const Value& value) {
    if (ValueHost* host = evaluator.hostOf(value))
        return host->text(evaluator, value, true);
    if (std::optional<std::string> own = ownText(evaluator, value, "__repr__"))
        return std::move(*own);
    if (value.as<InstanceObject>())
        return defaultRepr(evaluator, value);
    return value.object() ? objectText(evaluator, value) : dataText(value.data(), value, evaluator);
}

std::string strOf(Evaluator& evaluator, const Value& value) {
    if (value.isString())
        return value.text();
    if (ValueHost* host = evaluator.hostOf(value))
        return host->text(evaluator, value, false);
    if (std::optional<std::string> own = ownText(evaluator, value, "__str__"))
        return std::move(*own);
    return reprOf(evaluator, value);
}

std::string formatOf(Evaluator& evaluator, const Value& value, const std::string& spec) {
    if (ValueHost* host = evaluator.hostOf(value))
        return host->format(evaluator, value, spec);
    if (value.as<InstanceObject>()) {
        const RecursionGuard guard("while calling a Python object");
        if (const Value* found = evaluator.classOf(evaluator.typeOf(value)).find("__format__")) {
            const Value held = *found;
            return textOf(evaluator.call(held, {value, makeText(spec)}), "__format__");
        }
    }
    return formatPlain(evaluator, value, spec);
}

std::string asciiRepr(Evaluator& evaluator, const Value& value) {
    std::string out;
    const std::string text = evaluator.repr(value);
    for (const char32_t code : decodeText(text)) {
        if (code < 0x80)
            out += static_cast<char>(code);
        else
            out += hexEscape(code);
    }
    return out;
}

} // namespace fx
