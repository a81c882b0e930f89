#include "launch/energyfile.h"

#include "base/enumnames.h"
#include "base/files.h"
#include "launch/untrustedjson.h"

#include <cmath>
#include <sstream>
#include <string>

namespace sweepscope::launch {

namespace {

using series::Energy;
using series::EnergyMethod;

constexpr std::uint64_t mostEnergyBytes = 64 * 1024 * 1024;
constexpr EnumNames<EnergyMethod, 2> energyMethodNames{
    {{EnergyMethod::Counter, "counter"}, {EnergyMethod::Power, "power"}}};

std::optional<AttemptEnergy> energyFromJson(std::string_view untrusted)
{
    const nlohmann::json object = parseUntrustedJson(untrusted);
    try {
        AttemptEnergy energy{object.at("trial").get<int>(), object.at("attempt").get<int>(), {}};
        energy.energy.joules = object.at("joules").get<double>();
        const auto method = valueOf(energyMethodNames, object.at("method").get<std::string>());
        if (!method || !std::isfinite(energy.energy.joules) || energy.energy.joules < 0)
            return std::nullopt;
        energy.energy.method = *method;
        return energy;
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
}

}  // namespace

std::string toString(EnergyMethod method)
{
    return std::string(nameOf(energyMethodNames, method));
}

std::string toJson(const AttemptEnergy &energy)
{
    constexpr double places = 1000;  // NVML counts in mJ
    const nlohmann::ordered_json object{{"trial", energy.trial},
                                        {"attempt", energy.attempt},
                                        {"joules", std::round(energy.energy.joules * places) / places},
                                        {"method", toString(energy.energy.method)}};
    return object.dump() + "\n";
}

void SweepEnergy::add(const AttemptEnergy &energy)
{
    m_attempts[energy.trial].insert_or_assign(energy.attempt, energy.energy);
}

std::optional<Energy> SweepEnergy::ofAttempt(int trial, int attempt) const
{
    const auto attempts = m_attempts.find(trial);
    if (attempts == m_attempts.end())
        return std::nullopt;
    const auto found = attempts->second.find(attempt);
    return found == attempts->second.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Energy> SweepEnergy::ofTrial(int trial, int attempts) const
{
    std::optional<Energy> sum;
    for (int attempt = 1; attempt <= attempts; ++attempt) {
        const std::optional<Energy> energy = ofAttempt(trial, attempt);
        if (!energy)
            return std::nullopt;
        sum = sum ? *sum + *energy : *energy;
    }
    return sum;
}

std::optional<Energy> SweepEnergy::known() const
{
    std::optional<Energy> sum;
    for (const auto &[trial, attempts] : m_attempts) {
        for (const auto &[attempt, energy] : attempts)
            sum = sum ? *sum + energy : energy;
    }
    return sum;
}

std::filesystem::path energyFile(const std::filesystem::path &sweepFolder)
{
    return sweepFolder / "energy.jsonl";
}

SweepEnergy readEnergy(const std::filesystem::path &file)
{
    SweepEnergy energies;
    std::istringstream lines(readFile(file, mostEnergyBytes).value_or(std::string()));
    for (std::string line; std::getline(lines, line);) {
        if (const auto energy = energyFromJson(line))
            energies.add(*energy);
    }
    return energies;
}

}  // namespace sweepscope::launch
