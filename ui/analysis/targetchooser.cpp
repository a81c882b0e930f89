#include "ui/analysis/targetchooser.h"

#include "ui/theme/spacing.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QSettings>

#include <algorithm>
#include <string>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using Kind = analysis::Target::Kind;

namespace {

constexpr int objectives = 2;  ///< number of objectives, which come first in the list
constexpr int lowerIsBetter = 0;
constexpr int higherIsBetter = 1;
constexpr int characters = 12;

const char *idBeginning(Kind kind)
{
    return kind == Kind::MetricLast ? "metric." : kind == Kind::MetricLowest ? "min." : "max.";
}

}  // namespace

TargetChooser::TargetChooser(QWidget *parent) : QWidget(parent), m_target(new QComboBox), m_goal(new QComboBox)
{
    m_target->setObjectName(u"analysisTarget"_s);
    m_target->setAccessibleName(tr("Value to compare"));
    m_target->setToolTip(tr("Value to compare"));
    m_target->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_target->setMinimumContentsLength(characters);
    m_goal->setObjectName(u"analysisGoal"_s);
    m_goal->setAccessibleName(tr("Direction"));
    m_goal->addItems({tr("Lower is better"), tr("Higher is better")});
    m_goal->setToolTip(tr("The sweep sets the direction of its objective"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_target);
    layout->addWidget(m_goal);

    connect(m_target, &QComboBox::currentIndexChanged, this, [this] {
        if (m_filling)
            return;
        m_wanted = m_target->currentData().toString();
        followTarget();
        Q_EMIT targetChosen();
    });
    connect(m_goal, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (m_filling)
            return;
        m_goals[m_wanted] = index;
        Q_EMIT goalChosen();
    });
}

void TargetChooser::fill(const sweep::SweepRecord &record, const std::vector<sweep::TrialRecord> &trials)
{
    const QString objective = QString::fromStdString(record.objective);
    std::vector<std::pair<QString, QString>> wanted{{tr("Best %1").arg(objective), u"best"_s},
                                                    {tr("Last %1").arg(objective), u"last"_s}};
    std::vector<std::string> names = analysis::metricNames(trials);
    std::stable_partition(names.begin(), names.end(),
                          [](const std::string &name) { return !sweep::isAboutSteps(name); });
    for (const std::string &metric : names) {
        const QString name = QString::fromStdString(metric);
        wanted.emplace_back(name, QLatin1StringView(idBeginning(Kind::MetricLast)) + name);
        wanted.emplace_back(tr("Min %1").arg(name), QLatin1StringView(idBeginning(Kind::MetricLowest)) + name);
        wanted.emplace_back(tr("Max %1").arg(name), QLatin1StringView(idBeginning(Kind::MetricHighest)) + name);
    }
    bool isSame = m_target->count() == static_cast<int>(wanted.size()) && m_objectiveGoal == record.goal;
    for (std::size_t i = 0; isSame && i < wanted.size(); ++i) {
        const int row = static_cast<int>(i);
        isSame = m_target->itemText(row) == wanted[i].first && m_target->itemData(row) == wanted[i].second;
    }
    if (isSame)
        return;
    const QScopedValueRollback filling(m_filling, true);
    m_objectiveGoal = record.goal;
    m_target->clear();
    for (const auto &[text, id] : wanted)
        m_target->addItem(text, id);
    choose(m_wanted);
}

void TargetChooser::choose(const QString &id)
{
    const QScopedValueRollback filling(m_filling, true);
    m_wanted = id;
    m_target->setCurrentIndex(std::max(0, m_target->findData(id)));
    followTarget();
}

/// Shows the direction chosen for the target, else the usual one; the sweep determines that of its objective.
void TargetChooser::followTarget()
{
    const QString id = m_target->currentData().toString();
    const QString name = m_target->currentText();
    const bool isLower = isObjective() ? m_objectiveGoal == sweep::Goal::Minimize
                                       : id.startsWith(u"min."_s) || name.contains(u"loss"_s, Qt::CaseInsensitive)
                                             || name.contains(u"error"_s, Qt::CaseInsensitive);
    const int usual = isLower ? lowerIsBetter : higherIsBetter;
    const QScopedValueRollback filling(m_filling, true);
    m_goal->setVisible(!isObjective());
    m_goal->setCurrentIndex(isObjective() ? usual : m_goals.value(id, usual));
}

bool TargetChooser::isObjective() const
{
    return m_target->currentIndex() < objectives;
}

QString TargetChooser::title() const
{
    return m_target->currentText();
}

analysis::Target TargetChooser::target() const
{
    const QString id = m_target->currentData().toString();
    analysis::Target target;
    target.goal = m_goal->currentIndex() == lowerIsBetter ? sweep::Goal::Minimize : sweep::Goal::Maximize;
    target.kind = id == u"last"_s ? Kind::ObjectiveLast : Kind::ObjectiveBest;
    for (const Kind kind : {Kind::MetricLast, Kind::MetricLowest, Kind::MetricHighest}) {
        const QLatin1StringView beginning(idBeginning(kind));
        if (!id.startsWith(beginning))
            continue;
        target.kind = kind;
        target.metric = id.sliced(beginning.size()).toStdString();
    }
    return target;
}

void TargetChooser::restore(QSettings *settings, const QString &group)
{
    m_goals.clear();
    QString wanted;
    if (settings) {
        wanted = settings->value(group + u"/target"_s).toString();
        const QVariantMap goals = settings->value(group + u"/goals"_s).toMap();
        for (auto goal = goals.begin(); goal != goals.end(); ++goal)
            m_goals[goal.key()] = std::clamp(goal.value().toInt(), lowerIsBetter, higherIsBetter);
    }
    choose(wanted);
}

void TargetChooser::keep(QSettings *settings, const QString &group) const
{
    settings->setValue(group + u"/target"_s, m_wanted);
    QVariantMap goals;
    for (auto goal = m_goals.begin(); goal != m_goals.end(); ++goal)
        goals[goal.key()] = goal.value();
    settings->setValue(group + u"/goals"_s, goals);
}

}  // namespace sweepscope::ui
