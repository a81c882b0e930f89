#include "ui/actions/continuedialog.h"

#include "sweep/continuedpoint.h"
#include "sweep/keys.h"
#include "sweep/sweepfile.h"
#include "ui/models/valuetext.h"

#include <QLineEdit>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

bool mayChange(const sweep::SweepSpec &spec, const std::string &name)
{
    const auto fixed = sweep::settingsOfCheckpoint();
    return spec.run.worker != sweep::WorkerKind::Builtin
           || (name != "seed" && std::find(fixed.begin(), fixed.end(), name) == fixed.end());
}

/// The value that these trials have in common.
std::optional<sweep::ParameterValue> commonValue(const std::vector<const sweep::TrialRecord *> &trials,
                                                 const sweep::SweepSpec &spec, const std::string &name)
{
    std::optional<sweep::ParameterValue> common;
    for (const sweep::TrialRecord *trial : trials) {
        const sweep::ParameterValue *value = sweep::find(trial->parameters, name);
        if (value == nullptr) {
            const auto setting = spec.run.settings.find(name);
            const sweep::Key *key = sweep::findBuiltinSetting(name);
            value = setting != spec.run.settings.end() ? &setting->second
                    : key != nullptr                   ? &key->defaultValue
                                                       : nullptr;
        }
        if (value == nullptr || (common && *common != *value))
            return std::nullopt;
        common = *value;
    }
    return common;
}

/// The words that the parameter can be. Numbers may lie outside of its values, as more epochs do.
QStringList choicesOf(const sweep::SweepSpec &spec, const std::string &name)
{
    QStringList choices;
    const auto dimension = std::ranges::find(spec.space, name, &sweep::Dimension::name);
    if (dimension != spec.space.end() && dimension->kind == sweep::DimensionKind::Choice) {
        for (const sweep::ParameterValue &value : dimension->values)
            choices << exactText(value);
    }
    return choices;
}

}  // namespace

ContinueDialog::ContinueDialog(protocol::EngineClient *client, const sweep::SweepRecord &sweep, std::vector<int> trials,
                               QWidget *parent)
    : PointDialog(client, u"continue"_s, hintFor(trials), fieldsFor(*client, sweep, trials),
                  trials.size() == 1 ? tr("Add trial") : tr("Add %Ln trials", nullptr, static_cast<int>(trials.size())),
                  parent),
      m_sweepId(sweep.id),
      m_trials(std::move(trials))
{
    setWindowTitle(m_trials.size() == 1 ? tr("Continue trial %1").arg(m_trials.front())
                                        : tr("Continue %Ln trials", nullptr, static_cast<int>(m_trials.size())));
}

QString ContinueDialog::hintFor(const std::vector<int> &trials)
{
    const int count = static_cast<int>(trials.size());
    return (count == 1 ? tr("Adds a trial that starts from the last checkpoint of trial %1.").arg(trials.front())
                       : tr("Adds %Ln trials. Each starts from the last checkpoint of one of these.", nullptr, count))
           + u' ' + tr("Empty fields keep their values.");
}

std::vector<ContinueDialog::Field> ContinueDialog::fieldsFor(const protocol::EngineClient &client,
                                                             const sweep::SweepRecord &sweep,
                                                             const std::vector<int> &trials)
{
    const sweep::SweepSpec spec = sweep::parseSweep(sweep.toml).spec;
    std::vector<const sweep::TrialRecord *> records;
    for (const sweep::TrialRecord &trial : client.trials(sweep.id)) {
        if (std::ranges::find(trials, trial.number) != trials.end())
            records.push_back(&trial);
    }
    std::vector<std::string> names;
    if (spec.run.worker == sweep::WorkerKind::Builtin)
        names.emplace_back("epochs");
    for (const sweep::Dimension &dimension : spec.space) {
        if (mayChange(spec, dimension.name) && std::ranges::find(names, dimension.name) == names.end())
            names.push_back(dimension.name);
    }
    std::vector<Field> fields;
    for (const std::string &name : names) {
        const std::optional<sweep::ParameterValue> value = commonValue(records, spec, name);
        fields.push_back({name, {}, value ? exactText(*value) : tr("different values"), choicesOf(spec, name)});
    }
    return fields;
}

std::uint64_t ContinueDialog::request()
{
    std::map<std::string, std::string> changes;
    for (const auto &[name, field] : fields()) {
        if (const QString value = field->text().trimmed(); !value.isEmpty())
            changes.emplace(name, value.toStdString());
    }
    return client()->continueTrials(m_sweepId, m_trials, changes);
}

}  // namespace sweepscope::ui
