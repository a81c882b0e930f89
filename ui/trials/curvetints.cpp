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

void setColor(CurveTints &tints, int trial, const QColor &color)
{
    const auto place = static_cast<std::size_t>(trial - 1);
    tints.colors.resize(std::max(tints.colors.size(), place + 1));
    tints.colors[place] = color.rgb();
}

/// A gradient over the different values of trials, from the first to the last in the order of their numbers. The key has
/// each of up to `mostListed` values, or the first and the last.
CurveTints gradientOver(const std::map<int, std::optional<double>> &values, bool lowIsFirst, bool onDark,
                        std::size_t mostListed)
{
    std::vector<double> order;
    for (const auto &[trial, value] : values) {
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
    for (const auto &[trial, value] : values) {
        if (value && std::isfinite(*value))
            setColor(tints, trial, colorOf(*value));
    }
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

CurveTints tintsByObjective(const sweep::SweepRecord &sweep, const std::vector<const sweep::TrialRecord *> &shown,
                            bool onDark)
{
    std::map<int, std::optional<double>> values;
    for (const sweep::TrialRecord *trial : shown)
        values.emplace(trial->number, sweep::rankedValue(*trial));
    CurveTints tints = gradientOver(values, sweep.goal == sweep::Goal::Minimize, onDark, 0);
    tints.key.title = QString::fromStdString(sweep.objective);
    if (tints.key.entries.size() == 2) {
        tints.key.entries[0].first = CurveTintsWords::tr("best %1").arg(tints.key.entries[0].first);
        tints.key.entries[1].first = CurveTintsWords::tr("worst %1").arg(tints.key.entries[1].first);
    }
    return tints;
}

CurveTints tintsByParameter(const std::string &parameter, const std::vector<const sweep::TrialRecord *> &all,
                            const std::vector<const sweep::TrialRecord *> &shown, bool onDark)
{
    const QString title = QString::fromStdString(parameter);
    const bool areNumbers = std::ranges::all_of(all, [&](const sweep::TrialRecord *trial) {
        const sweep::ParameterValue *value = sweep::find(trial->parameters, parameter);
        return !value || sweep::numberOf(*value);
    });
    if (areNumbers) {
        std::map<int, std::optional<double>> numbers;
        for (const sweep::TrialRecord *trial : shown) {
            const sweep::ParameterValue *value = sweep::find(trial->parameters, parameter);
            numbers.emplace(trial->number, value ? sweep::numberOf(*value) : std::nullopt);
        }
        CurveTints tints = gradientOver(numbers, true, onDark, mostNamed);
        tints.key.title = title;
        return tints;
    }
    // In the order of the groups of curves, which then have the same colors.
    std::map<QString, QColor> colors;
    for (const sweep::TrialRecord *trial : all) {
        if (const sweep::ParameterValue *value = sweep::find(trial->parameters, parameter))
            colors.emplace(parameterText(*value), QColor());
    }
    int place = 0;
    for (auto &color : colors)
        color.second = rankColor(place++);
    CurveTints tints;
    tints.key.title = title;
    std::map<QString, QColor> used;
    for (const sweep::TrialRecord *trial : shown) {
        if (const sweep::ParameterValue *value = sweep::find(trial->parameters, parameter)) {
            const auto &entry = *colors.find(parameterText(*value));
            setColor(tints, trial->number, entry.second);
            used.insert(entry);
        }
    }
    if (used.size() <= mostNamed)
        tints.key.entries.assign(used.begin(), used.end());
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
