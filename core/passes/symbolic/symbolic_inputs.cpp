// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/symbolic/symbolic_inputs.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/dtype.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <charconv>

namespace fx {

std::optional<int64_t> wholeNumber(std::string_view text) {
    int64_t out = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out);
    return fault == std::errc() && end == text.data() + text.size() && out >= 0 ? std::optional(out)
                                                                                : std::nullopt;
}

namespace {

const ValueMeta* recordedValue(const Node& node) {
    return knownValue(node.meta);
}

/// What a recorded dimension was.
std::optional<int64_t> sizeOf(const Dimension& dimension) {
    const auto* symbol = std::get_if<SymbolicInt>(&dimension);
    return symbol ? symbol->hint : std::get<int64_t>(dimension);
}

class Reader {
public:
    explicit Reader(const Model& model) : m_model(model) {}

    SymbolicInputs read(const std::string& text) {
        if (trim(text) == "recorded")
            readRecorded();
        else
            for (const std::string_view part : split(text, ';'))
                if (!trim(part).empty())
                    readOne(trim(part));
        if (m_out.symbols.empty())
            throw Error("'" + text + "'", "has no symbol")
                .hint("name the sizes that may differ: x=[N,3,H,W]");
        return std::move(m_out);
    }

private:
    void readOne(std::string_view text) {
        const std::string place = "'" + std::string(text) + "'";
        const size_t equals = text.find('=');
        const std::string name(trim(text.substr(0, equals)));
        std::string_view value = equals == std::string_view::npos ? "" : trim(text.substr(equals + 1));
        const size_t open = value.find('['), close = value.rfind(']');
        const Node* node = placeholder(name);
        if (!node)
            throw Error(place, "the model has no input '" + name + "'").hint("fxscope info MODEL lists them");
        SymbolicInput input{.node = node->id, .name = name};
        const auto* recorded = recordedValue(*node);
        const auto* tensor = recorded ? std::get_if<TensorMeta>(&recorded->value) : nullptr;
        if (open != 0 && !value.empty() && (isIdentifier(value) || wholeNumber(value))) {
            input.isNumber = true;
            input.sizes.push_back(size(place, value, std::nullopt));
        } else {
            if (open != 0 || close == std::string_view::npos)
                throw Error(place, "is not of the form NAME=[SIZE, ...]").hint("x=[N,3,H,W]");
            const std::string_view inside = trim(value.substr(1, close - 1));
            const std::vector<std::string_view> sizes =
                inside.empty() ? std::vector<std::string_view>() : split(inside, ',');
            if (tensor && tensor->shape.size() != sizes.size())
                throw Error(place, "has " + plural(sizes.size(), "size") + ", the input was recorded with " +
                                       std::to_string(tensor->shape.size()));
            for (size_t i = 0; i < sizes.size(); ++i)
                input.sizes.push_back(
                    size(place, trim(sizes[i]), tensor ? sizeOf(tensor->shape[i]) : std::nullopt));
            const std::string_view rest = trim(value.substr(close + 1));
            const auto dtype = rest.starts_with(':') ? dtypeFromName(trim(rest.substr(1))) : std::nullopt;
            if (!rest.empty() && !dtype)
                throw Error(place, "'" + std::string(rest) + "' is no dtype").hint("ids=[N,T]:int64");
            input.dtype = dtype ? *dtype : tensor ? tensor->dtype : c10::ScalarType::Float;
        }
        add(place, std::move(input));
    }

    SymbolicInput::Size size(const std::string& place, std::string_view text, std::optional<int64_t> hint) {
        if (const std::optional<int64_t> number = wholeNumber(text))
            return *number;
        const size_t equals = text.find('=');
        const std::string name(trim(text.substr(0, equals)));
        if (equals != std::string_view::npos)
            hint = wholeNumber(trim(text.substr(equals + 1)));
        if (!isIdentifier(name) || (equals != std::string_view::npos && !hint))
            throw Error(place, "'" + std::string(text) + "' is neither a number nor a name")
                .hint("sizes are such as 3, N, or H=224 for one that was 224");
        addSymbol(name, hint);
        return name;
    }

    void addSymbol(const std::string& name, std::optional<int64_t> hint) {
        if (std::ranges::find(m_out.symbols, name) == m_out.symbols.end())
            m_out.symbols.push_back(name);
        if (hint && *hint >= 2)
            m_out.hints.try_emplace(name, *hint);
    }

