// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/signatures.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace fx {

std::string_view torchTables(std::string_view name); // generated from tables/*.txt

namespace {

struct TypeRow {
    std::string_view inTable, inMessages;
    ParameterType type;
};

constexpr TypeRow kTypes[] = {
    {"Tensor", "Tensor", ParameterType::Tensor},
    {"Scalar", "Number", ParameterType::Scalar},
    {"int64_t", "int", ParameterType::Int},
    {"SymInt", "int", ParameterType::SymInt},
    {"DeviceIndex", "int", ParameterType::Int},
    {"double", "float", ParameterType::Float},
    {"TensorList", "tuple of Tensors", ParameterType::TensorList},
    {"c10::List<::std::optional<Tensor>>", "tuple of Tensors", ParameterType::TensorList},
    {"IntArrayRef", "tuple of ints", ParameterType::IntList},
    {"SymIntArrayRef", "tuple of ints", ParameterType::IntList},
    {"ArrayRef<double>", "tuple of floats", ParameterType::FloatList},
    {"ScalarList", "tuple of Scalars", ParameterType::ScalarList},
    {"Generator", "torch.Generator", ParameterType::Generator},
    {"bool", "bool", ParameterType::Bool},
    {"Storage", "torch.Storage", ParameterType::Storage},
    {"PyObject*", "object", ParameterType::Object},
    {"ScalarType", "torch.dtype", ParameterType::DType},
    {"Layout", "torch.layout", ParameterType::Layout},
    {"MemoryFormat", "torch.memory_format", ParameterType::MemoryFormat},
    {"Device", "torch.device", ParameterType::Device},
    {"Stream", "torch.Stream", ParameterType::Stream},
    {"c10::string_view", "str", ParameterType::Text},
};

SignatureParameter parameterOf(std::string_view text) {
    SignatureParameter out;
    const size_t space = text.find(' ');
    std::string_view type = text.substr(0, space);
    out.name = text.substr(space + 1);
    if (const size_t equals = out.name.find('='); equals != std::string_view::npos) {
        out.defaultText = out.name.substr(equals + 1);
        out.name = out.name.substr(0, equals);
    }
    if (type.ends_with("?")) {
        out.allowsNone = true;
        type.remove_suffix(1);
    }
    out.allowsNone |= out.defaultText == "None";
    if (type.ends_with("]")) {
        const size_t bracket = type.find('[');
        std::from_chars(type.data() + bracket + 1, type.data() + type.size(), out.size);
        type = type.substr(0, bracket);
    }
    const auto* row = std::ranges::find(kTypes, type, &TypeRow::inTable);
    if (row == std::end(kTypes))
        throw std::logic_error("signature table: unknown type '" + std::string(type) + "'");
    out.type = row->type;
    return out;
}

std::string messageText(const CallSignature& signature) {
    std::string out = "(";
    bool wasKeywordOnly = false;
    for (const SignatureParameter& parameter : signature.parameters) {
        if (&parameter != signature.parameters.data())
            out += ", ";
        if (parameter.isKeywordOnly && !wasKeywordOnly)
            out += "*, ";
        wasKeywordOnly = parameter.isKeywordOnly;
        out += std::string(typeText(parameter.type)) + ' ' + std::string(parameter.name);
        if (parameter.isOptional())
            out += " = " + std::string(parameter.defaultText);
    }
    return out + ')';
}

/// The end of the parenthesis that `text` opens with; defaults may hold others in quotes, but none does.
size_t closing(std::string_view text) {
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    throw std::logic_error("signature table: missing parenthesis");
}

} // namespace

/// Finds the lines of each name at once, and reads them when they are first asked for.
class SignatureTable {
public:
    explicit SignatureTable(std::string_view text) {
        std::string_view nameSpace;
        Lines* last = nullptr;
        for (std::string_view line : split(text, '\n')) {
            if (line.starts_with("@ ")) {
                nameSpace = line.substr(2);
            } else if (line.starts_with("  ")) {
                last->signatures.push_back(line.substr(2));
            } else if (!line.empty() && !line.starts_with("#")) {
                const std::string_view name = line.substr(0, line.find(' '));
                last = &m_lines[std::string(nameSpace) + '.' + std::string(name)];
                last->name = name;
                last->mark = line.substr(std::min(line.size(), name.size() + 1));
            }
        }
    }

