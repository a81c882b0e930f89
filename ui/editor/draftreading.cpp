#include "ui/editor/draftreading.h"

#include "sweep/bytesize.h"
#include "sweep/duration.h"
#include "sweep/keys.h"
#include "ui/editor/commandline.h"
#include "ui/editor/valuelist.h"

#include <QCoreApplication>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

struct DraftReadingWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::DraftReading)
};

using Problems = std::vector<PlacedProblem>;

std::uint64_t readCount(const QString &text, const QString &field, Problems &problems)
{
    const QString trimmed = text.trimmed();
    bool good = true;
    const qulonglong value = trimmed.isEmpty() ? 0 : trimmed.toULongLong(&good);
    if (!good)
        problems.push_back({field, DraftReadingWords::tr("“%1” is not a whole number of 0 or more.").arg(trimmed)});
    return value;
}

std::optional<std::chrono::seconds> readDuration(const QString &text, const QString &field, Problems &problems)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return std::nullopt;
    const std::optional<std::chrono::seconds> duration = sweep::parseDuration(trimmed.toStdString());
    if (!duration)
        problems.push_back(
            {field,
             DraftReadingWords::tr("“%1” is not a duration: type for example 90s, 10m or 2h, or nothing for no limit.")
                 .arg(trimmed)});
    return duration;
}

std::optional<sweep::PruneSection> readPrune(const PruneDraft &draft, Problems &problems)
{
    if (!draft.method)
        return std::nullopt;
    sweep::PruneSection prune;
    prune.method = *draft.method;
    prune.firstStep = static_cast<std::int64_t>(readCount(draft.firstStep, u"prune.first_step"_s, problems));
    if (prune.method == sweep::PruneMethod::Median)
        prune.every = static_cast<std::int64_t>(readCount(draft.every, u"prune.every"_s, problems));
    if (const QString factor = draft.factor.trimmed(); !factor.isEmpty()) {
        if (const std::optional<double> typed = decimalFromText(factor))
            prune.factor = *typed;
        else
            problems.push_back({u"prune.factor"_s, DraftReadingWords::tr("“%1” is not a number.").arg(factor)});
    }
    prune.minTrials = draft.minTrials;
    return prune;
}

std::optional<sweep::BudgetSection> readBudget(const SweepDraft &draft, Problems &problems)
{
    const sweep::BudgetSection budget{readDuration(draft.budgetTime, u"budget.time"_s, problems),
                                      readDuration(draft.budgetDeviceTime, u"budget.device_time"_s, problems)};
    return budget.time || budget.deviceTime ? std::optional(budget) : std::nullopt;
}

bool isInSpace(const SweepDraft &draft, const QString &name)
{
    return std::any_of(draft.space.begin(), draft.space.end(),
                       [&](const DimensionDraft &dimension) { return dimension.name.trimmed() == name; });
}

void readSetting(const sweep::Key &setting, const QString &text, sweep::RunSection &run, Problems &problems)
{
    const QString name = QString::fromStdString(setting.name);
    const QString trimmed = text.trimmed();
    std::optional<sweep::ParameterValue> value;
    QString expected;
    switch (setting.type) {
    case sweep::KeyType::Integer:
        if (const auto whole = wholeFromText(trimmed))
            value = *whole;
        expected = DraftReadingWords::tr("“%1” is not a whole number.");
        break;
    case sweep::KeyType::Float:
        if (const auto decimal = decimalFromText(trimmed))
            value = *decimal;
        expected = DraftReadingWords::tr("“%1” is not a number.");
        break;
    case sweep::KeyType::Boolean:
        if (trimmed == "true"_L1 || trimmed == "false"_L1)
            value = trimmed == "true"_L1;
        expected = DraftReadingWords::tr("“%1” is neither true nor false.");
        break;
    default:
        value = trimmed.toStdString();
        break;
    }
    if (value)
        run.settings[setting.name] = *value;
    else
        problems.push_back({u"run."_s + name, expected.arg(trimmed)});
}

void readEnvironment(const QString &text, sweep::RunSection &run, Problems &problems)
{
    for (const QString &line : text.split(u'\n')) {
        const QString entry = line.trimmed();
        const qsizetype equals = entry.indexOf(u'=');
        if (equals > 0)
            run.environment[entry.first(equals).trimmed().toStdString()] = entry.sliced(equals + 1).toStdString();
        else if (!entry.isEmpty())
            problems.push_back({u"run.environment"_s, DraftReadingWords::tr("“%1” is not NAME=VALUE.").arg(entry)});
    }
}

