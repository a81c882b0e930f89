#include "ui/findings/rulesmodel.h"

#include "diagnosis/rule.h"
#include "ui/findings/findingwords.h"
#include "ui/theme/icons.h"
#include "ui/theme/stateappearance.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

int RulesModel::Sum::blind() const
{
    int count = 0;
    for (const auto &[reason, attempts] : missing)
        count += attempts;
    return count;
}

RulesModel::RulesModel(QObject *parent) : QAbstractTableModel(parent)
{
    for (const diagnosis::Rule &rule : diagnosis::rules())
        m_sums.push_back({rule.name, 0, 0, {}});
}

void RulesModel::clear()
{
    beginResetModel();
    for (Sum &sum : m_sums)
        sum = {sum.rule, 0, 0, {}};
    m_attempts.clear();
    endResetModel();
}

void RulesModel::add(const std::vector<diagnosis::RuleResult> &results, int by)
{
    for (const diagnosis::RuleResult &result : results) {
        const auto sum =
            std::find_if(m_sums.begin(), m_sums.end(), [&result](const Sum &one) { return one.rule == result.rule; });
        if (sum == m_sums.end())
            continue;
        if (result.verdict == diagnosis::Verdict::Found)
            sum->found += by;
        else if (result.verdict == diagnosis::Verdict::Clear)
            sum->clear += by;
        else if ((sum->missing[result.missing] += by) == 0)
            sum->missing.erase(result.missing);
    }
}

void RulesModel::setAttempt(const ExaminedAttempt &examined)
{
    std::vector<diagnosis::RuleResult> &known = m_attempts[{examined.trial, examined.attempt}];
    add(known, -1);
    known = examined.results;
    add(known, 1);
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int RulesModel::blindRules() const
{
    return static_cast<int>(std::count_if(m_sums.begin(), m_sums.end(), [](const Sum &sum) {
        return sum.found == 0 && sum.clear == 0 && !sum.missing.empty();
    }));
}

int RulesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_sums.size());
}

int RulesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString RulesModel::resultText(const Sum &sum) const
{
    QStringList parts;
    if (sum.found > 0)
        parts << tr("found in %1").arg(sum.found);
    if (sum.clear > 0)
        parts << tr("passed (%1)").arg(sum.clear);
    if (const int blind = sum.blind(); blind > 0)
        parts << tr("not enough data in %1").arg(blind);
    return parts.isEmpty() ? tr("not looked at yet") : parts.join(u", "_s);
}

QVariant RulesModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Sum &sum = m_sums[static_cast<std::size_t>(index.row())];
    if (role == Qt::DecorationRole && index.column() == Result) {
        if (sum.found > 0)
            return severityIcon(diagnosis::rules()[static_cast<std::size_t>(index.row())].severity);
        return sum.clear > 0 ? stateIcon(sweep::TrialState::Completed)
                             : symbolIcon(u"help"_s, QPalette::PlaceholderText);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case Rule:
        return QString::fromStdString(sum.rule);
    case Result:
        return resultText(sum);
    case Missing: {
        QStringList reasons;
        for (const auto &[reason, attempts] : sum.missing)
            reasons << QString::fromStdString(reason);
        return reasons.join(u"; "_s);
    }
    default:
        return {};
    }
}

QVariant RulesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case Rule:
        return tr("Rule");
    case Result:
        return tr("Attempts");
    case Missing:
        return tr("What is missing");
    default:
        return {};
    }
}

}  // namespace sweepscope::ui
