#include "ui/editor/reportedmetrics.h"

#include "exporting/sweepexport.h"
#include "protocol/engineclient.h"
#include "sweep/metricvalue.h"
#include "sweep/sweepfile.h"
#include "ui/editor/sweepdraft.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

QStringList reportedMetrics(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials)
{
    QStringList names;
    const auto hasObjective = [](const sweep::TrialRecord &trial) { return trial.objectiveLast.has_value(); };
    if (std::ranges::any_of(trials, hasObjective))
        names << QString::fromStdString(sweep.objective);
    for (const std::string &metric : exporting::metricNames(trials)) {
        if (!sweep::isAboutSteps(metric) && metric != sweep.objective)
            names << QString::fromStdString(metric);
    }
    return names;
}

QStringList metricsOfCommand(const protocol::EngineClient &client, qint64 sweepId, const QString &command)
{
    if (const sweep::SweepRecord *sweep = client.sweep(sweepId)) {
        const QStringList reported = reportedMetrics(*sweep, client.trials(sweepId));
        if (!reported.isEmpty())
            return reported;
    }
    const std::vector<sweep::SweepRecord> &sweeps = client.sweeps();
    for (auto sweep = sweeps.rbegin(); sweep != sweeps.rend() && !command.isEmpty(); ++sweep) {
        if (draftOf(sweep::parseSweep(sweep->toml).spec).value(u"run.command"_s) != command)
            continue;
        const QStringList reported = reportedMetrics(*sweep, client.trials(sweep->id));
        if (!reported.isEmpty())
            return reported;
    }
    return {};
}

}  // namespace sweepscope::ui
