#include "ui/models/trialgroup.h"

#include "ui/models/energytext.h"
#include "ui/models/valuetext.h"
#include "ui/theme/stateappearance.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using Column = TrialTableModel::Column;

struct TrialGroupWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::TrialGroup)
};

QString countText(int trials)
{
    return trials == 1 ? TrialGroupWords::tr("1 trial") : TrialGroupWords::tr("%Ln trials", nullptr, trials);
}

bool isNumber(const QVariant &value)
{
    return value.isValid() && value.typeId() != QMetaType::QString && value.typeId() != QMetaType::Bool;
}

/// Returns the text that all trials have in this column; nullopt if they differ.
std::optional<QString> commonText(const TrialGroup &group, const TrialTableModel &model, int section)
{
    std::optional<QString> common;
    for (const int row : group.members) {
        const QString text = model.index(row, section).data().toString();
        if (common && *common != text)
            return std::nullopt;
        common = text;
    }
    return common;
}

/// Returns a range if all values are numbers, because formatting thousands of them would delay the user; otherwise the
/// common text or the number of different ones.
QString valuesText(const TrialGroup &group, const TrialTableModel &model, int section)
{
    const GroupNumbers numbers = numbersOf(group, model, section);
    if (numbers.count > 0 && numbers.count == static_cast<int>(group.members.size())) {
        const bool whole = std::ranges::all_of(
            group.members, [&](int row) { return model.rawValue(row, section).typeId() != QMetaType::Double; });
        const auto text = [whole](double value) { return whole ? QString::number(value, 'f', 0) : numberText(value); };
        const QString low = text(numbers.low);
        const QString high = text(numbers.high);
        return low == high ? low : u"%1 – %2"_s.arg(low, high);
    }
    QSet<QString> texts;
    for (const int row : group.members)
        texts.insert(model.index(row, section).data().toString());
    return texts.size() == 1 ? *texts.begin()
                             : TrialGroupWords::tr("%Ln values", nullptr, static_cast<int>(texts.size()));
}

QString statesText(const TrialGroup &group, const TrialTableModel &model)
{
    std::map<sweep::TrialState, int> counts;
    for (const int row : group.members)
        ++counts[model.trial(row).state];
    QStringList parts;
    for (const auto &[state, count] : counts)
        parts << u"%L1 %2"_s.arg(count).arg(stateText(state).toLower());
    return parts.join(u", "_s);
}

double bestOf(const GroupNumbers &numbers, const TrialTableModel &model)
{
    return model.sweep().goal == sweep::Goal::Minimize ? numbers.low : numbers.high;
}

bool isSummed(Column column)
{
    return column == Column::Attempts || column == Column::DeviceTime || column == Column::Energy;
}

bool hasMedian(Column column)
{
    return column == Column::ObjectiveLast || column == Column::Mean || column == Column::Duration
           || column == Column::BestStep || column == Column::Step || column == Column::Metric;
}

/// Whether the column is a result of a trial, rather than an input or a cost.
bool isResult(Column column)
{
    return column == Column::ObjectiveBest || column == Column::ObjectiveLast || column == Column::Mean
           || column == Column::BestStep || column == Column::Metric || column == Column::MetricLow
           || column == Column::MetricHigh;
}

bool isRange(Column column)
{
    return column == Column::MetricLow || column == Column::MetricHigh;
}

double endOfRange(const GroupNumbers &numbers, Column column)
{
    return column == Column::MetricLow ? numbers.low : numbers.high;
}

/// Says for how many trials it is known, unless that is all.
QString sumText(const TrialGroup &group, const GroupNumbers &numbers, Column column)
{
    if (numbers.count == 0)
        return u"–"_s;
    constexpr double groupSecondsPerHour = 3600;
    const QString text = column == Column::Energy ? energyText(numbers.sum * series::joulesPerKilowattHour)
                                                  : durationText(numbers.sum * groupSecondsPerHour);
    const auto trials = static_cast<int>(group.members.size());
    return numbers.count == trials ? text
                                   : TrialGroupWords::tr("%1 (%2 of %3)").arg(text).arg(numbers.count).arg(trials);
}

/// Of two values in the middle, their mean.
double medianOf(std::vector<double> &values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return values.size() % 2 == 1 ? *middle : std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

}  // namespace

