#include "train/resumerules.h"

#include "sweep/continuedpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace sweepscope::train {

namespace {

constexpr std::array<std::string_view, 5> placing{"batch_size", "accumulate", "sampling", "drop_last",
                                                  "drop_last_batch"};

std::string valueIn(const TrialIdentity &trial, std::string_view name)
{
    const auto found = trial.settings.find(std::string(name));
    return found != trial.settings.end() ? found->second : std::string();
}

std::int64_t batchSizeOf(const TrialIdentity &trial)
{
    const std::string text = valueIn(trial, "batch_size");
    std::int64_t size = 0;
    std::from_chars(text.data(), text.data() + text.size(), size);
    return std::max<std::int64_t>(1, size);
}

/// Collects what differs.
class Comparison {
public:
    void compare(std::string_view name, const std::string &saved, const std::string &own)
    {
        if (saved != own)
            m_text += (m_text.empty() ? "" : ", ") + std::string(name) + " = " + saved + ", now " + own;
    }

    const std::string &text() const { return m_text; }

private:
    std::string m_text;
};

}  // namespace

Continuation continuationOf(const TrialIdentity &saved, std::int64_t savedBatch, const TrialIdentity &own)
{
    Comparison differences;
    differences.compare("seed", std::to_string(saved.seed), std::to_string(own.seed));
    for (const std::string_view name : sweep::settingsOfCheckpoint())
        differences.compare(name, valueIn(saved, name), valueIn(own, name));
    if (differences.text().empty() && saved.data != own.data)
        return {.startsOver = true, .differences = "the data has changed"};
    if (!differences.text().empty())
        return {.startsOver = true, .differences = differences.text()};

    differences.compare("ranks", std::to_string(saved.ranks), std::to_string(own.ranks));
    for (const std::string_view name : placing)
        differences.compare(name, valueIn(saved, name), valueIn(own, name));
    const std::int64_t samples = savedBatch * batchSizeOf(saved) * saved.ranks;
    return {.differences = differences.text(),
            .batch = samples / (batchSizeOf(own) * own.ranks),
            .ranksWeightsAnew = valueIn(saved, "best_by") != valueIn(own, "best_by")};
}

}  // namespace sweepscope::train
