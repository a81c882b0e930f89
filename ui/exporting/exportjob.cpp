#include "ui/exporting/exportjob.h"

#include "base/files.h"
#include "exporting/htmlreport.h"
#include "exporting/optunajournal.h"
#include "exporting/reportedrun.h"
#include "exporting/tensorboard.h"
#include "ui/exporting/pdfreport.h"

#include <functional>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr std::uint64_t mostBytesOfText = 32 << 20;

}  // namespace

ExportJob::ExportJob(ExportOrder order, QObject *parent) : QThread(parent), m_order(std::move(order)) {}

ExportJob::~ExportJob()
{
    cancel();
    wait();
}

void ExportJob::setHistory(int trial, sweep::TrialHistory history)
{
    m_reported = trial;
    m_history = std::move(history);
}

// The flag publishes no other data, so relaxed order is enough.
void ExportJob::cancel()
{
    m_cancelled.store(true, std::memory_order_relaxed);
}

bool ExportJob::wasCancelled() const
{
    return m_cancelled.load(std::memory_order_relaxed);
}

void ExportJob::run()
{
    int last = -1;
    const exporting::Progress progress = [this, &last](double share) {
        const auto permille = static_cast<int>(share * 1000);
        if (permille != std::exchange(last, permille))
            Q_EMIT progressed(permille);
        return !wasCancelled();
    };
    const auto factors = sweep::readCostFactors(sweep::costFactorsFile()).value_or(sweep::CostFactors());
    const WorkspaceLayout &workspace = m_order.workspace;
    const sweep::SweepRecord &sweep = m_order.sweep;
    const std::vector<sweep::TrialRecord> &trials = m_order.trials;
    const auto reported = [&] { return exporting::reportedRun(workspace, sweep, m_reported, m_history); };
    using Path = std::filesystem::path;
    const std::pair<const Path &, std::function<Expected<void>(const Path &)>> outputs[] = {
        {m_order.trialsFile,
         [&](const Path &file) {
             return exporting::exportTrials(sweep, trials, file, m_order.columns,
                                            launch::readEnergy(launch::energyFile(workspace.sweepFolder(sweep.folder))),
                                            factors);
         }},
        {m_order.reportFile,
         [&](const Path &file) {
             return writePdfReport(workspace, sweep, trials, file, reported(), factors, progress,
                                   paperOf(QLocale::system()));
         }},
        {m_order.htmlFile,
         [&](const Path &file) {
             return exporting::exportHtml(workspace, sweep, trials, file, reported(), factors, progress);
         }},
        {m_order.curvesFile,
         [&](const Path &file) {
             return exporting::exportCurves(workspace, sweep, trials, file, progress, m_order.curves);
         }},
        {m_order.tensorBoardFolder,
         [&](const Path &folder) { return exporting::exportTensorBoard(workspace, sweep, trials, folder, progress); }},
        {m_order.optunaFile,
         [&](const Path &file) { return exporting::exportOptuna(workspace, sweep, trials, file, progress); }},
    };
    for (const auto &output : outputs) {
        if (output.first.empty() || wasCancelled())
            continue;
        const Expected<void> result = output.second(output.first);
        if (!result) {
            m_problem = QString::fromStdString(result.error().message);
            break;
        }
        m_written << QString::fromStdString(output.first.string());
    }
    if (m_order.readBack && m_problem.isEmpty() && !wasCancelled())
        readBack();
}

void ExportJob::readBack()
{
    for (const QString &file : m_written) {
        const auto bytes = readFile(file.toStdString(), mostBytesOfText);
        if (!bytes) {
            m_problem = tr("The data is too large for the clipboard. Export it to a file instead.");
            m_text.clear();
            return;
        }
        m_text += QString::fromStdString(*bytes);
    }
}

}  // namespace sweepscope::ui
