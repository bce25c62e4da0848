// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a pickle of protocol 2 as torch.save does, beside the storages of its tensors. Tensors are untyped
// storages with a dtype (_rebuild_tensor_v3), the one form that all dtypes have; those that share a storage
// go on sharing it. What classes and functions it names is up to who writes.
#pragma once

#include "core/ir/argument.h"
#include "core/python/value.h"

#include <c10/util/ArrayRef.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace at {
class Tensor;
}

namespace fx {

class PickleWriter {
public:
    PickleWriter() : m_out("\x80\x02") {}
    ~PickleWriter();

    // --- What stands in a pickle, each after what came before.
    void none() { m_out += 'N'; }
    void boolean(bool value) { m_out += value ? '\x88' : '\x89'; }
    void integer(int64_t value);
    void number(double value);
    void text(const std::string& value);
    void global(std::string_view module, std::string_view name);
    void integers(c10::IntArrayRef values); ///< a tuple
    /// A value of plain data, tensors and containers of them. Throws an Error without a place for others.
    void value(const Value& value);
    /// The same of an attribute or argument.
    void argument(const Argument& argument);
    void tensor(const at::Tensor& given, bool requiresGrad = false);
    void parameter(const at::Tensor& given, bool requiresGrad);

    // --- Containers: begin, what is in them, end.
    void beginTuple() { m_out += '('; }
    void endTuple() { m_out += 't'; }
    void beginList() { m_out += "]("; }
    void endList() { m_out += 'e'; }
    void beginDict() { m_out += "}("; }
    void endDict() { m_out += 'u'; }
    void emptyOrderedDict();
    /// Ends as a dict does.
    void beginOrderedDict();

    // --- Calls: the callable, the tuple of its arguments, then one of these.
    void reduce() { m_out += 'R'; }
    void newObject() { m_out += "\x81"; } ///< __new__ of the class
    void build() { m_out += 'b'; }        ///< sets the state that follows the object

    // --- What occurs more than once: the object that was just written is kept, and taken again by its key.
    void remember(const void* key);
    bool recall(const void* key);

    std::string take() { return std::move(m_out) + '.'; }
    /// Tensors whose storages are the records data/0, data/1, ...
    const std::vector<at::Tensor>& storages() const { return m_storages; }

private:
    template <class T>
    void raw(T number) {
        m_out.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    void device(c10::Device given);
    void place(const at::Tensor& tensor, const char* module, const std::string& storageClass,
               size_t elementSize);
    void quantized(const at::Tensor& tensor);
    void sparse(const at::Tensor& tensor);

    std::string m_out;
    std::map<const void*, uint32_t> m_memo;
    std::map<const void*, size_t> m_keys;
    std::vector<at::Tensor> m_storages;
};

} // namespace fx