GroupNumbers numbersOf(const TrialGroup &group, const TrialTableModel &model, int section)
{
    GroupNumbers numbers;
    std::vector<double> values;
    const bool result = isResult(model.columnKind(section));
    for (const int row : group.members) {
        const QVariant raw = model.rawValue(row, section);
        const double value = isNumber(raw) ? raw.toDouble() : std::nan("");
        if (!std::isfinite(value))
            continue;
        if (result && sweep::brokeDown(model.trial(row).state)) {
            ++numbers.brokeDown;
            continue;
        }
        numbers.low = numbers.count == 0 ? value : std::min(numbers.low, value);
        numbers.high = numbers.count == 0 ? value : std::max(numbers.high, value);
        numbers.sum += value;
        ++numbers.count;
        values.push_back(value);
    }
    numbers.median = medianOf(values);
    return numbers;
}

QVariant groupValue(const TrialGroup &group, const TrialTableModel &model, int section)
{
    const Column kind = model.columnKind(section);
    if (kind == Column::Number)
        return static_cast<int>(group.members.size());
    if (kind == Column::State || TrialTableModel::isWords(kind))
        return group.value;
    const GroupNumbers numbers = numbersOf(group, model, section);
    if (kind == Column::ObjectiveBest)
        return numbers.count > 0 ? QVariant(bestOf(numbers, model)) : QVariant();
    if (isRange(kind))
        return numbers.count > 0 ? QVariant(endOfRange(numbers, kind)) : QVariant();
    if (numbers.count > 0)
        return isSummed(kind) ? numbers.sum : numbers.median;
    const std::optional<QString> common = commonText(group, model, section);
    return common ? QVariant(*common) : QVariant();
}

QString groupText(const TrialGroup &group, const TrialTableModel &model, int section)
{
    const Column kind = model.columnKind(section);
    const auto median = [&](auto &&text) {
        const GroupNumbers numbers = numbersOf(group, model, section);
        return numbers.count > 0 ? TrialGroupWords::tr("median %1").arg(text(numbers.median)) : u"–"_s;
    };
    switch (kind) {
    case Column::Number:
        return countText(static_cast<int>(group.members.size()));
    case Column::State:
        return statesText(group, model);
    case Column::Parameter:
    case Column::Ranks:
        return valuesText(group, model, section);
    case Column::ObjectiveBest: {
        const GroupNumbers numbers = numbersOf(group, model, section);
        return numbers.count > 0 ? numberText(bestOf(numbers, model)) : u"–"_s;
    }
    case Column::MetricLow:
    case Column::MetricHigh: {
        const GroupNumbers numbers = numbersOf(group, model, section);
        return numbers.count > 0 ? numberText(endOfRange(numbers, kind)) : u"–"_s;
    }
    case Column::Duration:
        return median([](double seconds) { return durationText(seconds); });
    case Column::Attempts: {
        const GroupNumbers numbers = numbersOf(group, model, section);
        return QString::number(std::lround(numbers.sum));
    }
    case Column::DeviceTime:
    case Column::Energy:
        return sumText(group, numbersOf(group, model, section), kind);
    case Column::Star: {
        const auto starred =
            std::ranges::count_if(group.members, [&](int row) { return model.trial(row).mark.starred; });
        return starred > 0 ? QString::number(starred) : QString();
    }
    default:
        return hasMedian(kind) ? median([](double value) { return numberText(value); })
                               : commonText(group, model, section).value_or(QString());
    }
}

QString groupToolTip(const TrialGroup &group, const TrialTableModel &model, int section)
{
    const Column kind = model.columnKind(section);
    if (kind == Column::Number)
        return group.title;
    if (kind != Column::ObjectiveBest && !hasMedian(kind))
        return groupText(group, model, section);
    const GroupNumbers numbers = numbersOf(group, model, section);
    const auto text = [kind](double value) {
        return kind == Column::Duration ? durationText(value) : numberText(value);
    };
    const QString leftOut =
        numbers.brokeDown > 0 ? TrialGroupWords::tr("%Ln failed excluded", nullptr, numbers.brokeDown) : QString();
    if (numbers.count == 0)
        return leftOut.isEmpty() ? TrialGroupWords::tr("No values yet")
                                 : TrialGroupWords::tr("No values: %1").arg(leftOut);
    return TrialGroupWords::tr("%1 with a value:").arg(countText(numbers.count)) + u'\n'
           + TrialGroupWords::tr("min %1, median %2, max %3")
                 .arg(text(numbers.low), text(numbers.median), text(numbers.high))
           + (leftOut.isEmpty() ? QString() : u'\n' + leftOut);
}

}  // namespace sweepscope::ui