    const SignatureGroup* find(std::string_view nameSpace, std::string_view name) {
        std::string key(nameSpace);
        key.append(1, '.').append(name);
        std::lock_guard lock(m_mutex);
        return findLocked(nameSpace, key);
    }

private:
    struct Lines {
        std::string_view name, mark;
        std::vector<std::string_view> signatures;
        std::optional<SignatureGroup> group;
    };

    const SignatureGroup* findLocked(std::string_view nameSpace, const std::string& key) {
        const auto found = m_lines.find(key);
        if (found == m_lines.end())
            return nullptr;
        Lines& lines = found->second;
        if (lines.mark.starts_with("= "))
            return findLocked(nameSpace, std::string(nameSpace) + '.' + std::string(lines.mark.substr(2)));
        if (!lines.group)
            lines.group = read(lines);
        return &*lines.group;
    }

    SignatureGroup read(const Lines& lines) {
        SignatureGroup group{lines.name, lines.mark == "!", {}};
        for (const std::string_view line : lines.signatures)
            group.signatures.push_back(signatureOf(lines.name, line));
        std::ranges::stable_partition(group.signatures,
                                      [](const CallSignature& s) { return !s.isDeprecated; });
        return group;
    }

    CallSignature signatureOf(std::string_view name, std::string_view line) {
        CallSignature out;
        out.name = name;
        const size_t end = closing(line);
        bool isKeywordOnly = false;
        const std::string_view inside = line.substr(1, end - 1);
        for (size_t start = 0; start < inside.size();) {
            const size_t comma = std::min(inside.find(", ", start), inside.size());
            const std::string_view word = inside.substr(start, comma - start);
            start = comma + 2;
            if (word == "*") {
                isKeywordOnly = true;
                continue;
            }
            SignatureParameter& parameter = out.parameters.emplace_back(parameterOf(word));
            parameter.isKeywordOnly = isKeywordOnly;
            parameter.takesNumbers = takesNumbersAsTensors(name);
            out.least += !parameter.isOptional();
            out.mostPositional += !isKeywordOnly;
        }
        readTail(out, line.substr(end + 1));
        out.m_text = m_texts.emplace_back(messageText(out));
        return out;
    }

    /// "|deprecated add.Tensor add.out : self, other, alpha"
    static void readTail(CallSignature& out, std::string_view tail) {
        out.isDeprecated = tail.starts_with("|deprecated");
        out.isHidden = tail.starts_with("|");
        const size_t colon = tail.find(" : ");
        if (colon != std::string_view::npos)
            for (const std::string_view word : split(tail.substr(colon + 3), ','))
                out.handedOn.push_back(trim(word));
        const std::vector<std::string_view> words = split(tail.substr(0, colon), ' ');
        if (words.size() > 1 && words[1] != "-")
            out.op = words[1];
        if (words.size() > 2)
            out.outOp = words[2];
    }

    std::mutex m_mutex;
    std::unordered_map<std::string, Lines> m_lines;
    std::deque<std::string> m_texts; ///< stay where they are
};

const SignatureGroup* findSignatures(std::string_view nameSpace, std::string_view name) {
    static SignatureTable table(torchTables("signatures.txt"));
    return table.find(nameSpace, name);
}

const SignatureGroup* findSignatures(std::string_view qualifiedName) {
    const size_t dot = qualifiedName.rfind('.');
    return dot == std::string_view::npos
               ? nullptr
               : findSignatures(qualifiedName.substr(0, dot), qualifiedName.substr(dot + 1));
}

bool takesNumbersAsTensors(std::string_view name) {
    static constexpr std::string_view kNames[] = {"add",      "div", "divide",   "floor_divide", "mul",
                                                  "multiply", "sub", "subtract", "true_divide"};
    if (name == "to" || name == "_to_copy" || name == "copy_")
        return true;
    if (name.ends_with("_"))
        name.remove_suffix(1);
    return std::ranges::find(kNames, name) != std::end(kNames);
}

std::string_view typeText(ParameterType type) {
    return std::ranges::find(kTypes, type, &TypeRow::type)->inMessages;
}

} // namespace fx
