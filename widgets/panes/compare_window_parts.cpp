// SPDX-License-Identifier: GPL-3.0-or-later
// What the compare window is made of.
#include "core/base/text.h"
#include "core/torch/values/devices.h"
#include "widgets/models/list_rows.h"
#include "widgets/panes/compare_link.h"
#include "widgets/panes/compare_window.h"
#include "widgets/panes/diff_view.h"
#include "widgets/panes/list_view.h"
#include "widgets/panes/side_filter.h"
#include "widgets/panes/still_graph.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"
#include "widgets/support/text_label.h"

#include <QHBoxLayout>
#include <QScreen>
#include <QShortcut>
#include <QSplitter>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>

namespace fx::ui {

namespace {

constexpr int kWindowMargin = 14, kWindowSpacing = 8;

QFrame* hairline() {
    auto* line = new QFrame;
    line->setObjectName("hairline");
    return line;
}

QComboBox* pointBox(const QString& name) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(22);
    return box;
}

/// In which dtype the second computes, or on which device; texts of a dtype and of a device as data.
QComboBox* howBox() {
    auto* box = new QComboBox;
    box->setAccessibleName("How the second computes");
    box->addItem("as it is", QStringList{"", ""});
    for (const char* dtype : {"float64", "bfloat16", "float16"})
        box->addItem(QString("in ") + dtype, QStringList{dtype, ""});
    for (const std::string& device : availableDevices())
        box->addItem("on " + qt(device), QStringList{"", qt(device)});
    box->setToolTip("The second in another dtype, by the pass cast, or on another device");
    return box;
}

} // namespace

CompareWindow::CompareWindow(GraphDocument& document, Selection& selection, CompareService& service,
                             const Theme& theme, QWidget* parent)
    : QWidget(parent, Qt::Window), m_document(document), m_selection(selection), m_service(service),
      m_theme(theme), m_firstBox(pointBox("Reference")), m_secondBox(pointBox("Compared with it")),
      m_how(howBox()), m_isolated(new QCheckBox("Isolated")), m_tolerance(new QLineEdit),
      m_firstFilter(new SideFilter("Filter left")), m_secondFilter(new SideFilter("Filter right")),
      m_compare(new QPushButton("Compare")), m_cancel(new QPushButton("Cancel")),
      m_pair(new QPushButton("Pair")), m_part(new QPushButton("Break pair")),
      m_report(new QPushButton("Save report…")), m_progress(new QProgressBar), m_sign(new QLabel),
      m_headline(textLabel("verdict")), m_detail(textLabel("compareDetail")), m_facts(textLabel("dim")),
      m_what(new QTabBar), m_sides(new QSplitter), m_rows(new CompareRows(this)),
      m_view(makeListView(*m_rows, "Results and nodes",
                          "Choose what is compared, then Compare: both run on the same inputs.")),
      m_diff(new DiffView(theme)) {
    setWindowTitle("Compare " + document.title());
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    setAttribute(Qt::WA_DeleteOnClose);
    const QRect room = parent->window()->screen()->availableGeometry();
    // A frame around it is as large as that of its parent's window.
    const QSize border = parent->window()->frameGeometry().size() - parent->window()->size();
    resize(QSize(1280, 860).boundedTo(room.size() - border));
    QRect frame(QPoint(), size() + border);
    frame.moveCenter(parent->window()->geometry().center());
    frame.moveLeft(std::clamp(frame.left(), room.left(), room.right() + 1 - frame.width()));
    frame.moveTop(std::clamp(frame.top(), room.top(), room.bottom() + 1 - frame.height()));
    move(frame.topLeft());
    m_sides->setChildrenCollapsible(false);
    m_view->header()->resizeSection(0, 30);
    m_view->header()->resizeSection(1, 400);
    m_view->header()->resizeSection(2, 320);
    for (int further = 3; further < 7; ++further)
        m_view->header()->resizeSection(further, 92);
    auto* lower = new QWidget;
    auto* list = new QVBoxLayout(lower);
    list->setContentsMargins(kWindowMargin, 4, kWindowMargin, kWindowMargin);
    list->addWidget(makeVerdict());
    list->addWidget(m_view, 1);
    list->addWidget(m_diff, 1);
    m_diff->hide();
    auto* halves = new QSplitter(Qt::Vertical);
    halves->setChildrenCollapsible(false);
    halves->addWidget(m_sides);
    halves->addWidget(lower);
    halves->setSizes({540, 260});
    halves->setStretchFactor(0, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeChoices());
    column->addWidget(hairline());
    column->addWidget(halves, 1);
    addKeys();
    connect(m_firstBox, &QComboBox::activated, this, [this] { choosePoint(*m_firstBox, m_first); });
    connect(m_secondBox, &QComboBox::activated, this, [this] { choosePoint(*m_secondBox, m_second); });
    connect(m_what, &QTabBar::currentChanged, this, [this] {
        filterRows();
        showDiff();
        if (m_right)
            followSides();
    });
    connect(m_compare, &QPushButton::clicked, this, [this] { run(); });
    connect(m_report, &QPushButton::clicked, this, &CompareWindow::saveReport);
    connect(m_cancel, &QPushButton::clicked, &service, &CompareService::cancel);
    connect(m_pair, &QPushButton::clicked, this, [this] { setPaired(true); });
    connect(m_part, &QPushButton::clicked, this, [this] { setPaired(false); });
    for (const SideFilter* filter : {m_firstFilter, m_secondFilter})
        connect(filter, &SideFilter::changed, this, &CompareWindow::filterRows);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &CompareWindow::followRow);
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, &CompareWindow::followHistory);
    connect(&theme, &Theme::changed, this, &CompareWindow::dress);
    connect(&service, &CompareService::started, this, [this] {
        m_progress->setRange(0, 0);
        m_progress->show();
        m_cancel->show();
        m_compare->hide();
    });
    connect(&service, &CompareService::progressed, this, [this](double fraction, const QString& what) {
        m_progress->setRange(0, 1000);
        m_progress->setValue(static_cast<int>(fraction * 1000));
        m_progress->setToolTip(plainTip(what));
    });
    connect(&service, &CompareService::ended, this, [this] {
        m_progress->hide();
        m_cancel->hide();
        m_compare->show();
    });
    connect(&service, &CompareService::compared, this, &CompareWindow::take);
    connect(&service, &CompareService::failed, this, [this](const QString& why) {
        m_headline->setText("Not compared");
        m_detail->setText(why);
    });
    m_report->setEnabled(false);
    m_pair->setEnabled(false);
    m_part->setEnabled(false);
    m_progress->hide();
    m_cancel->hide();
    fillPoints();
    setFocusProxy(m_view);
}

