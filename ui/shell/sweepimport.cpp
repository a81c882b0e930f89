#include "ui/shell/sweepimport.h"

#include <QFileDialog>
#include <QFileInfo>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

SweepImport::SweepImport(const std::filesystem::path &sweepctl, QWidget *parent) : QObject(parent), m_window(parent)
{
    m_program.setProgram(QString::fromStdString(sweepctl.string()));
    m_program.setStandardInputFile(QProcess::nullDevice());
    connect(&m_program, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT failed(tr("sweepctl cannot be started: %1").arg(m_program.errorString()));
    });
}

SweepImport::~SweepImport()
{
    m_program.disconnect(this);
    m_program.kill();
    m_program.waitForFinished();
}

void SweepImport::chooseFile()
{
    auto *dialog =
        new QFileDialog(m_window, tr("Import sweep"), {}, tr("Sweeps of W&B, Hydra and Optuna (*.yaml *.yml *.py)"));
    dialog->setObjectName(u"importDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &SweepImport::read);
    dialog->open();
}

void SweepImport::read(const QString &file)
{
    if (m_program.state() != QProcess::NotRunning)
        return;
    m_program.setWorkingDirectory(QFileInfo(file).absolutePath());
    m_program.setArguments({u"import"_s, file});
    connect(
        &m_program, &QProcess::finished, this,
        [this, file](int code, QProcess::ExitStatus status) {
            finish(file, status == QProcess::NormalExit && code == 0);
        },
        Qt::SingleShotConnection);
    m_program.start();
}

void SweepImport::finish(const QString &file, bool isGood)
{
    const QString toml = QString::fromUtf8(m_program.readAllStandardOutput());
    if (isGood) {
        Q_EMIT imported(file, toml);
        return;
    }
    const QString said = QString::fromUtf8(m_program.readAllStandardError()).trimmed();
    Q_EMIT failed(said.isEmpty() ? tr("%1 cannot be imported: sweepctl ended unexpectedly.").arg(file) : said);
}

}  // namespace sweepscope::ui
