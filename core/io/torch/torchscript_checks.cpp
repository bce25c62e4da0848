// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/torchscript_checks.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle/pickle.h"
#include "core/io/zip_archive.h"
#include "core/ir/dtype.h"

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

namespace fx {

namespace {

/// LibTorch takes the sizes of tensors and storages from the pickle as they are.
class PickleCheck {
public:
    PickleCheck(const ZipArchive& zip, const std::string& name)
        : m_zip(zip), m_name(name), m_folder(name.substr(0, name.size() - 4) + '/') {}

    void check(const PickleDocument& document) {
        for (const PickleValue& value : document.values) {
            if (const auto* storage = value.as<PicklePersistent>())
                elements(*storage);
            const auto* call = value.as<PickleCall>();
            const std::string_view callable = call ? call->callable->globalName() : std::string_view();
            if (callable == "torch._utils._rebuild_tensor_v2" || callable == "torch._utils._rebuild_qtensor")
                checkTensor(*call);
            else if (callable.starts_with(kPacked))
                checkPacked(*call, callable.substr(kPacked.size()));
            else if (callable.starts_with("torch._utils.") || callable.ends_with("build_tensor_from_id"))
                throw Error(m_name, "holds a tensor that is sparse or of another kind")
                    .hint("export the model with torch.export.save and open the .pt2");
        }
    }

private:
    [[noreturn]] void fail() const {
        throw Error(m_name, "is damaged: a tensor does not lie inside its storage");
    }

    /// So many are in the storage.
    int64_t elements(const PicklePersistent& storage) const {
        const auto* id = storage.id->as<PickleTuple>();
        if (!id || id->items.size() < 5)
            fail();
        std::string_view type = id->items[1]->globalName();
        const auto* key = id->items[2]->as<std::string>();
        const auto* count = id->items[4]->as<int64_t>();
        if (!key || !count || *count < 0 || !type.starts_with("torch.") || !type.ends_with("Storage"))
            fail();
        type = type.substr(6, type.size() - 13);
        static constexpr std::pair<std::string_view, c10::ScalarType> kTypes[] = {
            {"Float", c10::kFloat},
            {"Double", c10::kDouble},
            {"Half", c10::kHalf},
            {"BFloat16", c10::kBFloat16},
            {"Long", c10::kLong},
            {"Int", c10::kInt},
            {"Short", c10::kShort},
            {"Char", c10::kChar},
            {"Byte", c10::kByte},
            {"Bool", c10::kBool},
            {"ComplexFloat", c10::kComplexFloat},
            {"ComplexDouble", c10::kComplexDouble},
            {"QInt8", c10::kQInt8},
            {"QUInt8", c10::kQUInt8},
            {"QInt32", c10::kQInt32}};
        const auto* known = std::find_if(std::begin(kTypes), std::end(kTypes),
                                         [&](const auto& t) { return t.first == type; });
        if (known == std::end(kTypes))
            throw Error(m_name, "holds a tensor of a kind that cannot be opened: " + std::string(type));
        const std::string record = m_folder + *key;
        const uint64_t size = m_zip.contains(record) ? m_zip.size(record) : 0;
        if (static_cast<uint64_t>(*count) > size / c10::elementSize(known->second))
            fail();
        return *count;
    }

    static std::optional<std::vector<int64_t>> numbers(const PickleValue& value) {
        const auto* tuple = value.as<PickleTuple>();
        if (!tuple)
            return std::nullopt;
        std::vector<int64_t> out;
        for (const PickleRef item : tuple->items) {
            const auto* number = item->as<int64_t>();
            if (!number || *number < 0)
                return std::nullopt;
            out.push_back(*number);
        }
        return out;
    }

    void checkTensor(const PickleCall& call) const {
        const auto* arguments = call.arguments->as<PickleTuple>();
        if (!arguments || arguments->items.size() < 4)
            fail();
        const auto* storage = arguments->items[0]->as<PicklePersistent>();
        const auto* offset = arguments->items[1]->as<int64_t>();
        const std::optional<std::vector<int64_t>> sizes = numbers(*arguments->items[2]);
        const std::optional<std::vector<int64_t>> strides = numbers(*arguments->items[3]);
        if (!storage || !offset || *offset < 0 || !sizes || !strides || sizes->size() != strides->size() ||
            sizes->size() > 64)
            fail();
        const auto count = static_cast<__int128>(elements(*storage));
        if (std::find(sizes->begin(), sizes->end(), 0) != sizes->end())
            return;
        __int128 last = *offset;
        for (size_t i = 0; i < sizes->size(); ++i) {
            last += static_cast<__int128>((*sizes)[i] - 1) * (*strides)[i];
            if (last >= count)
                fail();
        }
        if (last >= count)
            fail();
    }

    static constexpr std::string_view kPacked = "__torch__.torch.classes.quantized.";

