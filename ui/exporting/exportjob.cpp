#include "ui/exporting/exportjob.h"

#include "base/files.h"
#include "ui/exporting/pdfreport.h"

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
    const auto note = [this](const Expected<void> &result, const std::filesystem::path &file) {
        if (result)
            m_written << QString::fromStdString(file.string());
        else
            m_problem = QString::fromStdString(result.error().message);
        return result.has_value();
    };
    if (!m_order.trialsFile.empty()) {
        const auto energy = launch::readEnergy(launch::energyFile(m_order.workspace.sweepFolder(m_order.sweep.folder)));
        const auto result =
            exporting::exportTrials(m_order.sweep, m_order.trials, m_order.trialsFile, m_order.columns, energy,
                                    sweep::readCostFactors(sweep::costFactorsFile()).value_or(sweep::CostFactors()));
        if (!note(result, m_order.trialsFile))
            return;
    }
    int last = -1;
    const auto progress = [this, &last](double share) {
        const auto permille = static_cast<int>(share * 1000);
        if (permille != std::exchange(last, permille))
            Q_EMIT progressed(permille);
        return !wasCancelled();
    };
    if (!m_order.reportFile.empty() && !wasCancelled()) {
        const auto result =
            writePdfReport(m_order.workspace, m_order.sweep, m_order.trials, m_order.reportFile, progress);
        if (!note(result, m_order.reportFile))
            return;
    }
    if (!m_order.curvesFile.empty() && !wasCancelled()) {
        note(exporting::exportCurves(m_order.workspace, m_order.sweep, m_order.trials, m_order.curvesFile, progress,
                                     m_order.curves),
             m_order.curvesFile);
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
