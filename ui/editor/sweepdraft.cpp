#include "ui/editor/sweepdraft.h"

#include "sweep/bytesize.h"
#include "sweep/duration.h"
#include "ui/editor/commandline.h"
#include "ui/editor/valuelist.h"

#include <QStringList>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

QString durationText(const std::optional<std::chrono::seconds> &duration)
{
    return duration ? QString::fromStdString(sweep::toText(*duration)) : QString();
}

QString listText(const std::vector<std::string> &entries)
{
    return textOfValues(std::vector<sweep::ParameterValue>(entries.begin(), entries.end()));
}

PruneDraft draftOf(const sweep::PruneSection &prune)
{
    PruneDraft draft;
    draft.method = prune.method;
    draft.firstStep = prune.firstStep == 0 ? QString() : QString::number(prune.firstStep);
    draft.every = prune.every == 0 ? QString() : QString::number(prune.every);
    draft.factor = prune.factor == sweep::PruneSection().factor ? QString() : textOfNumber(prune.factor);
    draft.minTrials = prune.minTrials;
    return draft;
}

}  // namespace

bool isList(sweep::DimensionKind kind)
{
    return kind == sweep::DimensionKind::List || kind == sweep::DimensionKind::Choice;
}

DimensionDraft draftOf(const sweep::Dimension &dimension)
{
    DimensionDraft draft;
    draft.name = QString::fromStdString(dimension.name);
    draft.kind = dimension.kind;
    draft.when = QString::fromStdString(dimension.when);
    if (isList(dimension.kind)) {
        draft.values = textOfValues(dimension.values);
        return draft;
    }
    draft.from = textOfNumber(dimension.low);
    draft.to = textOfNumber(dimension.high);
    if (dimension.kind == sweep::DimensionKind::Integer)
        draft.step = dimension.step == 1 ? QString() : QString::number(dimension.step);
    else
        draft.points = dimension.points == 0 ? QString() : QString::number(dimension.points);
    return draft;
}

SweepDraft draftOf(const sweep::SweepSpec &spec)
{
    SweepDraft draft;
    draft.name = QString::fromStdString(spec.name);
    draft.objective = QString::fromStdString(spec.objective);
    draft.goal = spec.goal;
    draft.method = spec.method;
    draft.trials = spec.trials == 0 ? QString() : QString::number(spec.trials);
    draft.seed = QString::number(spec.seed);
    for (const sweep::Dimension &dimension : spec.space)
        draft.space.push_back(draftOf(dimension));
    for (const sweep::Constraint &constraint : spec.constraints)
        draft.constraints.push_back(
            {QString::fromStdString(constraint.name), QString::fromStdString(constraint.expression)});

    draft.worker = spec.run.worker;
    draft.command = joinCommandLine(spec.run.command);
    for (const auto &[name, value] : spec.run.settings)
        draft.settings.insert(QString::fromStdString(name), textOfValue(value));
    QStringList environment;
    for (const auto &[name, value] : spec.run.environment)
        environment += QString::fromStdString(name) + u'=' + QString::fromStdString(value);
    draft.environment = environment.join(u'\n');
    draft.workingFolder = QString::fromStdString(spec.run.workingFolder);
    draft.ranks = spec.run.ranks;
    draft.backend = QString::fromStdString(spec.run.backend);
    draft.timeout = durationText(spec.run.timeout);
    draft.retries = spec.run.retries;
    draft.policy = spec.run.policy;
    draft.metrics = spec.run.metrics;

    draft.devices = spec.devices.kind;
    draft.perRank = spec.devices.perRank;
    draft.concurrent = spec.devices.concurrent;
    draft.cpuSlots = spec.devices.cpuSlots;
    draft.pin = listText(spec.devices.pin);
    draft.exclude = listText(spec.devices.exclude);
    draft.foreign = spec.devices.foreign;
    draft.perGpu = spec.devices.perGpu;
    if (spec.devices.memoryBytes > 0)
        draft.memory = QString::fromStdString(sweep::bytesToText(spec.devices.memoryBytes));
    draft.coresPerRank = spec.devices.coresPerRank;
    draft.affinity = spec.devices.affinity;
    if (spec.prune)
        draft.prune = draftOf(*spec.prune);
    draft.budgetTime = durationText(spec.budget ? spec.budget->time : std::nullopt);
    draft.budgetDeviceTime = durationText(spec.budget ? spec.budget->deviceTime : std::nullopt);
    if (spec.probe)
        draft.probe = {true, QString::fromStdString(spec.probe->parameter), durationText(spec.probe->measure)};
    return draft;
}

SweepDraft newSweepDraft()
{
    SweepDraft draft;
    draft.name = u"my-sweep"_s;
    draft.objective = u"val_accuracy"_s;
    draft.goal = sweep::Goal::Maximize;
    draft.seed = u"1"_s;
    draft.backend = u"auto"_s;
    DimensionDraft learningRate;
    learningRate.name = u"lr"_s;
    learningRate.kind = sweep::DimensionKind::Log;
    learningRate.from = u"0.001"_s;
    learningRate.to = u"0.1"_s;
    learningRate.points = u"4"_s;
    draft.space.push_back(learningRate);
    return draft;
}

}  // namespace sweepscope::ui
