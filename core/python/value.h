// SPDX-License-Identifier: GPL-3.0-or-later
// What flows when a program runs or Python is evaluated. Data is a c10::IValue; what LibTorch has no value
// for (containers of anything, functions, classes, modules, proxies) is an object beside it, shared by
// reference.
#pragma once

#include "core/ir/argument.h"

#include <ATen/core/ivalue.h>
#include <c10/util/intrusive_ptr.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fx {

struct Object;
class Evaluator;
class BigInt;
class Generator;
class ValueHost;
struct DefinedFunction;
struct ClassData;

/// A value is None, data, or a reference to an object. Copies of an object share it, as in Python.
class Value {
public:
    Value() = default;                                   ///< None
    Value(c10::IValue data) : m_data(std::move(data)) {} // NOLINT: data is a value
    Value(Object&& object);                              // NOLINT: an object is a value
    explicit Value(c10::intrusive_ptr<Object> object) : m_object(std::move(object)) {}

    Value& operator=(c10::IValue&& data) {
        m_data = std::move(data);
        if (m_object)
            m_object.reset();
        return *this;
    }

    bool isData() const { return !m_object; }
    bool isNone() const { return !m_object && m_data.isNone(); }
    bool isTensor() const { return !m_object && m_data.isTensor(); }
    bool isBool() const { return !m_object && m_data.isBool(); }
    bool isInt() const { return !m_object && m_data.isInt(); }
    bool isDouble() const { return !m_object && m_data.isDouble(); }
    bool isString() const { return !m_object && m_data.isString(); }
    const std::string& text() const { return m_data.toStringRef(); } ///< of a str
    const c10::IValue& data() const { return m_data; }
    c10::IValue& data() { return m_data; }
    const c10::intrusive_ptr<Object>& object() const { return m_object; }
    template <class T>
    T* as() const;
    /// Python's `is`.
    bool isSame(const Value& other) const;

private:
    c10::IValue m_data;
    c10::intrusive_ptr<Object> m_object;
};

using Values = std::vector<Value>;
using NamedValues = std::vector<std::pair<std::string, Value>>;

/// hash(value) and ==, as dicts use them. Throw Error of kind "TypeError" for what cannot be hashed.
size_t hashOf(const Value& value);
/// That of a str.
inline size_t hashText(std::string_view text) {
    return std::hash<std::string_view>()(text);
}
/// Whether that is Python's own hash, the same in each of its processes: of numbers, and of tuples and
/// frozensets of them.
bool isHashPythons(const Value& value);
bool areEqual(const Value& a, const Value& b);

/// A tuple or list whose items need not be data.
struct SequenceObject {
    Values items;
    bool isList = false;
};

/// A text as a key, hashed once for a search in many dicts.
struct TextKey {
    TextKey(std::string_view text); // NOLINT: a text is a key
    TextKey(const char* text) : TextKey(std::string_view(text)) {}
    TextKey(const std::string& text) : TextKey(std::string_view(text)) {}
    std::string_view text;
    size_t hash;
};

/// Keys keep their order. An entry that is erased stays as a gap for a while, so that erasing costs no search
/// through the others; entries() closes the gaps, and moves the entries.
class DictObject {
public:
    struct Entry {
        Value key, value;
        size_t hash = 0;
    };
    DictObject() = default;

    const std::vector<Entry>& entries() const {
        if (m_gaps > 0)
            const_cast<DictObject*>(this)->rebuild();
        return m_entries;
    }
    /// The first entry from `at` on, which then is its place; null at the end. Closes no gaps.
    const Entry* entryFrom(size_t& at) const;
    size_t size() const { return m_entries.size() - m_gaps; }
    bool empty() const { return size() == 0; }
    Value* find(const Value& key);
    Value* find(const TextKey& key);
    const Value* find(const TextKey& key) const { return const_cast<DictObject*>(this)->find(key); }
    void set(const Value& key, Value value);
    void set(std::string_view key, Value value);
    bool erase(const Value& key);
    bool erase(std::string_view key);
    void clear();
    /// Grows with each change of the set of keys: iteration notices it.
    uint64_t version() const { return m_version; }
    /// From now on, moves() grows whenever an entry of this dict may no longer be where find() has seen it.
    void watch() const { m_watch.isOn = true; }
    static uint64_t moves() { return Watch::moves.load(std::memory_order_relaxed); }

private:
    /// Belongs to one dict: a copy of that is not watched.
    struct Watch {
        Watch() = default;
        Watch(const Watch&) noexcept {}
        Watch(Watch&& from) noexcept { from.tell(); }
        Watch& operator=(const Watch& from) noexcept {
            from.tell(); // which may have been moved from
            tell();
            return *this;
        }
        ~Watch() { tell(); }
        void tell() const noexcept {
            if (isOn)
                moves.fetch_add(1, std::memory_order_relaxed);
        }
        bool isOn = false;
        static std::atomic<uint64_t> moves;
    };

