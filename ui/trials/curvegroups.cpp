#include "ui/trials/curvegroups.h"

#include "ui/models/valuetext.h"
#include "ui/theme/trialcolors.h"
#include "ui/theme/valuegradient.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace sweepscope::ui {

namespace {

struct CurveGroupsWords {
    Q_DECLARE_TR_FUNCTIONS(CurveGroupsWords)
};

constexpr std::size_t mostValues = 8;
constexpr std::size_t mostNames = 12;
constexpr std::size_t ranges = 4;

using Values = std::vector<std::optional<double>>;

std::vector<double> sortedValues(const Values &values)
{
    std::vector<double> sorted;
    for (const std::optional<double> &value : values) {
        if (value)
            sorted.push_back(*value);
    }
    std::ranges::sort(sorted);
    return sorted;
}

/// The lowest value of each range, ascending.
std::vector<double> beginsOf(const std::vector<double> &sorted)
{
    std::vector<double> begins = sorted;
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    if (begins.size() <= mostValues)
        return begins;
    begins.clear();
    for (std::size_t i = 0; i < ranges; ++i)
        begins.push_back(sorted[sorted.size() * i / ranges]);
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    return begins;
}

CurveGroup unsetGroup(std::size_t place, const QString &parameter)
{
    return {static_cast<int>(place), CurveGroupsWords::tr("%1 unset").arg(parameter), qRgb(128, 128, 128)};
}

CurveGroups groupsOfNumbers(const QString &parameter, const Values &values, bool onDark)
{
    const std::vector<double> sorted = sortedValues(values);
    const std::vector<double> begins = beginsOf(sorted);
    std::vector<CurveGroup> groups;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const auto behind = i + 1 < begins.size() ? std::ranges::lower_bound(sorted, begins[i + 1]) : sorted.end();
        const double last = *std::prev(behind);
        const QString name = last > begins[i]
                                 ? QStringLiteral("%1 %2–%3").arg(parameter, numberText(begins[i]), numberText(last))
                                 : QStringLiteral("%1 %2").arg(parameter, numberText(begins[i]));
        const double share = begins.size() < 2 ? 0 : static_cast<double>(i) / static_cast<double>(begins.size() - 1);
        groups.push_back({static_cast<int>(i), name, gradientColor(share, onDark).rgb()});
    }
    CurveGroups all;
    for (const std::optional<double> &value : values) {
        const auto behind = value ? std::ranges::upper_bound(begins, *value) : begins.begin();
        all.push_back({behind == begins.begin() ? unsetGroup(groups.size(), parameter)
                                                : groups[static_cast<std::size_t>(behind - begins.begin()) - 1]});
    }
    return all;
}

/// By name; if there are too many, the smallest are one group.
CurveGroups groupsOfNames(const std::vector<std::vector<QString>> &names)
{
    std::map<QString, int> counts;
    for (const std::vector<QString> &some : names) {
        for (const QString &name : some)
            ++counts[name];
    }
    std::vector<std::pair<QString, int>> largest(counts.begin(), counts.end());
    std::ranges::stable_sort(largest, [](const auto &a, const auto &b) { return a.second > b.second; });
    const bool areMany = largest.size() > mostNames;
    if (areMany)
        largest.resize(mostNames - 1);
    std::ranges::sort(largest);
    std::map<QString, CurveGroup> groups;
    for (const auto &[name, count] : largest) {
        const auto place = static_cast<int>(groups.size());
        groups.emplace(name, CurveGroup{place, name, rankColor(place).rgb()});
    }
    const auto others = static_cast<int>(groups.size());
    const CurveGroup rest{others, CurveGroupsWords::tr("other values"), rankColor(others).rgb()};
    CurveGroups all;
    for (const std::vector<QString> &some : names) {
        std::vector<CurveGroup> &of = all.emplace_back();
        for (const QString &name : some) {
            const auto group = groups.find(name);
            const CurveGroup &found = group == groups.end() ? rest : group->second;
            if (std::ranges::find(of, found) == of.end())
                of.push_back(found);
        }
    }
    return all;
}

}  // namespace

CurveGroups groupsByParameter(const std::string &parameter, const std::vector<const sweep::TrialRecord *> &trials,
                              bool onDark)
{
    const QString title = QString::fromStdString(parameter);
    Values numbers;
    std::vector<std::vector<QString>> names;
    bool areNumbers = true;
    for (const sweep::TrialRecord *trial : trials) {
        const sweep::ParameterValue *value = sweep::find(trial->parameters, parameter);
        numbers.push_back(value ? sweep::numberOf(*value) : std::nullopt);
        areNumbers &= !value || (numbers.back() && std::isfinite(*numbers.back()));
        names.push_back({value ? QStringLiteral("%1 %2").arg(title, parameterText(*value))
                               : CurveGroupsWords::tr("%1 unset").arg(title)});
    }
    return areNumbers ? groupsOfNumbers(title, numbers, onDark) : groupsOfNames(names);
}

CurveGroups groupsByTag(const std::vector<const sweep::TrialRecord *> &trials)
{
    std::vector<std::vector<QString>> names;
    for (const sweep::TrialRecord *trial : trials) {
        std::vector<QString> &tags = names.emplace_back();
        for (const std::string &tag : trial->mark.tags)
            tags.push_back(QString::fromStdString(tag));
        if (tags.empty())
            tags.push_back(CurveGroupsWords::tr("without tag"));
    }
    return groupsOfNames(names);
}

CurveGroups groupOfAll(const std::vector<const sweep::TrialRecord *> &trials)
{
    return groupsOfNames(std::vector<std::vector<QString>>(trials.size(), {CurveGroupsWords::tr("all trials")}));
}

}  // namespace sweepscope::ui
