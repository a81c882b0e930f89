#include "ui/findings/rulesmodel.h"

#include "diagnosis/rule.h"
#include "ui/examination/findingwords.h"
#include "ui/theme/icons.h"
#include "ui/theme/stateappearance.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

/// Numbers of attempts.
using Reasons = std::map<std::string, int>;

int totalOf(const Reasons &reasons)
{
    int count = 0;
    for (const auto &[reason, attempts] : reasons)
        count += attempts;
    return count;
}

void change(Reasons &reasons, const std::string &reason, int by)
{
    if ((reasons[reason] += by) == 0)
        reasons.erase(reason);
}

}  // namespace

RulesModel::RulesModel(QObject *parent) : QAbstractTableModel(parent)
{
    for (const diagnosis::Rule &rule : diagnosis::rules())
        m_sums.push_back({rule.name, 0, 0, {}, {}});
}

void RulesModel::clear()
{
    beginResetModel();
    for (Sum &sum : m_sums)
        sum = {sum.rule, 0, 0, {}, {}};
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
        switch (result.verdict) {
        case diagnosis::Verdict::Found:
            sum->found += by;
            break;
        case diagnosis::Verdict::Clear:
            sum->clear += by;
            break;
        case diagnosis::Verdict::NotEnoughData:
            change(sum->missing, result.missing, by);
            break;
        case diagnosis::Verdict::NotApplicable:
            change(sum->inapplicable, result.missing, by);
            break;
        }
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
        parts << tr("passed in %1").arg(sum.clear);
    if (const int blind = totalOf(sum.missing); blind > 0)
        parts << tr("not enough data in %1").arg(blind);
    if (const int others = totalOf(sum.inapplicable); others > 0)
        parts << tr("not applicable to %1").arg(others);
    return parts.isEmpty() ? tr("not checked yet") : parts.join(u", "_s);
}

QVariant RulesModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Sum &sum = m_sums[static_cast<std::size_t>(index.row())];
    if (role == OrderRole)
        return sum.found > 0 ? 0 : sum.clear > 0 ? 1 : sum.inapplicable.empty() || !sum.missing.empty() ? 2 : 3;
    if (role == Qt::ForegroundRole)
        return sum.found > 0 || sum.clear > 0 ? QVariant()
                                              : QGuiApplication::palette().brush(QPalette::PlaceholderText);
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
        return role == Qt::ToolTipRole ? QString::fromStdString(sum.rule) : ruleTitle(sum.rule);
    case Result:
        return resultText(sum);
    case Reason: {
        QStringList reasons;
        for (const Reasons &all : {sum.missing, sum.inapplicable}) {
            for (const auto &[reason, attempts] : all)
                reasons << QString::fromStdString(reason);
        }
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
    case Reason:
        return tr("Reason");
    default:
        return {};
    }
}

}  // namespace sweepscope::ui
