#include "ui/models/usualgoal.h"

#include <algorithm>
#include <array>

namespace sweepscope::ui {

namespace {

constexpr std::array upwards{"acc",  "per_second", "throughput", "f1",     "auc",
                             "bleu", "score",      "precision",  "recall", "reward"};
constexpr std::array downwards{"loss", "error", "perplexity", "nll", "mse"};

template <std::size_t count>
bool hasOneOf(const QString &series, const std::array<const char *, count> &words)
{
    return std::ranges::any_of(
        words, [&series](const char *word) { return series.contains(QLatin1String(word), Qt::CaseInsensitive); });
}

}  // namespace

std::optional<sweep::Goal> usualGoal(const QString &series)
{
    if (hasOneOf(series, upwards))
        return sweep::Goal::Maximize;
    return hasOneOf(series, downwards) ? std::optional(sweep::Goal::Minimize) : std::nullopt;
}

}  // namespace sweepscope::ui
