// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/connect_dialog.h"

#include "core/torch/bind/call.h"
#include "widgets/panes/fault_text.h"
#include "widgets/session/settings.h"
#include "widgets/support/qt_text.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>

namespace fx::ui {

namespace {

constexpr char kHowToConnect[] = "There:  fxscope serve --listen 127.0.0.1:9000 --token-file token\n"
                                 "Here:  ssh -N -L 9000:127.0.0.1:9000 HOST, which encrypts";

QLayout* rowOf(QWidget* field, QWidget* button) {
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(field, 1);
    row->addWidget(button);
    return row;
}

} // namespace

ConnectDialog::ConnectDialog(const RemoteRequest& request, const QFont& fixedFont, QWidget* parent)
    : QDialog(parent), m_given(request), m_address(new QComboBox), m_what(new QComboBox),
      m_token(new QLineEdit(wholeQt(request.token))),
      m_name(new QLineEdit(wholeQt(request.session.empty() ? request.model.path : request.session))),
      m_tokenFile(new QPushButton("From a file…")), m_browse(new QPushButton("Browse…")), m_work(new QLabel),
      m_progress(new QProgressBar), m_fault(new FaultText(fixedFont)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle("Connect to host");
    m_address->setEditable(true);
    m_address->addItems(Settings::remoteAddresses());
    if (!request.address.empty())
        m_address->setEditText(wholeQt(request.address));
    m_address->lineEdit()->setPlaceholderText("127.0.0.1:9000 or unix:PATH");
    m_address->setAccessibleName("Address");
    m_token->setEchoMode(QLineEdit::Password);
    m_token->setPlaceholderText("fxscope serve prints it");
    m_token->setAccessibleName("Token");
    m_what->addItems({"File there", "Session there", "File of this machine"});
    m_what->setCurrentIndex(!request.session.empty() ? SessionThere
                            : request.isUploaded     ? FileHere
                                                     : FileThere);
    m_what->setAccessibleName("What to open");
    m_name->setMinimumWidth(380);
    m_name->setAccessibleName("File or session");
    m_work->setObjectName("dim");
    m_work->setTextFormat(Qt::PlainText);
    m_progress->setTextVisible(false);
    auto* how = new QLabel(kHowToConnect);
    how->setObjectName("dim");
    how->setTextFormat(Qt::PlainText);
    how->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_buttons->button(QDialogButtonBox::Ok)->setText("Connect");
    for (QPushButton* each : {m_tokenFile, m_browse})
        each->setAutoDefault(false);

    auto* form = new QFormLayout(this);
    form->setContentsMargins(18, 16, 18, 14);
    form->setSpacing(10);
    form->addRow("Address", m_address);
    form->addRow("Token", rowOf(m_token, m_tokenFile));
    form->addRow("Open", m_what);
    form->addRow("", rowOf(m_name, m_browse));
    form->addRow(how);
    form->addRow(m_work, m_progress);
    form->addRow(m_fault);
    form->addRow(m_buttons);
    m_work->hide();
    m_progress->hide();
    connect(m_what, &QComboBox::currentIndexChanged, this, &ConnectDialog::showWhat);
    connect(m_tokenFile, &QPushButton::clicked, this, &ConnectDialog::readToken);
    connect(m_browse, &QPushButton::clicked, this, &ConnectDialog::browse);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ConnectDialog::begin);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &ConnectDialog::reject);
    connect(&m_runner, &JobRunner::progressed, this, [this](double fraction, const QString& what) {
        m_work->setText(what);
        m_progress->setRange(0, fraction > 0 ? 1000 : 0);
        m_progress->setValue(static_cast<int>(fraction * 1000));
    });
    showWhat();
}

void ConnectDialog::showWhat() {
    m_browse->setVisible(what() == FileHere);
    m_name->setPlaceholderText(what() == SessionThere ? "its number: its run is found where it is"
                               : what() == FileHere   ? "it is sent there"
                                                      : "/data/model.pt2, or /data/net.py:Net(depth=3)");
}

void ConnectDialog::readToken() {
    const QString path = QFileDialog::getOpenFileName(this, "File with the token");
    if (path.isEmpty())
        return;
    try {
        m_token->setText(wholeQt(givenToken(utf8(path)).value_or("")));
    } catch (const Error& error) {
        tell(faultText(error.what()));
    }
}

void ConnectDialog::browse() {
    const QString path = QFileDialog::getOpenFileName(this, "Model to send");
    if (!path.isEmpty())
        m_name->setText(path);
}

RemoteRequest ConnectDialog::request() const {
    RemoteRequest out = m_given;
    const std::string name = utf8(m_name->text().trimmed());
    out.address = utf8(m_address->currentText().trimmed());
    out.token = utf8(m_token->text().trimmed());
    out.session = what() == SessionThere ? name : std::string();
    out.model.path = what() == SessionThere ? std::string() : name;
    out.isUploaded = what() == FileHere;
    return out;
}

void ConnectDialog::begin() {
    const RemoteRequest wanted = request();
    const std::tuple<bool, QWidget*, const char*> needed[] = {
        {wanted.address.empty(), m_address, "The address is missing: HOST:PORT or unix:PATH."},
        {wanted.token.empty(), m_token,
         "The token is missing: fxscope serve has printed it, or has it in a file."},
        {wanted.session.empty() && wanted.model.path.empty(), m_name, "What is to be opened?"}};
    for (const auto& [isMissing, field, fault] : needed)
        if (isMissing) {
            tell(fault);
            field->setFocus();
            return;
        }
    using Opened = std::shared_ptr<RemoteModel>;
    const auto work = [wanted](JobRun<Opened>& run) {
        Opened out;
        guarded([&] { out = std::make_shared<RemoteModel>(openThere(wanted, run)); });
        return out;
    };
    const auto done = [this, wanted](const Opened& opened) {
        setConnecting(false);
        m_opened = opened;
        Settings::addRemoteAddress(wholeQt(wanted.address));
        accept();
    };
    setConnecting(true);
    m_job = m_runner.startNewest(*this, Job<Opened>{"Connecting", work, done, [this](const Error& why) {
                                                        setConnecting(false);
                                                        tell(faultText(why.what()));
                                                    }});
}

void ConnectDialog::reject() {
    if (!m_job) {
        QDialog::reject();
        return;
    }
    m_job->cancel();
    setConnecting(false);
}

void ConnectDialog::tell(const QString& fault) {
    m_fault->tell(fault);
    adjustSize();
}

void ConnectDialog::setConnecting(bool isConnecting) {
    m_job.reset();
    m_fault->hide();
    m_work->setText("Connecting");
    m_progress->setRange(0, 0);
    for (QWidget* field : std::initializer_list<QWidget*>{m_address, m_token, m_tokenFile, m_what, m_name,
                                                          m_browse, m_buttons->button(QDialogButtonBox::Ok)})
        field->setEnabled(!isConnecting);
    m_work->setVisible(isConnecting);
    m_progress->setVisible(isConnecting);
    adjustSize();
}

} // namespace fx::ui