    static const std::vector<PickleRef>* itemsOf(const PickleValue* value) {
        const auto* call = value ? value->as<PickleCall>() : nullptr; // of a list with a type
        if (call && call->callable->globalName().starts_with("torch.jit._pickle."))
            value = call->positional().empty() ? nullptr : call->positional()[0];
        const auto* tuple = value ? value->as<PickleTuple>() : nullptr;
        const auto* list = value ? value->as<PickleList>() : nullptr;
        return tuple ? &tuple->items : list ? &list->items : nullptr;
    }

    /// A convolution reads as many numbers of its state as it has dimensions, whether they are there or not.
    void checkPacked(const PickleCall& call, std::string_view name) const {
        if (!name.starts_with("Conv"))
            return;
        const int64_t dimensions = name.starts_with("Conv2d") ? 2 : name.starts_with("Conv3d") ? 3 : 0;
        const auto* state = itemsOf(call.state);
        const auto* tensors = state && state->size() == 3 ? itemsOf((*state)[1]) : nullptr;
        const auto* version = state && !state->empty() ? (*state)[0]->as<std::string>() : nullptr;
        const auto* numbersCall = tensors && tensors->size() == 2 ? (*tensors)[0]->as<PickleCall>() : nullptr;
        const auto* parts = numbersCall ? numbersCall->arguments->as<PickleTuple>() : nullptr;
        const auto* storage =
            parts && parts->items.size() > 3 ? parts->items[0]->as<PicklePersistent>() : nullptr;
        const auto* id = storage ? storage->id->as<PickleTuple>() : nullptr;
        const auto sizes = storage ? numbers(*parts->items[2]) : std::nullopt;
        const auto* offset = storage ? parts->items[1]->as<int64_t>() : nullptr;
        if (!dimensions || !version || *version != "2" || !id || id->items.size() < 5 || !sizes ||
            sizes->size() != 1 || (*sizes)[0] != 4 * dimensions + 3 || !offset || *offset != 0 ||
            id->items[1]->globalName() != "torch.ShortStorage" || !id->items[2]->as<std::string>())
            fail();
        const std::string bytes = m_zip.read(m_folder + *id->items[2]->as<std::string>());
        if (bytes.size() < 2 || bytes[0] != static_cast<char>(dimensions) || bytes[1] != 0)
            fail();
    }

    const ZipArchive& m_zip;
    std::string m_name, m_folder;
};

/// Where the code was written: LibTorch takes the numbers of texts and places in them as they are.
class PlacesCheck {
public:
    explicit PlacesCheck(const std::string& name) : m_name(name) {}

    void check(const PickleDocument& document) {
        const std::vector<PickleRef>* parts = itemsOf(*document.root);
        if (!parts)
            fail();
        const auto* format = parts->empty() ? nullptr : (*parts)[0]->as<std::string>();
        if (format) {
            const auto* texts = parts->size() == 3 ? itemsOf(*(*parts)[1]) : nullptr;
            parts = parts->size() == 3 ? itemsOf(*(*parts)[2]) : nullptr;
            if (*format != "FORMAT_WITH_STRING_TABLE" || !texts || !parts)
                fail();
            for (const PickleRef text : *texts) {
                if (!text->as<std::string>())
                    fail();
                m_lengths.push_back(text->as<std::string>()->size());
            }
        }
        for (const PickleRef record : *parts)
            checkRecord(*record, format != nullptr);
    }

private:
    [[noreturn]] void fail() const {
        throw Error(m_name, "is damaged: the places of the code in its source are wrong");
    }

    static const std::vector<PickleRef>* itemsOf(const PickleValue& value) {
        if (const auto* tuple = value.as<PickleTuple>())
            return &tuple->items;
        if (const auto* list = value.as<PickleList>())
            return &list->items;
        const auto* call = value.as<PickleCall>();
        if (!call || call->callable->globalName() != "torch.jit._pickle.build_intlist")
            return nullptr;
        const auto* arguments = call->arguments->as<PickleTuple>();
        const auto* list =
            arguments && arguments->items.size() == 1 ? arguments->items[0]->as<PickleList>() : nullptr;
        return list ? &list->items : nullptr;
    }

    static int64_t number(const PickleValue& value) {
        return value.as<int64_t>() ? *value.as<int64_t>() : -1;
    }

    /// The length of the text with that number.
    uint64_t length(const PickleValue& index) const {
        const int64_t at = number(index);
        if (at < 0 || static_cast<uint64_t>(at) >= m_lengths.size())
            fail();
        return m_lengths[static_cast<size_t>(at)];
    }

