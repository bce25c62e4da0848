// SPDX-License-Identifier: GPL-3.0-or-later
// What a .pt2 says beside its graph and that the module form has no place for: it is kept with an opened
// model as text (OpenedModel::exportRecord), so that a .pt2 can be written again. Texts that torch evaluates
// when it loads a file, formulas and guards, are handed on only where they are what torch writes, and nothing
// else.
#pragma once

#include "core/io/json.h"
#include "core/io/pt2/pt2_signature.h"
#include "core/module/model.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fx {

struct Pt2Record {
    std::string dialect = "TRAINING";
    std::vector<std::string> guards;             ///< Python expressions over the inputs
    Json calls = Json::array();                  ///< module_call_graph, as it was
    Json results = Json::array();                ///< output_specs of what a caller gets, as they were
    Json metadata = Json::object();              ///< of the graph
    Json ranges;                                 ///< range_constraints, as they were; null: not known
    std::map<std::string, std::string> state;    ///< placeholder by the path of its tensor
    std::vector<std::string> inputs;             ///< placeholders of what a caller gives
    std::map<std::string, std::string> formulas; ///< sympy's srepr by the text in the graph
    /// Of operators that are not known here.
    struct Operator {
        std::vector<std::string> arguments; ///< names of those that are given by position
        bool givesList = false;             ///< its values are one list
    };
    std::map<std::string, Operator> operators;
    /// What each call was, by the path of its graph and its name: what is recorded of the value of one that
    /// is the same still holds.
    std::map<std::string, std::string> nodes;
};

/// The record of a file that was just read, whose module is `model`.
std::string pt2RecordText(const JsonDocument& json, const Pt2Signature& signature, const Model& model);
/// Of the empty text: the record of a model that was in no .pt2.
Pt2Record parsePt2Record(const std::string& text);

/// The calls of the model that are as they were in the file.
std::set<std::pair<ModuleId, std::string>> unchangedCalls(const Model& model, const Pt2Record& record);

/// Whether sympify may be given the text: calls of sympy's and torch's functions on numbers and symbols.
bool isHarmlessFormula(const std::string& srepr);
/// Whether the text only compares sizes and values of the inputs.
bool isHarmlessGuard(const std::string& guard);

} // namespace fx
