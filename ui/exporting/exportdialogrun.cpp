// What the dialog does with what was chosen in it.
#include "ui/exporting/exportdialog.h"
#include "ui/models/valuetext.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QTemporaryDir>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void ExportDialog::start()
{
    const QStringList existing = existingFiles();
    if (existing.isEmpty()) {
        write();
        return;
    }
    auto *question = new QMessageBox(QMessageBox::Question, windowTitle(),
                                     tr("%1 in this folder will be written over.").arg(existing.join(tr(" and "))),
                                     QMessageBox::Cancel, this);
    question->setObjectName(u"overwriteDialog"_s);
    question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton *overwrite = question->addButton(tr("Overwrite"), QMessageBox::AcceptRole);
    overwrite->setObjectName(u"overwriteButton"_s);
    connect(overwrite, &QPushButton::clicked, this, &ExportDialog::write);
    question->open();
}

void ExportDialog::write()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    if (!record) {
        showMessage(tr("The engine does not know this sweep any more."), true);
        return;
    }
    keepChoices();
    ExportOrder order = orderOf(*record);
    if (m_trials->isChecked())
        order.trialsFile = trialsPath().toStdString();
    if (m_curves->isChecked())
        order.curvesFile = curvesPath().toStdString();
    run(std::move(order));
}

ExportOrder ExportDialog::orderOf(const sweep::SweepRecord &record) const
{
    ExportOrder order;
    order.workspace = {m_client->workspace().toStdString()};
    order.sweep = record;
    order.trials = m_choice->chosenOf(m_client->trials(m_sweepId));
    order.columns = m_choice->columns();
    order.curves = m_choice->curves();
    return order;
}

void ExportDialog::copy()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    m_copyFolder = std::make_unique<QTemporaryDir>();
    if (!record || !m_copyFolder->isValid()) {
        showMessage(record ? m_copyFolder->errorString() : tr("The engine does not know this sweep any more."), true);
        return;
    }
    ExportOrder order = orderOf(*record);
    (m_trials->isChecked() ? order.trialsFile : order.curvesFile) =
        m_copyFolder->filePath(u"copy"_s + ending()).toStdString();
    order.readBack = true;
    run(std::move(order));
}

void ExportDialog::run(ExportOrder order)
{
    m_job = std::make_unique<ExportJob>(std::move(order));
    m_clock.start();
    connect(m_job.get(), &ExportJob::progressed, this, &ExportDialog::showProgress);
    connect(m_job.get(), &QThread::finished, this, &ExportDialog::finish);
    m_progress->setValue(0);
    setRunning(true);
    showMessage(tr("Writing…"), false);
    m_job->start();
}

void ExportDialog::showProgress(int permille)
{
    m_progress->setValue(permille);
    constexpr qint64 untilItIsKnown = 2'000;  // ms
    if (permille == 0 || m_clock.elapsed() < untilItIsKnown || m_job->wasCancelled())
        return;
    const double seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    showMessage(tr("Writing… %1").arg(timeLeftText(seconds * (1000 - permille) / permille)), false);
}

void ExportDialog::finish()
{
    if (!m_job || !m_job->isFinished())
        return;
    m_job->wait();
    const std::unique_ptr<ExportJob> job = std::move(m_job);
    setRunning(false);
    QStringList lines;
    const bool isCopy = std::exchange(m_copyFolder, nullptr) != nullptr;
    if (isCopy && !job->wasCancelled() && job->problem().isEmpty()) {
        QGuiApplication::clipboard()->setText(job->text());
        showMessage(tr("Copied: %1 lines.").arg(locale().toString(job->text().count(u'\n'))), false);
        Q_EMIT copied();
        return;
    }
    if (job->wasCancelled())
        lines << tr("Cancelled.");
    else if (!job->problem().isEmpty())
        lines << job->problem();
    for (const QString &file : isCopy ? QStringList() : job->writtenFiles())
        lines << tr("Written: %1 (%2)")
                     .arg(QFileInfo(file).fileName(), locale().formattedDataSize(QFileInfo(file).size()));
    const bool bad = !job->wasCancelled() && !job->problem().isEmpty();
    showMessage(lines.join(u'\n'), bad);
    m_openFolder->setVisible(!isCopy && !job->writtenFiles().isEmpty());
    if (!bad && !job->wasCancelled())
        Q_EMIT exported(job->writtenFiles());
}

}  // namespace sweepscope::ui
