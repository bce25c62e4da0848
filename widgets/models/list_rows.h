// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the panes that are lists: what ran, what is wrong, where a run stops.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/session/compare_answer.h"
#include "widgets/models/rows_model.h"
#include "widgets/style/tokens.h"

#include <QColor>
#include <QIcon>

namespace fx::ui {

struct StepRow {
    NodeRef node;
    QString name, value, time, health;
    bool isFinite = true;
};

class StepRows : public RowsModel<StepRow> {
public:
    explicit StepRows(QObject* parent = nullptr)
        : RowsModel({"Step", "Node", "Value", "Time", "Health"}, parent) {}
    void setFaultColor(const QColor& color) { m_fault = color; }

protected:
    QVariant cell(const StepRow& row, int column, int role) const override;

private:
    QColor m_fault;
};

struct ProblemRow {
    enum class Kind { Fault, Note };
    Kind kind = Kind::Fault;
    NodeRef node; ///< none: it concerns the whole file
    QString place, message;
};

class ProblemRows : public RowsModel<ProblemRow> {
public:
    explicit ProblemRows(QObject* parent = nullptr) : RowsModel({"", "Where", "What"}, parent) {}
    void setIcons(const QIcon& fault, const QIcon& note) {
        m_fault = fault;
        m_note = note;
    }

protected:
    QVariant cell(const ProblemRow& row, int column, int role) const override;

private:
    QIcon m_fault, m_note;
};

/// A step of the history.
struct ChangeRow {
    int number = 0;
    QString title;
    bool isDone = true; ///< it was not undone
    QString verdict;    ///< of verifying it; empty: that was not done
};

class ChangeRows : public RowsModel<ChangeRow> {
public:
    explicit ChangeRows(QObject* parent = nullptr) : RowsModel({"", "Change", "Verified"}, parent) {}

protected:
    QVariant cell(const ChangeRow& row, int column, int role) const override;
};

/// A tensor of two models that is not the same in both.
struct WeightRow {
    QString path, before, after, difference;
};

class WeightRows : public RowsModel<WeightRow> {
public:
    explicit WeightRows(QObject* parent = nullptr)
        : RowsModel({"Weight", "Before", "After", "Difference"}, parent) {}

protected:
    QVariant cell(const WeightRow& row, int column, int role) const override;
};

/// A value that was there when a run held the most memory.
struct AliveRow {
    NodeRef node;
    QString name, bytes;
};

class AliveRows : public RowsModel<AliveRow> {
public:
    explicit AliveRows(QObject* parent = nullptr) : RowsModel({"Alive at the peak", "Memory"}, parent) {}

protected:
    QVariant cell(const AliveRow& row, int column, int role) const override;
};

/// A node that a user has marked.
struct MarkRow {
    NodeRef node;
    QString name, what, note;
    bool operator==(const MarkRow&) const = default;
};

class MarkRows : public RowsModel<MarkRow> {
public:
    explicit MarkRows(QObject* parent = nullptr) : RowsModel({"Node", "Mark", "Note"}, parent) {}

protected:
    QVariant cell(const MarkRow& row, int column, int role) const override;
};

class VerifyRows : public RowsModel<VerifyRow> {
public:
    explicit VerifyRows(QObject* parent = nullptr) : RowsModel({"", "What", "Difference"}, parent) {}
    void setIcons(const QIcon& good, const QIcon& bad) {
        m_good = good;
        m_bad = bad;
    }

protected:
    QVariant cell(const VerifyRow& row, int column, int role) const override;

private:
    QIcon m_good, m_bad;
};

class CompareRows : public RowsModel<CompareRow> {
public:
    explicit CompareRows(QObject* parent = nullptr)
        : RowsModel({"", "What", "Difference", "Mean abs", "q99", "Max rel", "Cosine", "Matched"}, parent) {}
    void setIcons(const QIcon& good, const QIcon& bad) {
        m_good = good;
        m_bad = bad;
    }

protected:
    QVariant cell(const CompareRow& row, int column, int role) const override;

private:
    QIcon m_good, m_bad;
};

} // namespace fx::ui
