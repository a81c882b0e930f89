#include "ui/trial/checkpointdialog.h"

#include "remote/mirrorfolder.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "wording/placeholders.h"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDirIterator>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardPaths>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int usualWidth = 520;
constexpr int progressParts = 1000;
constexpr int progressEvery = 500;  // ms

qint64 bytesIn(const QString &folder)
{
    qint64 bytes = 0;
    for (QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); files.hasNext();) {
        files.next();
        bytes += files.fileInfo().size();
    }
    return bytes;
}

}  // namespace

CheckpointDialog::CheckpointDialog(const protocol::EngineClient &client, const sweep::SweepRecord &sweep, int trial,
                                   const std::filesystem::path &sweepctl, QWidget *parent)
    : QDialog(parent),
      m_place(new QLabel(tr("Looking for the last checkpoint…"), this)),
      m_folder(new QLineEdit(this)),
      m_browse(new QPushButton(tr("&Browse…"), this)),
      m_progress(new QProgressBar(this)),
      m_copied(new QLabel(tr("Copied."), this)),
      m_problem(new QLabel(this)),
      m_copy(new QPushButton(tr("&Copy"), this)),
      m_open(new QPushButton(tr("&Open folder"), this)),
      m_close(new QPushButton(tr("Close"), this))
{
    setObjectName(u"checkpointDialog"_s);
    setWindowTitle(tr("Checkpoint of trial %1").arg(trial));
    const std::filesystem::path workspace(client.workspace().toStdString());
    if (const auto mirror = remote::mirrorIn(workspace); mirror && *mirror) {
        m_host = QString::fromStdString((*mirror)->target.destination);
        m_arguments << u"--host"_s << QString::fromStdString(toString((*mirror)->target)) << u"checkpoint"_s;
    } else {
        m_arguments << u"checkpoint"_s << u"--workspace"_s << client.workspace();
    }
    m_arguments << QString::fromStdString(sweep.folder) << QString::number(trial);

    m_place->setObjectName(u"checkpointPlace"_s);
    m_place->setWordWrap(true);
    m_place->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_folder->setObjectName(u"checkpointFolder"_s);
    m_folder->setAccessibleName(tr("Copy to"));
    m_folder->setText(QDir(QStandardPaths::writableLocation(QStandardPaths::DownloadLocation))
                          .filePath(u"%1-trial-%2"_s.arg(QString::fromStdString(sweep.folder)).arg(trial)));
    m_progress->setRange(0, progressParts);
    m_progress->hide();
    m_problem->setObjectName(u"checkpointProblem"_s);
    m_problem->setWordWrap(true);
    m_copy->setObjectName(u"checkpointCopy"_s);
    m_copy->setEnabled(false);
    m_copy->setDefault(true);
    m_browse->setAutoDefault(false);
    markPrimary(m_copy);

    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_place);
    auto *label = new QLabel(tr("Copy &to"), this);
    label->setBuddy(m_folder);
    layout->addWidget(label);
    auto *line = new QHBoxLayout;
    line->addWidget(m_folder, 1);
    line->addWidget(m_browse);
    layout->addLayout(line);
    layout->addWidget(m_progress);
    layout->addWidget(m_copied);
    layout->addWidget(m_problem);
    auto *buttons = new QDialogButtonBox(this);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    buttons->addButton(m_open, QDialogButtonBox::ActionRole);
    buttons->addButton(m_close, QDialogButtonBox::RejectRole);
    layout->addWidget(buttons);
    m_open->hide();
    m_copied->setObjectName(u"checkpointCopied"_s);
    m_copied->hide();
    resize(usualWidth, sizeHint().height());
    setProblem({});

    // sftp ends with it: they are a group.
    m_program.setChildProcessModifier([] { ::setpgid(0, 0); });
    m_program.setProgram(QString::fromStdString(sweepctl.string()));
    m_program.setStandardInputFile(QProcess::nullDevice());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, &CheckpointDialog::copy);
    connect(m_browse, &QPushButton::clicked, this, &CheckpointDialog::choose);
    connect(m_open, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_folder->text())); });
    connect(m_folder, &QLineEdit::textEdited, this, [this] {
        m_copied->hide();
        m_open->hide();
    });
    connect(&m_progressTimer, &QTimer::timeout, this, &CheckpointDialog::showProgress);
    connect(this, &QDialog::finished, this, &CheckpointDialog::endProgram);
    run({u"--json"_s}, [this](const QByteArray &output) { showPlace(output); });
}

