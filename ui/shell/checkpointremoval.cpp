#include "ui/shell/checkpointremoval.h"

#include "remote/mirrorfolder.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "wording/placeholders.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int removalWidth = 440;
constexpr int keptAtFirst = 3;
constexpr int mostKept = 1'000'000;
constexpr int previewAfter = 300;  // ms

}  // namespace

CheckpointRemoval::CheckpointRemoval(const protocol::EngineClient &client, const sweep::SweepRecord &sweep,
                                     const std::filesystem::path &sweepctl, QWidget *parent)
    : QDialog(parent),
      m_keep(new QSpinBox(this)),
      m_size(new QLabel(this)),
      m_problem(new QLabel(this)),
      m_remove(new QPushButton(tr("&Remove"), this)),
      m_close(new QPushButton(tr("Cancel"), this))
{
    setObjectName(u"checkpointRemoval"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Remove checkpoints of %1").arg(QString::fromStdString(sweep.name)));
    const std::filesystem::path workspace(client.workspace().toStdString());
    if (const auto mirror = remote::mirrorIn(workspace); mirror && *mirror)
        m_arguments << u"--host"_s << QString::fromStdString(toString((*mirror)->target)) << u"checkpoint"_s;
    else
        m_arguments << u"checkpoint"_s << u"--workspace"_s << client.workspace();
    m_arguments << QString::fromStdString(sweep.folder) << u"--json"_s;

    m_keep->setObjectName(u"checkpointsKept"_s);
    m_keep->setRange(0, mostKept);
    m_keep->setValue(keptAtFirst);
    auto *label = new QLabel(tr("&Keep those of the best trials:"), this);
    label->setBuddy(m_keep);
    auto *hint = new QLabel(tr("Checkpoints of trials that have not ended, have a star, or are continued by another "
                               "trial are kept too. A retry of a trial without checkpoints starts from scratch."),
                            this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    m_size->setObjectName(u"checkpointsSize"_s);
    m_size->setWordWrap(true);
    m_problem->setObjectName(u"checkpointsProblem"_s);
    m_problem->setWordWrap(true);
    m_remove->setObjectName(u"checkpointsRemove"_s);
    m_remove->setAutoDefault(false);
    markDanger(m_remove);
    m_close->setDefault(true);
    setProblem({});

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::huge, spacing::huge, spacing::huge, spacing::large);
    layout->setSpacing(spacing::medium);
    auto *line = new QHBoxLayout;
    line->addWidget(label);
    line->addWidget(m_keep);
    line->addStretch(1);
    layout->addLayout(line);
    layout->addWidget(hint);
    layout->addWidget(m_size);
    layout->addWidget(m_problem);
    auto *buttons = new QDialogButtonBox(this);
    buttons->addButton(m_remove, QDialogButtonBox::DestructiveRole);
    buttons->addButton(m_close, QDialogButtonBox::RejectRole);
    layout->addWidget(buttons);
    resize(removalWidth, sizeHint().height());

    m_program.setProgram(QString::fromStdString(sweepctl.string()));
    m_program.setStandardInputFile(QProcess::nullDevice());
    m_preview.setSingleShot(true);
    m_preview.setInterval(previewAfter);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_remove, &QPushButton::clicked, this, [this] { run(true); });
    connect(m_keep, &QSpinBox::valueChanged, this, [this] {
        m_remove->setEnabled(false);
        m_preview.start();
    });
    connect(&m_preview, &QTimer::timeout, this, [this] { run(false); });
    connect(&m_program, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            setProblem(tr("sweepctl cannot be started: %1").arg(m_program.errorString()));
    });
    run(false);
}

CheckpointRemoval::~CheckpointRemoval()
{
    m_program.disconnect(this);
    m_program.terminate();
    m_program.waitForFinished();
}

void CheckpointRemoval::run(bool removes)
{
    m_remove->setEnabled(false);
    if (m_program.state() != QProcess::NotRunning) {
        m_preview.start();  // once that has ended
        return;
    }
    setProblem({});
    m_keep->setEnabled(!removes);
    m_size->setText(removes ? tr("Removing…") : tr("Reading sizes…"));
    QStringList arguments = m_arguments;
    arguments << u"--keep-best"_s << QString::number(m_keep->value());
    if (removes)
        arguments << u"--yes"_s;
    m_program.setArguments(arguments);
    connect(
        &m_program, &QProcess::finished, this,
        [this](int code, QProcess::ExitStatus status) {
            m_keep->setEnabled(true);
            if (status == QProcess::NormalExit && code == 0)
                return showAnswer(m_program.readAllStandardOutput());
            m_size->clear();
            const QString said = QString::fromUtf8(m_program.readAllStandardError()).trimmed();
            setProblem(said.isEmpty() ? tr("sweepctl ended unexpectedly.") : said);
        },
        Qt::SingleShotConnection);
    m_program.start();
}

void CheckpointRemoval::showAnswer(const QByteArray &json)
{
    const QJsonObject answer = QJsonDocument::fromJson(json).object();
    const int trials = static_cast<int>(answer[u"trials"].toArray().size());
    const QString bytes = QString::fromStdString(wording::bytes(answer[u"bytes"].toDouble()));
    const bool isDone = answer[u"removed"].toBool();
    if (trials == 0)
        m_size->setText(tr("No checkpoint to remove."));
    else if (isDone)
        m_size->setText(trials == 1 ? tr("Removed the checkpoints of 1 trial (%1).").arg(bytes)
                                    : tr("Removed the checkpoints of %L1 trials (%2).").arg(trials).arg(bytes));
    else
        m_size->setText(
            trials == 1
                ? tr("Removes the checkpoints of 1 trial (%1). You cannot undo this.").arg(bytes)
                : tr("Removes the checkpoints of %L1 trials (%2). You cannot undo this.").arg(trials).arg(bytes));
    m_remove->setEnabled(trials != 0 && !isDone && !m_preview.isActive());
    if (isDone)
        m_close->setText(tr("Close"));
}

void CheckpointRemoval::setProblem(const QString &problem)
{
    m_problem->setText(problem.left(1).toUpper() + problem.mid(1));
    m_problem->setVisible(!problem.isEmpty());
    markProblem(m_problem, !problem.isEmpty());
}

}  // namespace sweepscope::ui
