#include "ui/trials/curvetints.h"

#include "ui/models/valuetext.h"
#include "ui/theme/trialcolors.h"
#include "ui/theme/valuegradient.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>

namespace sweepscope::ui {

namespace {

struct CurveTintsWords {
    Q_DECLARE_TR_FUNCTIONS(CurveTintsWords)
};

constexpr std::size_t mostNamed = 8;  ///< see ColorKeyRow::mostButtons

/// A gradient over the different values, from the first to the last in the order of their numbers. The key has each of up
/// to `mostListed` values, or the first and the last.
CurveTints gradientOver(const std::vector<std::optional<double>> &values, bool lowIsFirst, bool onDark,
                        std::size_t mostListed)
{
    std::vector<double> order;
    for (const std::optional<double> &value : values) {
        if (value && std::isfinite(*value))
            order.push_back(*value);
    }
    std::ranges::sort(order);
    order.erase(std::unique(order.begin(), order.end()), order.end());
    CurveTints tints;
    tints.key.isGradient = order.size() > mostListed;
    const auto colorOf = [&](double value) {
        const auto place = static_cast<double>(std::ranges::lower_bound(order, value) - order.begin());
        const double last = static_cast<double>(order.size()) - 1;
        return gradientColor(last < 1 ? 0 : (lowIsFirst ? place : last - place) / last, onDark);
    };
    for (const std::optional<double> &value : values)
        tints.colors.push_back(value && std::isfinite(*value) ? std::optional(colorOf(*value).rgb()) : std::nullopt);
    if (order.empty())
        return tints;
    if (!tints.key.isGradient) {
        for (const double value : order)
            tints.key.entries.emplace_back(numberText(value), colorOf(value));
        return tints;
    }
    const double first = lowIsFirst ? order.front() : order.back();
    const double last = lowIsFirst ? order.back() : order.front();
    tints.key.entries.emplace_back(numberText(first), colorOf(first));
    if (order.size() > 1)
        tints.key.entries.emplace_back(numberText(last), colorOf(last));
    return tints;
}

/// A number that is as good as random, for lots (SplitMix64, Steele and others, OOPSLA 2014).
std::uint64_t lotOf(int trial)
{
    std::uint64_t lot = static_cast<std::uint64_t>(trial) * 0x9e3779b97f4a7c15U;
    lot = (lot ^ (lot >> 30U)) * 0xbf58476d1ce4e5b9U;
    lot = (lot ^ (lot >> 27U)) * 0x94d049bb133111ebU;
    return lot ^ (lot >> 31U);
}

}  // namespace

CurveTints tintsByObjective(const sweep::SweepRecord &sweep, const std::vector<const sweep::TrialRecord *> &trials,
                            bool onDark)
{
    std::vector<std::optional<double>> values;
    for (const sweep::TrialRecord *trial : trials)
        values.push_back(sweep::rankedValue(*trial));
    CurveTints tints = gradientOver(values, sweep.goal == sweep::Goal::Minimize, onDark, 0);
    tints.key.title = QString::fromStdString(sweep.objective);
    if (tints.key.entries.size() == 2) {
        tints.key.entries[0].first = CurveTintsWords::tr("best %1").arg(tints.key.entries[0].first);
        tints.key.entries[1].first = CurveTintsWords::tr("worst %1").arg(tints.key.entries[1].first);
    }
    return tints;
}

CurveTints tintsByParameter(const std::string &parameter, const std::vector<const sweep::TrialRecord *> &trials,
                            bool onDark)
{
    std::vector<std::optional<double>> numbers;
    QStringList texts;
    bool areNumbers = true;
    for (const sweep::TrialRecord *trial : trials) {
        const sweep::ParameterValue *value = sweep::find(trial->parameters, parameter);
        numbers.push_back(value ? sweep::numberOf(*value) : std::nullopt);
        texts << (value ? parameterText(*value) : QString());
        areNumbers &= !value || numbers.back();
    }
    const QString title = QString::fromStdString(parameter);
    if (areNumbers) {
        CurveTints tints = gradientOver(numbers, true, onDark, mostNamed);
        tints.key.title = title;
        return tints;
    }
    QStringList values = texts;
    values.removeAll(QString());
    values.removeDuplicates();
    values.sort();  // as the groups of curves are, which then have the same colors
    CurveTints tints;
    tints.key.title = title;
    for (const QString &text : texts)
        tints.colors.push_back(text.isEmpty() ? std::nullopt
                                              : std::optional(rankColor(static_cast<int>(values.indexOf(text))).rgb()));
    for (qsizetype i = 0; i < values.size() && static_cast<std::size_t>(values.size()) <= mostNamed; ++i)
        tints.key.entries.emplace_back(values[i], rankColor(static_cast<int>(i)));
    return tints;
}

void alternateColors(std::vector<const sweep::TrialRecord *> &trials, const CurveTints &tints)
{
    std::ranges::sort(trials, std::ranges::greater(),
                      [](const sweep::TrialRecord *trial) { return lotOf(trial->number); });
    struct Turn {
        std::size_t round;
        const sweep::TrialRecord *trial;
    };
    std::vector<Turn> turns;
    std::map<std::optional<QRgb>, std::size_t> rounds;
    for (const sweep::TrialRecord *trial : trials) {
        turns.push_back({rounds[tints.colorOf(trial->number)]++, trial});
    }
    std::ranges::stable_sort(turns, std::ranges::greater(), &Turn::round);
    std::ranges::transform(turns, trials.begin(), &Turn::trial);
}

}  // namespace sweepscope::ui
