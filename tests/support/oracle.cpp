// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/oracle.h"

#include "core/base/text.h"
#include "core/io/mapped_file.h"
#include "core/open/open.h"
#include "core/open/run_inputs.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>
#include <QtTest>

#include <algorithm>
#include <filesystem>

namespace fx {

std::vector<std::string> oracleModels() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(FXSCOPE_ORACLE))
        if (entry.path().extension() == ".pt2")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string oraclePath(const std::string& name, const std::string& suffix) {
    return FXSCOPE_ORACLE "/" + name + '.' + suffix;
}

Json oracleExpectation(const std::string& name) {
    return Json::parse(readFile(oraclePath(name, "expected.json")));
}

OpenedModel openOracle(const std::string& name, bool isLifted) {
    Progress progress;
    return openModel(oraclePath(name, "pt2"), {isLifted}, progress);
}

Values oracleInputs(const OpenedModel& model, const std::string& name) {
    InputSpecs specs;
    specs.file = oraclePath(name, "inputs.pt");
    return makeInputs(model, specs).values;
}

void addOracleRows() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : oracleModels())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void addRowsOf(const Json& rows) {
    QTest::addColumn<size_t>("index");
    for (size_t i = 0; i < rows.size(); ++i)
        QTest::newRow(rows[i]["name"].get<std::string>().c_str()) << i;
}

std::string valueDifference(const Value& actual, const Value& expected) {
    if (!actual.isTensor() || !expected.isTensor()) {
        const std::string a = valueText(actual), b = valueText(expected);
        return a == b ? "" : "got " + a + "\nexpected " + b;
    }
    const at::Tensor a = actual.data().toTensor(), b = expected.data().toTensor();
    const std::string shapes =
        valueMetaText(describeValue(actual)) + " against " + valueMetaText(describeValue(expected));
    if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes())
        return "got " + shapes;
    const auto bits = [](const at::Tensor& tensor) {
        at::Tensor clean = tensor.detach().contiguous();
        const bool mayBeNan = at::isFloatingType(clean.scalar_type()) && clean.element_size() > 1;
        return mayBeNan ? at::where(at::isnan(clean), at::full_like(clean, NAN), clean) : clean;
    };
    const at::Tensor left = bits(a), right = bits(b);
    if (left.nbytes() && std::memcmp(left.data_ptr(), right.data_ptr(), left.nbytes()) != 0)
        return "other numbers in " + shapes + ":\n" + valueText(actual) + "\nexpected\n" +
               valueText(expected);
    return {};
}

std::string textDifference(const std::string& actual, const std::string& expected) {
    if (actual == expected)
        return {};
    const auto a = split(actual, '\n'), b = split(expected, '\n');
    size_t line = 0;
    while (line < a.size() && line < b.size() && a[line] == b[line])
        ++line;
    const auto at = [line](const auto& lines) {
        return line < lines.size() ? std::string(lines[line]) : std::string("(end of text)");
    };
    return "line " + std::to_string(line + 1) + "\ngot      " + at(a) + "\nexpected " + at(b);
}

} // namespace fx
