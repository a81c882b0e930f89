#include "ui/trials/curvetints.h"

#include "ui/models/valuetext.h"
#include "ui/theme/trialcolors.h"
#include "ui/theme/valuegradient.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

struct CurveTintsWords {
    Q_DECLARE_TR_FUNCTIONS(CurveTintsWords)
};

constexpr int mostNamed = 8;

/// A gradient over the different values, from the first to the last in the order of their numbers.
CurveTints gradientOver(const std::vector<std::optional<double>> &values, bool lowIsFirst, bool onDark)
{
    std::vector<double> order;
    for (const std::optional<double> &value : values) {
        if (value && std::isfinite(*value))
            order.push_back(*value);
    }
    std::ranges::sort(order);
    order.erase(std::unique(order.begin(), order.end()), order.end());
    CurveTints tints;
    tints.isGradient = true;
    const auto colorOf = [&](double value) {
        const auto place = static_cast<double>(std::ranges::lower_bound(order, value) - order.begin());
        const double last = static_cast<double>(order.size()) - 1;
        return gradientColor(last < 1 ? 0 : (lowIsFirst ? place : last - place) / last, onDark);
    };
    for (const std::optional<double> &value : values)
        tints.colors.push_back(value && std::isfinite(*value) ? std::optional(colorOf(*value).rgb()) : std::nullopt);
    if (order.empty())
        return tints;
    const double first = lowIsFirst ? order.front() : order.back();
    const double last = lowIsFirst ? order.back() : order.front();
    tints.key.emplace_back(numberText(first), colorOf(first));
    if (order.size() > 1)
        tints.key.emplace_back(numberText(last), colorOf(last));
    return tints;
}

}  // namespace

CurveTints tintsByObjective(const sweep::SweepRecord &sweep, const std::vector<const sweep::TrialRecord *> &trials,
                            bool onDark)
{
    std::vector<std::optional<double>> values;
    for (const sweep::TrialRecord *trial : trials)
        values.push_back(sweep::rankedValue(*trial));
    CurveTints tints = gradientOver(values, sweep.goal == sweep::Goal::Minimize, onDark);
    if (tints.key.size() == 2) {
        tints.key[0].first = CurveTintsWords::tr("best %1").arg(tints.key[0].first);
        tints.key[1].first = CurveTintsWords::tr("worst %1").arg(tints.key[1].first);
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
    if (areNumbers)
        return gradientOver(numbers, true, onDark);
    QStringList values = texts;
    values.removeAll(QString());
    values.removeDuplicates();
    CurveTints tints;
    for (const QString &text : texts)
        tints.colors.push_back(text.isEmpty() ? std::nullopt
                                              : std::optional(rankColor(static_cast<int>(values.indexOf(text))).rgb()));
    for (qsizetype i = 0; i < values.size() && values.size() <= mostNamed; ++i)
        tints.key.emplace_back(values[i], rankColor(static_cast<int>(i)));
    return tints;
}

}  // namespace sweepscope::ui
