// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of PyTorch's functions in C bind as PyTorch binds them: the same results, the same words where a call
// is wrong. What PyTorch says comes from make_binding_calls.py, which has the same text for values.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/dtype.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/live_evaluator.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace fx::binding_test {

namespace {

std::string dump(const Value& value);

/// float.hex() of Python.
std::string hexText(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char text[64];
    std::snprintf(text, sizeof text, "%a", value);
    // Python writes all 13 digits of the fraction.
    std::string out = text;
    const size_t exponent = out.find('p');
    const size_t dot = out.find('.');
    if (value == 0)
        return std::signbit(value) ? "-0x0.0p+0" : "0x0.0p+0";
    const std::string digits = dot == std::string::npos ? "" : out.substr(dot + 1, exponent - dot - 1);
    return out.substr(0, std::min(dot, exponent)) + '.' + digits + std::string(13 - digits.size(), '0') +
           out.substr(exponent);
}

std::string dumpTensor(const at::Tensor& tensor) {
    std::vector<std::string> sizes;
    for (const int64_t size : tensor.sizes())
        sizes.push_back(std::to_string(size));
    std::string head = dtypeText(tensor.scalar_type()) + " [" + join(sizes, ", ") + "] " +
                       tensor.device().str() + (tensor.requires_grad() ? " grad" : "");
    if (tensor.is_meta())
        return head;
    if (tensor.layout() != c10::kStrided)
        return head + ' ' + layoutText(tensor.layout()) + ' ' + dumpTensor(tensor.to_dense());
    const at::Tensor data = tensor.detach().resolve_conj().resolve_neg().contiguous();
    const auto* bytes = static_cast<const unsigned char*>(data.const_data_ptr());
    head += ' ';
    for (size_t i = 0; i < data.nbytes(); ++i) {
        head += "0123456789abcdef"[bytes[i] >> 4];
        head += "0123456789abcdef"[bytes[i] & 15];
    }
    return head;
}

std::string dumpItems(const Values& items, const std::vector<std::string>& fields) {
    std::vector<std::string> out;
    for (size_t i = 0; i < items.size(); ++i)
        out.push_back((i < fields.size() ? fields[i] + '=' : "") + dump(items[i]));
    return join(out, ", ");
}

std::string dumpTuple(const c10::IValue& tuple, const Values& items) {
    const auto type = tuple.toTupleRef().type<c10::TupleType>();
    std::vector<std::string> fields;
    if (const auto names = type->names())
        for (const std::string_view field : *names)
            fields.emplace_back(field);
    return (type->name() ? type->name()->qualifiedName() : "") + '(' + dumpItems(items, fields) + ')';
}

std::string dump(const Value& value) {
    if (const std::optional<Values> items = itemsOf(value)) {
        if (value.as<SizeObject>())
            return "Size[" + dumpItems(*items, {}) + ']';
        if (value.isData() && value.data().isTuple())
            return dumpTuple(value.data(), *items);
        const bool isList = typeName(value) == "list";
        return (isList ? '[' : '(') + dumpItems(*items, {}) + (isList ? ']' : ')');
    }
    if (value.isNone())
        return "None";
    if (value.isTensor())
        return dumpTensor(value.data().toTensor());
    if (value.isBool())
        return value.data().toBool() ? "True" : "False";
    if (value.isInt())
        return std::to_string(value.data().toInt());
    if (value.isDouble())
        return hexText(value.data().toDouble());
    if (value.isString())
        return value.text();
    if (value.isData() && value.data().isDevice())
        return value.data().toDevice().str();
    if (value.isData() && value.data().isComplexDouble())
        return "complex " + hexText(value.data().toComplexDouble().real()) + ' ' +
               hexText(value.data().toComplexDouble().imag());
    if (const auto* leaf = value.as<Argument>(); leaf && leaf->as<c10::ScalarType>())
        return dtypeText(*leaf->as<c10::ScalarType>());
    return typeName(value);
}

class Caller {
public:
    explicit Caller(const QJsonArray& preamble)
        : m_evaluator([this](const std::string& name) { return variable(name); }) {
        for (const QJsonValue& line : preamble) {
            const QStringList parts = line.toString().split(" = ");
            m_texts[parts[0].toStdString()] = parts.mid(1).join(" = ").toStdString();
        }
    }

    std::string outcome(const QJsonObject& call) {
        m_values.clear();
        try {
            return dump(made(call));
        } catch (const Error& error) {
            return error.kind() + ": " + error.message();
        } catch (const std::exception& error) {
            return std::string("not turned into an Error: ") + error.what();
        }
    }

private:
    std::optional<Value> variable(const std::string& name) {
        const auto known = m_values.find(name);
        if (known != m_values.end())
            return known->second;
        const auto text = m_texts.find(name);
        if (text == m_texts.end())
            return std::nullopt;
        return m_values[name] = value(text->second);
    }
    Value value(const std::string& text) { return m_evaluator.evaluate(text, "call"); }

    Value made(const QJsonObject& call) {
        std::string target = call["target"].toString().toStdString();
        Values args;
        for (const QJsonValue& text : call["args"].toArray())
            args.push_back(value(text.toString().toStdString()));
        NamedValues kwargs;
        for (const QJsonValue& pair : call["kwargs"].toArray())
            kwargs.emplace_back(pair[0].toString().toStdString(), value(pair[1].toString().toStdString()));
        if (!target.starts_with("."))
            return callFunction(Target(target), args, kwargs);
        const Value self = args.front();
        args.erase(args.begin());
        return callMethod(self, target.substr(1), args, kwargs);
    }

    std::unordered_map<std::string, std::string> m_texts;
    std::unordered_map<std::string, Value> m_values;
    LiveEvaluator m_evaluator;
};

QString textOf(const QJsonObject& call) {
    QStringList words;
    for (const QJsonValue& text : call["args"].toArray())
        words << text.toString();
    for (const QJsonValue& pair : call["kwargs"].toArray())
        words << pair[0].toString() + '=' + pair[1].toString();
    return call["target"].toString() + '(' + words.join(", ") + ')';
}

} // namespace

class TestBinding : public QObject {
    Q_OBJECT

private:
    QJsonObject m_data;

    /// The first of the calls that differ, and how many do.
    void compare(qsizetype from, qsizetype to) {
        Caller caller(m_data["preamble"].toArray());
        const QJsonArray calls = m_data["calls"].toArray();
        int differing = 0;
        for (qsizetype i = from; i < to; ++i) {
            const QJsonObject call = calls[i].toObject();
            const QString ours = QString::fromStdString(caller.outcome(call)),
                          theirs = call["outcome"].toString();
            if (ours == theirs)
                continue;
            if (++differing <= 40)
                qWarning().noquote() << textOf(call) << "\n  PyTorch:" << theirs << "\n  ours:   " << ours;
        }
        QCOMPARE(differing, 0);
    }

private Q_SLOTS:
    void initTestCase() {
        QFile file(FXSCOPE_BINDING_CALLS);
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_data = QJsonDocument::fromJson(file.readAll()).object();
        QVERIFY(m_data["written"].toInt() > 450);
    }
    void writtenCalls() { compare(0, m_data["written"].toInt()); }
    void callsThatHardlyFit() { compare(m_data["written"].toInt(), m_data["calls"].toArray().size()); }
};

FX_TEST(TestBinding)
} // namespace fx::binding_test
#include "tst_binding.moc"