void readRun(const SweepDraft &draft, sweep::RunSection &run, Problems &problems)
{
    run.worker = draft.worker;
    if (draft.worker == sweep::WorkerKind::Command) {
        if (auto command = splitCommandLine(draft.command))
            run.command = std::move(*command);
        else
            problems.push_back({u"run.command"_s, QString::fromStdString(command.error().message)});
        run.metrics = draft.metrics;
    } else {
        for (const sweep::Key &setting : sweep::builtinSettings()) {
            const QString name = QString::fromStdString(setting.name);
            const QString text = draft.settings.value(name);
            if (!text.trimmed().isEmpty() && !isInSpace(draft, name))
                readSetting(setting, text, run, problems);
        }
    }
    readEnvironment(draft.environment, run, problems);
    run.workingFolder = draft.workingFolder.trimmed().toStdString();
    run.ranks = draft.ranks;
    run.backend = draft.backend.trimmed().toStdString();
    run.timeout = readDuration(draft.timeout, u"run.timeout"_s, problems);
    run.retries = draft.retries;
    run.policy = draft.policy;
}

std::vector<std::string> readList(const QString &text)
{
    std::vector<std::string> entries;
    for (const ListEntry &entry : splitList(text))
        entries.push_back(entry.text.toStdString());
    return entries;
}

void readDevices(const SweepDraft &draft, sweep::DevicesSection &devices, Problems &problems)
{
    devices.kind = draft.devices;
    devices.perRank = draft.perRank;
    devices.concurrent = draft.concurrent;
    devices.cpuSlots = draft.cpuSlots;
    devices.pin = readList(draft.pin);
    devices.exclude = readList(draft.exclude);
    devices.foreign = draft.foreign;
    devices.perGpu = draft.perGpu;
    devices.coresPerRank = draft.coresPerRank;
    devices.affinity = draft.affinity;
    const QString memory = draft.memory.trimmed();
    const auto bytes = sweep::parseBytes(memory.toStdString());
    if (bytes && *bytes > 0)
        devices.memoryBytes = *bytes;
    else if (!memory.isEmpty())
        problems.push_back({u"devices.memory"_s,
                            DraftReadingWords::tr("“%1” is no size: type for example 10 GiB or 500 MB.").arg(memory)});
}

std::optional<sweep::ProbeSection> readProbe(const ProbeDraft &draft, Problems &problems)
{
    if (!draft.used)
        return std::nullopt;
    sweep::ProbeSection probe;
    if (const QString parameter = draft.parameter.trimmed(); !parameter.isEmpty())
        probe.parameter = parameter.toStdString();
    if (const QString measure = draft.measure.trimmed(); !measure.isEmpty()) {
        if (const auto duration = sweep::parseDuration(measure.toStdString()))
            probe.measure = *duration;
        else
            problems.push_back(
                {u"probe.measure"_s,
                 DraftReadingWords::tr("“%1” is not a duration: type for example 20s or 2m.").arg(measure)});
    }
    return probe;
}

}  // namespace

DraftReading readDraft(const SweepDraft &draft)
{
    DraftReading reading;
    sweep::SweepSpec &spec = reading.spec;
    spec.name = draft.name.trimmed().toStdString();
    spec.objective = draft.objective.trimmed().toStdString();
    spec.goal = draft.goal;
    spec.method = draft.method;
    spec.seed = readCount(draft.seed, u"search.seed"_s, reading.problems);
    if (draft.method == sweep::SearchMethod::Random)
        spec.trials = readCount(draft.trials, u"search.trials"_s, reading.problems);
    for (std::size_t i = 0; i < draft.space.size(); ++i)
        spec.space.push_back(readDimension(draft.space[i], static_cast<int>(i), reading.problems));
    for (const ConstraintDraft &constraint : draft.constraints)
        spec.constraints.push_back(
            {constraint.name.trimmed().toStdString(), constraint.expression.trimmed().toStdString()});
    readRun(draft, spec.run, reading.problems);
    readDevices(draft, spec.devices, reading.problems);
    spec.prune = readPrune(draft.prune, reading.problems);
    spec.budget = readBudget(draft, reading.problems);
    spec.probe = readProbe(draft.probe, reading.problems);
    return reading;
}

}  // namespace sweepscope::ui