    template <class Matches>
    ptrdiff_t locate(size_t hash, Matches matches) const;
    void append(Value key, Value value, size_t hash);
    void remove(ptrdiff_t at);
    void rebuild();

    std::vector<Entry> m_entries;
    std::vector<int32_t> m_buckets; ///< open addressing into the entries; empty while there are few of them
    size_t m_gaps = 0;              ///< erased entries among m_entries
    size_t m_first = 0;             ///< all before it are gaps
    size_t m_filled = 0;            ///< buckets that are not free
    uint64_t m_version = 0;
    mutable Watch m_watch;
};

/// What a set holds, in the order in which CPython would go through it: that of its hash table, where the
/// hash of each key is Python's own, else that of insertion (which Python draws anew in each process).
class SetTable {
public:
    using Entry = DictObject::Entry; ///< whose value is None

    SetTable();
    SetTable(const SetTable& other);
    SetTable(SetTable&& other) noexcept;
    SetTable& operator=(SetTable other) noexcept;
    ~SetTable();

    /// In order of iteration.
    const std::vector<Entry>& entries() const;
    const Entry* entryFrom(size_t& at) const { return at < size() ? &entries()[at] : nullptr; }
    size_t size() const { return m_items.size(); }
    bool empty() const { return m_items.empty(); }
    bool has(const Value& key) const { return const_cast<DictObject&>(m_items).find(key) != nullptr; }
    void add(const Value& key);
    bool erase(const Value& key);
    /// Of a set that is not empty.
    Value pop();
    void clear();
    void merge(const SetTable& other);
    /// As set.copy() makes it: its order may differ.
    SetTable copied() const;
    /// So many keys will be added.
    void expect(size_t count);
    /// Many keys were erased.
    void shrink();
    uint64_t version() const { return m_items.version(); }

private:
    struct Slots;
    void grow(size_t least);

    DictObject m_items;
    std::unique_ptr<Slots>
        m_slots; ///< none while nothing was added, and where the order is that of insertion
};

struct SetObject {
    SetTable table;
    bool isFrozen = false;
};
struct SliceObject {
    Value start, stop, step;
};
struct RangeObject {
    int64_t start = 0, stop = 0, step = 1;
    int64_t length() const;
};
struct BytesObject {
    std::string bytes;
    bool isArray = false; ///< bytearray
};
/// An int beyond 64 bits.
struct BigIntObject {
    std::shared_ptr<const BigInt> value;
};
/// torch.Size.
struct SizeObject {
    std::vector<int64_t> sizes;
};
/// "torch.relu", "operator.add", "len": a function that the host knows by name.
struct FunctionObject {
    Target target;
};
/// A bound method of a host's value, not yet called: `tensor.mean`.
struct MethodObject {
    Value self;
    std::string name;
};
/// "torch", "torch.nn.functional": a place that names hang from.
struct NamespaceObject {
    std::string path;
};
/// A submodule of the model that runs.
struct ModuleObject {
    ModuleId module;
};

// --- What mini-Python adds.