CheckpointDialog::~CheckpointDialog()
{
    m_program.disconnect(this);
    endProgram();
}

void CheckpointDialog::endProgram()
{
    if (m_program.state() == QProcess::Running)
        ::kill(-static_cast<pid_t>(m_program.processId()), SIGTERM);
}

/// Runs sweepctl; `finished` is called if it was successful.
void CheckpointDialog::run(const QStringList &more, const std::function<void(const QByteArray &output)> &finished)
{
    m_program.disconnect(this);
    connect(&m_program, &QProcess::finished, this, [this, finished](int code, QProcess::ExitStatus status) {
        m_progressTimer.stop();
        m_progress->hide();
        if (status == QProcess::NormalExit && code == 0)
            return finished(m_program.readAllStandardOutput());
        const QString said = QString::fromUtf8(m_program.readAllStandardError()).trimmed();
        setProblem(said.isEmpty() ? tr("sweepctl ended unexpectedly.") : said);
        if (m_bytes == 0)
            m_place->hide();
        m_copy->setEnabled(m_bytes > 0);
    });
    connect(&m_program, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            setProblem(tr("sweepctl cannot be started: %1").arg(m_program.errorString()));
    });
    m_program.setArguments(m_arguments + more);
    m_program.start();
}

void CheckpointDialog::showPlace(const QByteArray &json)
{
    const QJsonObject place = QJsonDocument::fromJson(json).object();
    const QString machine = place[u"machine"].toString();
    const auto files = place[u"files"].toInteger();
    m_bytes = place[u"bytes"].toInteger();
    const QString size = (files == 1 ? tr("%L1 file, %2") : tr("%L1 files, %2"))
                             .arg(files)
                             .arg(QString::fromStdString(wording::bytes(static_cast<double>(m_bytes))));
    const QString where = machine.isEmpty() ? m_host : machine;
    m_place->setText(tr("Attempt %1: %2").arg(QString::number(place[u"attempt"].toInt()), size)
                     + (where.isEmpty() ? QString() : tr(", on %1").arg(where)) + u'\n' + place[u"folder"].toString());
    fit();
    const bool isBeyond = !m_host.isEmpty() && !machine.isEmpty();
    m_copy->setEnabled(!isBeyond);
    if (isBeyond)
        setProblem(tr("Only %1 can reach the machine with the checkpoint. Copy it to %1 first: sweepctl checkpoint.")
                       .arg(m_host));
}

void CheckpointDialog::choose()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Copy to"), QFileInfo(m_folder->text()).path());
    if (!folder.isEmpty())
        m_folder->setText(folder);
}

void CheckpointDialog::copy()
{
    QString folder = m_folder->text().trimmed();
    if (folder.startsWith("~/"_L1))
        folder = QDir::home().filePath(folder.sliced(2));
    if (!QDir::isAbsolutePath(folder))
        return setProblem(tr("Enter an absolute path."));
    m_folder->setText(folder);
    setProblem({});
    m_copied->hide();
    m_folder->setEnabled(false);
    m_browse->setEnabled(false);
    m_copy->setEnabled(false);
    m_open->hide();
    m_close->setText(tr("Cancel"));
    showProgress();
    m_progress->show();
    m_progressTimer.start(progressEvery);
    const auto enable = [this] {
        m_folder->setEnabled(true);
        m_browse->setEnabled(true);
        m_copy->setEnabled(true);
        m_close->setText(tr("Close"));
    };
    run({u"--to"_s, folder}, [this](const QByteArray & /*output*/) {
        m_copied->show();
        m_open->show();
        fit();
    });
    connect(&m_program, &QProcess::finished, this, enable);
}

void CheckpointDialog::showProgress()
{
    const auto there = static_cast<double>(bytesIn(m_folder->text().trimmed()));
    m_progress->setValue(
        static_cast<int>(std::min(1.0, there / static_cast<double>(std::max<qint64>(m_bytes, 1))) * progressParts));
}

void CheckpointDialog::fit()
{
    layout()->activate();
    resize(width(), layout()->totalHeightForWidth(width()));
}

void CheckpointDialog::setProblem(const QString &problem)
{
    m_problem->setText(problem.left(1).toUpper() + problem.sliced(std::min<qsizetype>(1, problem.size())));
    m_problem->setVisible(!problem.isEmpty());
    markProblem(m_problem, !problem.isEmpty());
    fit();
}

}  // namespace sweepscope::ui