CompareWindow::~CompareWindow() = default;

QWidget* CompareWindow::makeChoices() {
    m_tolerance->setAccessibleName("Tolerance");
    m_tolerance->setPlaceholderText("usual");
    m_tolerance->setFixedWidth(90);
    m_tolerance->setToolTip("|a-b| <= t + t |a| is no difference; empty: what rounding may do to the dtype");
    m_isolated->setToolTip("Give each node what the reference has of its inputs, so that its own error alone "
                           "is seen");
    m_compare->setToolTip("Run both on the same inputs, and compare each node (Ctrl+Return)");
    m_progress->setFixedWidth(140);
    m_progress->setTextVisible(false);
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(kWindowMargin, 8, kWindowMargin, 8);
    row->setSpacing(kWindowSpacing);
    row->addWidget(m_firstBox, 1);
    row->addWidget(new QLabel("against"));
    row->addWidget(m_secondBox, 1);
    row->addWidget(m_how);
    row->addWidget(new QLabel("tolerance"));
    row->addWidget(m_tolerance);
    row->addWidget(m_isolated);
    row->addStretch(1);
    row->addWidget(m_progress);
    row->addWidget(m_cancel);
    row->addWidget(m_compare);
    return bar;
}

QWidget* CompareWindow::makeVerdict() {
    QFont bold = m_headline->font();
    bold.setWeight(QFont::DemiBold);
    m_headline->setFont(bold);
    m_what->setAccessibleName("What is listed");
    m_what->setDrawBase(false);
    m_what->setExpanding(false);
    m_what->setUsesScrollButtons(false); // three fit; the chosen one is wider
    m_what->addTab("Nodes");
    m_what->addTab("Modules");
    m_what->addTab("Difference");
    m_what->setTabToolTip(2,
                          "What the two graphs, their code and their weights differ in, without a run (D)");
    m_what->setTabToolTip(1, "What the nodes in each module come to (M)");
    m_pair->setToolTip("The nodes that are selected left and right are the same computation (P)");
    m_part->setToolTip("The selected pair is not the same computation (B)");
    m_report->setToolTip(
        "Write verdict, figures, tables and code as one page of HTML that needs nothing else");
    auto* first = new QHBoxLayout;
    first->setSpacing(kWindowSpacing);
    first->addWidget(m_sign);
    first->addWidget(m_headline, 1);
    first->addWidget(m_what);
    first->addWidget(m_firstFilter);
    first->addWidget(m_secondFilter);
    first->addWidget(m_pair);
    first->addWidget(m_part);
    first->addWidget(m_report);
    auto* out = new QWidget;
    auto* column = new QVBoxLayout(out);
    column->setContentsMargins(0, 4, 0, 4);
    column->setSpacing(4);
    column->addLayout(first);
    column->addWidget(m_detail);
    column->addWidget(m_facts);
    return out;
}

void CompareWindow::addKeys() {
    const std::pair<QKeySequence, std::function<void()>> keys[] = {
        {Qt::Key_J, [this] { walk(1); }},
        {Qt::Key_K, [this] { walk(-1); }},
        {Qt::Key_M, [this] { m_what->setCurrentIndex(showsModules() ? 0 : 1); }},
        {Qt::Key_D, [this] { m_what->setCurrentIndex(showsDiff() ? 0 : 2); }},
        {Qt::Key_P, [this] { setPaired(true); }},
        {Qt::Key_B, [this] { setPaired(false); }},
        {Qt::Key_F,
         [this] {
             if (m_right)
                 m_right->canvas().look().fit();
         }},
        {QKeySequence("Ctrl+Return"), [this] { run(); }},
        {Qt::Key_Escape, [this] { close(); }},
        {QKeySequence("Ctrl+W"), [this] { close(); }}};
    for (const auto& [key, work] : keys)
        connect(new QShortcut(key, this), &QShortcut::activated, this, work);
}

} // namespace fx::ui