/// A function written in C++.
struct NativeObject {
    using Call = std::function<Value(Evaluator&, Values& args, NamedValues& kwargs)>;
    std::string name;
    Call call;
    bool bindsSelf = false; ///< in a class: becomes a bound method, as the methods of builtin types do
};
struct DefinedObject {
    std::shared_ptr<DefinedFunction> function;
};
struct BoundMethodObject {
    Value self, function;
};
struct ClassObject {
    std::shared_ptr<ClassData> data;
};
struct InstanceObject {
    Value type;    ///< a ClassObject
    Value dict;    ///< a DictObject
    Value payload; ///< of a subclass of a builtin type, the builtin value: list, dict, str, the args of an
                   ///< exception
};
/// What an `import` of Python source gives.
struct SourceModuleObject {
    std::string name;
    Value dict;
};
struct PropertyObject {
    Value getter, setter, deleter;
};
struct StaticMethodObject {
    Value function;
};
struct ClassMethodObject {
    Value function;
};
struct SuperObject {
    Value type, self;
};
/// list[int], Optional[Tensor] as a value.
struct AliasObject {
    Value origin;
    Values arguments;
    std::string text; ///< how it prints
};
/// Gives the next value, or nothing at the end.
struct IteratorObject {
    std::function<std::optional<Value>()> next;
    std::string typeName;
};
struct GeneratorObject {
    std::shared_ptr<Generator> generator;
};
struct CellObject {
    std::optional<Value> value;
};
/// A value of a graph that is being traced: a node of it, or an attribute of one that is not yet read.
struct ProxyObject {
    NodeId node;                        ///< none while the attribute is not yet a node
    Value owner;                        ///< of an attribute: the proxy that it is read from
    std::string attribute;              ///< empty: none
    std::optional<Value> concrete = {}; ///< of a parameter: the tensor behind it
};
/// What another part of the program holds for a Python program, such as a node of a graph that it edits: only
/// the host knows what is in it.
struct HandleObject {
    ValueHost* host;
    std::string typeName; ///< its class's, among the evaluator's builtin classes
    std::shared_ptr<void> content;
};

struct Object : c10::intrusive_ptr_target {
    /// The Argument is a leaf that LibTorch has no value for: dtype, layout, memory format, Ellipsis.
    using Kind =
        std::variant<Argument, SequenceObject, DictObject, SetObject, SliceObject, RangeObject, BytesObject,
                     BigIntObject, SizeObject, FunctionObject, MethodObject, NamespaceObject, ModuleObject,
                     NativeObject, DefinedObject, BoundMethodObject, ClassObject, InstanceObject,
                     SourceModuleObject, PropertyObject, StaticMethodObject, ClassMethodObject, SuperObject,
                     AliasObject, IteratorObject, GeneratorObject, CellObject, ProxyObject, HandleObject>;
    template <class T>
    Object(T value) : kind(std::move(value)) { // NOLINT: each of the kinds is an object
        ++t_alive;
    }
    Object(Object&& other) noexcept : kind(std::move(other.kind)) { ++t_alive; }
    Object& operator=(Object&&) = default;
    /// Takes deep structures down one by one, without recursion.
    ~Object() override;
    /// How many this thread has made and not destroyed: what a program's memory is measured by.
    static int64_t alive() { return t_alive; }
    Kind kind;

private:
    static thread_local constinit int64_t t_alive;
};

inline Value::Value(Object&& object) : m_object(c10::make_intrusive<Object>(std::move(object))) {}

template <class T>
T* Value::as() const {
    return m_object ? std::get_if<T>(&m_object->kind) : nullptr;
}

Value makeTuple(Values items);
Value makeList(Values items);
inline Value makeInt(int64_t value) {
    return c10::IValue(value);
}
inline Value makeText(std::string value) {
    return c10::IValue(std::move(value));
}
inline Value makeNative(std::string name, NativeObject::Call call) {
    return Object{NativeObject{std::move(name), std::move(call)}};
}
/// A tuple or list: as data where all items allow it, else as an object.
Value makeSequence(Values items, bool isList);
Value makeDict(std::vector<std::pair<Value, Value>> items);
/// A constant of a graph as a value; its nodes are looked up with `nodeValue`.
Value makeValue(const Argument& argument, const std::function<Value(NodeId)>& nodeValue);

/// The items of a tuple, list or torch.Size (of a subclass of them too); none for anything else.
std::optional<Values> itemsOf(const Value& value);
/// The builtin value that an instance of a subclass of a builtin type holds; else the value itself.
const Value& plainOf(const Value& value);
/// The value as a proxy, which may be an instance of a class that a program derives from Proxy; else null.
inline ProxyObject* asProxy(const Value& value) {
    return plainOf(value).as<ProxyObject>();
}
/// Python's name of the type: "Tensor", "int", "NoneType", the name of an instance's class.
std::string typeName(const Value& value);
/// Python's truth of a value; throws for a tensor with more or less than one element, as Python does.
bool isTrue(const Value& value);

/// Throws an Error of that kind: raise("TypeError", "'int' object is not callable").
[[noreturn]] void raise(std::string_view kind, const std::string& message);

} // namespace fx
