#pragma once

#include "base/error.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sweepscope::sweep {

/// Factors of a user, for all workspaces. There are no defaults: prices and emissions differ by place and contract.
struct CostFactors {
    std::optional<double> perKilowattHour{};        ///< price of the energy of GPUs
    std::optional<double> perDeviceHour{};          ///< price, for example of a cloud
    std::optional<double> carbonPerKilowattHour{};  ///< kg of CO2
    std::string currency{};                         ///< as shown after a price, such as "EUR"

    bool hasPrice() const { return perKilowattHour || perDeviceHour; }
    bool isEmpty() const { return !hasPrice() && !carbonPerKilowattHour; }
    bool operator==(const CostFactors &) const = default;
};

struct Cost {
    std::optional<double> price{};     ///< unknown if a factor is set whose quantity is unknown
    std::optional<double> carbonKg{};  ///< kg of CO2
};
Cost costOf(const CostFactors &factors, const std::optional<double> &kilowattHours,
            const std::optional<double> &deviceHours);

/// sweepscope/costs.toml in XDG_CONFIG_HOME or ~/.config.
std::filesystem::path costFactorsFile();

/// Returns no factors if there is no file. BadInput names the setting that is wrong.
Expected<CostFactors> readCostFactors(const std::filesystem::path &file);
Expected<void> writeCostFactors(const std::filesystem::path &file, const CostFactors &factors);

}  // namespace sweepscope::sweep
