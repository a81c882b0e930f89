#include "ui/editor/sweepdraft.h"

#include "sweep/keys.h"
#include "ui/editor/keydraft.h"
#include "ui/editor/valuelist.h"

#include <QStringList>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void SweepDraft::setValue(const QString &path, const QString &text)
{
    if (text.isEmpty())
        values.remove(path);
    else
        values.insert(path, text);
}

sweep::WorkerKind SweepDraft::worker() const
{
    return value(u"run.worker"_s) == "command"_L1 ? sweep::WorkerKind::Command : sweep::WorkerKind::Builtin;
}

sweep::SearchMethod SweepDraft::method() const
{
    const std::vector<std::string> &methods = sweep::findKey("search.method")->choices;
    const auto chosen = std::ranges::find(methods, value(u"search.method"_s).toStdString());
    return chosen != methods.end() ? static_cast<sweep::SearchMethod>(chosen - methods.begin())
                                   : sweep::SearchMethod::Grid;
}

bool isList(sweep::DimensionKind kind)
{
    return kind == sweep::DimensionKind::List || kind == sweep::DimensionKind::Choice;
}

bool hasStep(sweep::DimensionKind kind)
{
    return kind == sweep::DimensionKind::Integer || kind == sweep::DimensionKind::Stepped;
}

namespace {

std::vector<ConstraintDraft> draftOf(const std::vector<sweep::Constraint> &constraints)
{
    std::vector<ConstraintDraft> drafts;
    for (const sweep::Constraint &constraint : constraints)
        drafts.push_back({QString::fromStdString(constraint.name), QString::fromStdString(constraint.expression)});
    return drafts;
}

}  // namespace

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
    const bool isNormal = sweep::isNormal(dimension.kind);
    draft.from = textOfNumber(isNormal ? dimension.mean : dimension.low);
    draft.to = textOfNumber(isNormal ? dimension.deviation : dimension.high);
    if (dimension.kind == sweep::DimensionKind::Integer)
        draft.step = dimension.step == 1 ? QString() : QString::number(dimension.step);
    else if (dimension.kind == sweep::DimensionKind::Stepped)
        draft.step = textOfNumber(dimension.spacing);
    else
        draft.points = dimension.points == 0 ? QString() : QString::number(dimension.points);
    return draft;
}

SweepDraft draftOf(const sweep::SweepSpec &spec)
{
    SweepDraft draft;
    for (const sweep::Key &key : sweep::keys()) {
        const bool isSaid =
            key.type != sweep::KeyType::Table && key.section != "run.metrics" && sweep::hasSection(spec, key.section);
        const sweep::KeyValue value = isSaid ? sweep::getValue(key, spec) : sweep::KeyValue();
        const QString path = QString::fromStdString(key.path());
        // A setting that equals its default is kept.
        if (value != sweep::defaultOf(key) || key.isSetting() || path == "prune.method"_L1)
            draft.setValue(path, typedText(key, value));
    }
    for (const sweep::Dimension &dimension : spec.space)
        draft.space.push_back(draftOf(dimension));
    draft.constraints = draftOf(spec.constraints);
    for (const sweep::Objective &objective : spec.objectives)
        draft.objectives.push_back({QString::fromStdString(objective.name), objective.goal});
    draft.outcomeConstraints = draftOf(spec.outcomeConstraints);
    QStringList environment;
    for (const auto &[name, value] : spec.run.environment)
        environment += QString::fromStdString(name) + u'=' + QString::fromStdString(value);
    draft.environment = environment.join(u'\n');
    draft.retry = spec.run.policy.retry;
    draft.metrics = spec.run.metrics;
    draft.isProbe = spec.probe.has_value();
    return draft;
}

SweepDraft newSweepDraft(sweep::WorkerKind worker)
{
    SweepDraft draft;
    const bool isCommand = worker == sweep::WorkerKind::Command;
    draft.values = {{u"sweep.name"_s, u"my-sweep"_s},
                    {u"sweep.objective"_s, isCommand ? u"loss"_s : u"val_accuracy"_s},
                    {u"sweep.goal"_s, isCommand ? u"minimize"_s : u"maximize"_s},
                    {u"search.seed"_s, u"1"_s}};
    if (isCommand)
        draft.setValue(u"run.worker"_s, u"command"_s);
    DimensionDraft learningRate;
    learningRate.name = u"lr"_s;
    learningRate.kind = sweep::DimensionKind::Log;
    learningRate.from = u"0.001"_s;
    learningRate.to = u"0.1"_s;
    learningRate.points = u"4"_s;
    draft.space.push_back(learningRate);
    return draft;
}

void setSingleValue(SweepDraft &draft, const QString &parameter, const QString &value)
{
    const auto row = std::ranges::find_if(
        draft.space, [&parameter](const DimensionDraft &dimension) { return dimension.name.trimmed() == parameter; });
    if (row == draft.space.end()) {
        draft.setValue(u"run."_s + parameter, value);
        return;
    }
    row->kind = sweep::DimensionKind::List;
    row->values = value;
}

}  // namespace sweepscope::ui
