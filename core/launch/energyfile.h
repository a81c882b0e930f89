#pragma once

#include "series/energy.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

/// energy.jsonl in the folder of a sweep: a line for each attempt whose energy is known, written when it has ended.
namespace sweepscope::launch {

/// "counter", "power"
std::string toString(series::EnergyMethod method);

struct AttemptEnergy {
    int trial = 0;
    int attempt = 0;
    series::Energy energy;
};
/// One line, with its end.
std::string toJson(const AttemptEnergy &energy);

/// The energy of a sweep's attempts, by trial and attempt.
class SweepEnergy {
public:
    void add(const AttemptEnergy &energy);

    std::optional<series::Energy> ofAttempt(int trial, int attempt) const;
    /// Of all attempts of a trial; nullopt if the energy of one is unknown.
    std::optional<series::Energy> ofTrial(int trial, int attempts) const;
    /// Of all attempts for which it is known; nullopt if there are none.
    std::optional<series::Energy> known() const;

    bool operator==(const SweepEnergy &) const = default;

private:
    std::map<int, std::map<int, series::Energy>> m_attempts;
};

std::filesystem::path energyFile(const std::filesystem::path &sweepFolder);
/// Invalid lines are left out; a missing file is empty.
SweepEnergy readEnergy(const std::filesystem::path &file);

}  // namespace sweepscope::launch