    void add(const std::string& place, SymbolicInput input) {
        for (const SymbolicInput& other : m_out.inputs)
            if (other.node == input.node)
                throw Error(place, "gives '" + input.name + "' once more");
        m_out.inputs.push_back(std::move(input));
    }

    void readRecorded() {
        for (const NodeId id : m_model.graph().findNodes(Opcode::Placeholder)) {
            const Node& node = m_model.graph().node(id);
            const ValueMeta* recorded = recordedValue(node);
            SymbolicInput input{.node = id, .name = node.name};
            if (const auto* scalar = recorded ? std::get_if<SymbolicScalar>(&recorded->value) : nullptr;
                scalar && scalar->kind == SymbolicScalar::Kind::Int) {
                input.isNumber = true;
                input.sizes.push_back(recordedSize(node, SymbolicInt{scalar->formula, hintOf(*scalar)}));
            } else if (const auto* tensor = recorded ? std::get_if<TensorMeta>(&recorded->value) : nullptr) {
                input.dtype = tensor->dtype;
                for (const Dimension& dimension : tensor->shape)
                    input.sizes.push_back(recordedSize(node, dimension));
            } else {
                continue;
            }
            m_out.inputs.push_back(std::move(input));
        }
    }

    static std::optional<int64_t> hintOf(const SymbolicScalar& scalar) {
        return scalar.hint ? std::optional(static_cast<int64_t>(*scalar.hint)) : std::nullopt;
    }

    SymbolicInput::Size recordedSize(const Node& node, const Dimension& dimension) {
        const auto* symbol = std::get_if<SymbolicInt>(&dimension);
        if (!symbol)
            return std::get<int64_t>(dimension);
        if (!isIdentifier(symbol->formula))
            throw Error("input '" + node.name + "'", "has a size that is a formula: " + symbol->formula)
                .hint("say which sizes are symbols: " + node.name + "=[N, ...]");
        addSymbol(symbol->formula, symbol->hint);
        return symbol->formula;
    }

    const Node* placeholder(const std::string& name) const {
        const NodeId id = m_model.graph().find(name);
        return id && m_model.graph().node(id).opcode == Opcode::Placeholder ? &m_model.graph().node(id)
                                                                            : nullptr;
    }

    const Model& m_model;
    SymbolicInputs m_out;
};

Value onMeta(const Value& value) {
    return value.isTensor() ? Value(c10::IValue(value.data().toTensor().to(c10::kMeta))) : value;
}

const SymbolicInput* find(const SymbolicInputs& inputs, NodeId node) {
    const auto found = std::ranges::find(inputs.inputs, node, &SymbolicInput::node);
    return found == inputs.inputs.end() ? nullptr : &*found;
}

} // namespace

SymbolicInputs readSymbolicInputs(const Model& model, const std::string& text) {
    return Reader(model).read(text);
}

bool needsMore(const Model& model, const SymbolicInputs& inputs) {
    return std::ranges::any_of(model.graph().findNodes(Opcode::Placeholder), [&](NodeId id) {
        return !find(inputs, id) && model.graph().node(id).args.empty() &&
               starsOf(model.graph().node(id).target.name()) == 0;
    });
}

GraphInputs inputsAt(const Model& model, const SymbolicInputs& inputs, const SizePoint& point,
                     const GraphInputs& others) {
    GraphInputs out;
    InputReader reader(model.graph(), others);
    bool isByName = false;
    for (const NodeId id : model.graph().findNodes(Opcode::Placeholder)) {
        const Node& node = model.graph().node(id);
        if (starsOf(node.target.name()) > 0)
            continue;
        std::optional<Value> value = reader.next(node, false);
        if (const SymbolicInput* input = find(inputs, id)) {
            std::vector<int64_t> sizes;
            for (const auto& size : input->sizes)
                sizes.push_back(size.index() == 0 ? std::get<int64_t>(size)
                                                  : point.at(std::get<std::string>(size)));
            value = input->isNumber
                        ? Value(c10::IValue(sizes[0]))
                        : Value(c10::IValue(at::empty(sizes, at::device(c10::kMeta).dtype(input->dtype))));
        }
        if (!value) {
            isByName = true; // the default of this one is taken
            continue;
        }
        if (isByName)
            out.keywords.emplace_back(node.target.name(), onMeta(*value));
        else
            out.values.push_back(onMeta(*value));
    }
    return out;
}

} // namespace fx
