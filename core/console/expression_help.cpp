// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/console/expression_help.h"

#include "core/base/text.h"
#include "core/module/read_tensors.h"

#include <algorithm>

namespace fx {

namespace {

constexpr size_t kMostOffers = 200;
constexpr std::string_view kTorch = "torch.";
constexpr const char* kTensorAttributes[] = {"T",  "data", "device", "dtype",         "grad", "imag",
                                             "mT", "ndim", "real",   "requires_grad", "shape"};
constexpr const char* kExpressionWords[] = {"F",     "abs",   "all",  "any",   "bool", "float",
                                            "int",   "len",   "list", "math",  "max",  "min",
                                            "range", "round", "sum",  "torch", "tuple"};

bool isInName(char each) {
    return std::isalnum(static_cast<unsigned char>(each)) || each == '_' || each == '.' ||
           static_cast<unsigned char>(each) >= 0x80;
}

size_t wordAt(std::string_view text) {
    size_t begin = text.size();
    while (begin > 0 && isInName(text[begin - 1]))
        --begin;
    return begin;
}

/// Whether the text ends within a string literal.
bool isInString(std::string_view text) {
    char open = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        if (open && text[i] == '\\')
            ++i;
        else if (open ? text[i] == open : text[i] == '\'' || text[i] == '"')
            open = open ? 0 : text[i];
    }
    return open;
}

/// Where the bracket is whose call the text ends in; npos: in none.
size_t openCall(std::string_view text) {
    int depth = 0;
    for (size_t at = text.size(); at-- > 0;) {
        if (text[at] == ')' || text[at] == ']' || text[at] == '}')
            ++depth;
        else if ((text[at] == '(' || text[at] == '[' || text[at] == '{') && --depth < 0) {
            if (text[at] == '(')
                return at;
            depth = 0; // a list among the arguments
        }
    }
    return std::string_view::npos;
}

void offerTo(ExpressionHelp& help, std::string_view word, std::string text, std::string about) {
    if (help.offers.size() < kMostOffers && text.size() > word.size() && text.starts_with(word))
        help.offers.push_back({std::move(text), std::move(about)});
}

} // namespace

ExpressionHelper::ExpressionHelper(const Model& model, ModuleId graph, std::vector<std::string> names)
    : m_model(model), m_graph(graph), m_callables(callables(model, graph)) {
    for (std::string& name : names)
        m_names.push_back({std::move(name), ""});
    for (const Node& node : model.graph(graph))
        m_names.push_back({node.name, node.target.name()});
    std::sort(m_names.begin(), m_names.end(),
              [](const ExpressionOffer& a, const ExpressionOffer& b) { return a.text < b.text; });
    for (const char* word : kExpressionWords)
        m_names.push_back({word, ""});
    for (const ReadTensor& tensor : tensorsOf(model, graph, ""))
        m_tensors.push_back(tensor.path);
}

ExpressionHelp ExpressionHelper::expression(std::string_view text) const {
    ExpressionHelp out;
    out.begin = text.size();
    if (isInString(text))
        return out;
    out.signature = signatureOf(text);
    out.begin = wordAt(text);
    const std::string_view word = text.substr(out.begin);
    if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])))
        return out;
    const size_t dot = word.rfind('.');
    if (dot == std::string_view::npos) {
        for (const ExpressionOffer& name : m_names)
            offerTo(out, word, name.text, name.about);
        // torch's functions go without their module, too; of one letter there would be too many.
        for (const Callable& each : m_callables)
            if (word.size() > 1 && each.kind == Callable::Kind::Function && each.text.starts_with(kTorch))
                offerTo(out, word, each.text.substr(kTorch.size()), each.about);
        return out;
    }
    for (const Callable& each : m_callables)
        if (each.kind == Callable::Kind::Function || each.kind == Callable::Kind::Operator)
            offerTo(out, word, each.text, each.about);
    if (!out.offers.empty() || word.starts_with("torch.") || word.starts_with("F."))
        return out;
    const std::string before(word.substr(0, dot));
    for (const char* attribute : kTensorAttributes)
        offerTo(out, word, before + '.' + attribute, "of a Tensor");
    for (const Callable& each : m_callables)
        if (each.kind == Callable::Kind::Method)
            offerTo(out, word, before + each.text, each.about);
    return out;
}

const Callable* ExpressionHelper::callableNamed(std::string_view callee) const {
    for (const Callable& each : m_callables)
        if (each.kind != Callable::Kind::Method &&
            (each.text == callee ||
             (each.text.starts_with(kTorch) && each.text.substr(kTorch.size()) == callee)))
            return &each;
    const size_t dot = callee.rfind('.');
    if (dot == std::string_view::npos)
        return nullptr;
    for (const Callable& each : m_callables)
        if (each.kind == Callable::Kind::Method && each.text == callee.substr(dot))
            return &each;
    return nullptr;
}

std::string ExpressionHelper::signatureOf(std::string_view text) const {
    const size_t open = openCall(text);
    if (open == std::string_view::npos)
        return {};
    const std::string_view callee =
        text.substr(wordAt(text.substr(0, open)), open - wordAt(text.substr(0, open)));
    const Callable* callable = callee.empty() ? nullptr : callableNamed(callee);
    if (!callable)
        return {};
    std::vector<CallForm> forms = formsOf(*callable, m_model, m_graph);
    std::string out;
    for (size_t i = 0; i < forms.size() && i < 3; ++i) {
        // What a method is called on stands before the dot.
        if (callable->kind == Callable::Kind::Method && !forms[i].parameters.empty())
            forms[i].parameters.erase(forms[i].parameters.begin());
        out += (i ? "\n" : "") + callable->text + forms[i].text();
    }
    if (forms.size() > 3)
        out += "\nand " + std::to_string(forms.size() - 3) + " more";
    return out;
}

ExpressionHelp ExpressionHelper::target(std::string_view text, Opcode opcode) const {
    ExpressionHelp out;
    if (text.empty())
        return out;
    if (opcode == Opcode::GetAttr)
        for (const std::string& path : m_tensors)
            offerTo(out, text, path, "tensor of the model");
    for (const Callable& each : m_callables) {
        std::string name = each.text;
        switch (each.kind) {
        case Callable::Kind::Function:
            if (name.starts_with("F."))
                name.replace(0, 2, "torch.nn.functional.");
            break;
        case Callable::Kind::Operator:
            if (!name.starts_with("torch."))
                name.insert(0, "torch.ops.");
            break;
        case Callable::Kind::Method:
            name.erase(0, 1);
            break;
        default:
            name = name.substr(name.find('.') + 1);
        }
        const bool isFitting = opcode == Opcode::CallFunction ? each.kind == Callable::Kind::Function ||
                                                                    each.kind == Callable::Kind::Operator
                               : opcode == Opcode::CallMethod
                                   ? each.kind == Callable::Kind::Method
                                   : opcode == Opcode::CallModule && each.kind == Callable::Kind::Module;
        if (isFitting)
            offerTo(out, text, std::move(name), each.about);
    }
    return out;
}

} // namespace fx