    void checkRecord(const PickleValue& record, bool hasTable) {
        const auto* parts = itemsOf(record);
        const auto* range =
            parts && (parts->size() == 2 || parts->size() == 3) ? itemsOf(*(*parts)[1]) : nullptr;
        const auto* source = range && range->size() == 3 ? itemsOf(*(*range)[0]) : nullptr;
        if (!source || source->size() != 3 || number(*(*parts)[0]) < 0 || number(*(*source)[2]) < 0 ||
            (parts->size() == 3 && number(*(*parts)[2]) < -1))
            fail();
        const auto [known, isNew] = m_sources.try_emplace((*range)[0]);
        if (isNew) {
            if (hasTable) {
                const auto* lines = itemsOf(*(*source)[0]);
                if (!lines)
                    fail();
                for (const PickleRef line : *lines)
                    known->second += length(*line);
                length(*(*source)[1]);
            } else {
                const auto* text = (*source)[0]->as<std::string>();
                if (!text || (!(*source)[1]->as<std::string>() && !(*source)[1]->isNone()))
                    fail();
                known->second = text->size();
            }
        }
        const int64_t start = number(*(*range)[1]), end = number(*(*range)[2]);
        if (start < 0 || end < start ||
            static_cast<uint64_t>(end) > known->second + 1) // an empty source has one place
            fail();
    }

    std::string m_name;
    std::vector<uint64_t> m_lengths;
    std::map<PickleRef, uint64_t> m_sources;
};

/// Whether what runs while a file is loaded stores what it is given and packs weights, as torch.ao's layers
/// do.
bool onlyPacks(const std::string& text) {
    static constexpr std::string_view kCalls[] = {"set_weight_bias",
                                                  "torch.eq",
                                                  "torch.ne",
                                                  "torch.__is__",
                                                  "torch.__isnot__",
                                                  "annotate",
                                                  "tuple",
                                                  "unchecked_cast",
                                                  "uninitialized",
                                                  "ops.prim.RaiseException",
                                                  "def"};
    bool isRunning = false; // in the body of a method that runs then
    size_t indent = 0;
    for (const std::string_view line : split(text, '\n')) {
        const size_t start = line.find_first_not_of(' ');
        if (start == std::string_view::npos)
            continue;
        const std::string_view code = line.substr(start);
        if (code.starts_with("def ") || code.starts_with("class ")) {
            indent = start;
            isRunning = code.starts_with("def __setstate__(") || code.starts_with("def set_weight_bias(");
            continue;
        }
        if (!isRunning || start <= indent)
            continue;
        if (code.starts_with("for ") || code.starts_with("while "))
            return false;
        for (size_t at = code.find('('); at != std::string_view::npos; at = code.find('(', at + 1)) {
            size_t begin = at;
            while (begin > 0 && (std::isalnum(static_cast<unsigned char>(code[begin - 1])) ||
                                 code[begin - 1] == '_' || code[begin - 1] == '.'))
                --begin;
            std::string_view called = code.substr(begin, at - begin);
            if (called.starts_with('.')) // (self).set_weight_bias
                called.remove_prefix(1);
            const bool isPacking = called.starts_with("ops.quantized.") && called.ends_with("_prepack");
            const bool isBracket = called.empty() || called == "if" || called == "return";
            if (!isBracket && !isPacking && !called.starts_with("ops.quantized.linear_prepack") &&
                std::ranges::find(kCalls, called) == std::end(kCalls))
                return false;
        }
    }
    return true;
}

/// LibTorch's parser calls itself for each bracket and each level of indentation; programs stay far below.
void checkCode(const std::string& text, const std::string& name) {
    constexpr int kDeepest = 256;
    constexpr size_t kWidestIndent = 400;
    int depth = 0;
    size_t operators = 0;
    char quote = 0;
    size_t indent = 0;
    bool isLineStart = true;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            isLineStart = true;
            indent = 0;
            operators = 0;
            quote = 0;
            continue;
        }
        if (isLineStart && (c == ' ' || c == '\t')) {
            if (++indent > kWidestIndent)
                throw Error(name, "its code is nested too deeply");
            continue;
        }
        isLineStart = false;
        if (quote) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
            continue;
        }
        if (c == '"' || c == '\'')
            quote = c;
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        operators = c == '-' || c == '~' || c == '*' || c == '!' ? operators + 1 : c == ' ' ? operators : 0;
        if (depth > kDeepest || operators > kDeepest)
            throw Error(name, "its code is nested too deeply");
    }
    if (contains(text, "__setstate__") && !onlyPacks(text))
        throw Error(name, "runs code of the file while it is loaded (__setstate__)")
            .hint("export the model with torch.export.save and open the .pt2");
}

} // namespace

void checkTorchScript(const ZipArchive& zip) {
    constexpr uint64_t kMostCode = 64u << 20;
    uint64_t code = 0;
    for (const std::string& name : zip.names()) {
        if (contains(name, "/code/") || name.ends_with("pkl")) {
            code += zip.size(name);
            if (code > kMostCode)
                throw Error(zip.path(), "holds more than " + byteText(kMostCode) + " of code");
            const std::string text = zip.read(name);
            if (name.ends_with(".py"))
                checkCode(text, name);
            else if (name.ends_with("/data.pkl") || name.ends_with("/constants.pkl"))
                PickleCheck(zip, name).check(readPickle(text, name));
            else if (name.ends_with(".debug_pkl"))
                PlacesCheck(name).check(readPickle(text, name));
        } else if (zip.size(name) > 0) {
            try {
                zip.map(name).verify();
            } catch (const Error&) {
                zip.read(name); // compressed
            }
        }
    }
}

} // namespace fx
