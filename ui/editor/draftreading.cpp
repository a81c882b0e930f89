#include "ui/editor/draftreading.h"

#include "sweep/keytext.h"
#include "ui/editor/dimensionreading.h"
#include "ui/editor/keydraft.h"

#include <QCoreApplication>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

struct DraftReadingWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::DraftReading)
};

using Problems = std::vector<PlacedProblem>;

bool isInSpace(const SweepDraft &draft, const std::string &name)
{
    return std::ranges::any_of(draft.space, [&name](const DimensionDraft &dimension) {
        return dimension.name.trimmed().toStdString() == name;
    });
}

/// Whether the key applies to the chosen worker, methods and sections.
bool isUsed(const sweep::Key &key, const SweepDraft &draft)
{
    const std::string path = key.path();
    if (key.type == sweep::KeyType::Table || key.section == "run.metrics")
        return false;
    if (key.isSetting())
        return draft.worker() == sweep::WorkerKind::Builtin && !isInSpace(draft, key.name);
    if (path == "run.command")
        return draft.worker() == sweep::WorkerKind::Command;
    if (path == "search.trials")
        return draft.method() != sweep::SearchMethod::Grid;
    if (key.section == "prune" && !draft.values.contains(u"prune.method"_s))
        return false;
    if (!key.methods.empty()) {
        const QString method = draft.value(QString::fromStdString(key.section) + u".method"_s);
        return std::ranges::find(key.methods, method.toStdString()) != key.methods.end();
    }
    return key.section != "probe" || draft.isProbe;
}

void readKey(const sweep::Key &key, const QString &text, sweep::SweepSpec &spec, Problems &problems)
{
    const QString path = QString::fromStdString(key.path());
    const tl::expected<sweep::KeyValue, QString> value = readTyped(key, text);
    if (!value) {
        problems.push_back({path, value.error()});
        return;
    }
    if (const std::string problem = sweep::checkValue(key, *value); !problem.empty())
        problems.push_back({path, QString::fromStdString(problem)});
    sweep::setValue(key, spec, *value);
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

std::vector<sweep::Constraint> readConstraints(const std::vector<ConstraintDraft> &drafts)
{
    std::vector<sweep::Constraint> constraints;
    for (const ConstraintDraft &draft : drafts)
        constraints.push_back({draft.name.trimmed().toStdString(), draft.expression.trimmed().toStdString()});
    return constraints;
}

}  // namespace

DraftReading readDraft(const SweepDraft &draft)
{
    DraftReading reading;
    sweep::SweepSpec &spec = reading.spec;
    if (draft.isProbe)
        sweep::addSection(spec, "probe");
    for (const sweep::Key &key : sweep::keys()) {
        const QString text = draft.value(QString::fromStdString(key.path())).trimmed();
        if (!text.isEmpty() && isUsed(key, draft))
            readKey(key, text, spec, reading.problems);
    }
    for (std::size_t i = 0; i < draft.space.size(); ++i)
        spec.space.push_back(readDimension(draft.space[i], static_cast<int>(i), reading.problems));
    spec.constraints = readConstraints(draft.constraints);
    for (const ObjectiveDraft &objective : draft.objectives)
        spec.objectives.push_back({objective.name.trimmed().toStdString(), objective.goal});
    spec.outcomeConstraints = readConstraints(draft.outcomeConstraints);
    readEnvironment(draft.environment, spec.run, reading.problems);
    spec.run.policy.retry = draft.retry;
    if (draft.worker() == sweep::WorkerKind::Command)
        spec.run.metrics = draft.metrics;
    return reading;
}

}  // namespace sweepscope::ui
