#include "sweep/costfactors.h"

#include "base/files.h"
#include "sweep/tomltext.h"

#include <cmath>
#include <cstdlib>
#include <system_error>
#include <toml++/toml.h>

namespace sweepscope::sweep {

namespace {

constexpr std::uint64_t mostCostBytes = 64 * 1024;
constexpr const char *priceKey = "price_per_kwh";
constexpr const char *hourKey = "price_per_device_hour";
constexpr const char *carbonKey = "co2_kg_per_kwh";
constexpr const char *currencyKey = "currency";

}  // namespace

Cost costOf(const CostFactors &factors, const std::optional<double> &kilowattHours,
            const std::optional<double> &deviceHours)
{
    Cost cost;
    const bool isUnknown =
        (factors.perKilowattHour && !kilowattHours) || (factors.perDeviceHour && !deviceHours) || !factors.hasPrice();
    if (!isUnknown)
        cost.price = factors.perKilowattHour.value_or(0) * kilowattHours.value_or(0)
                     + factors.perDeviceHour.value_or(0) * deviceHours.value_or(0);
    if (factors.carbonPerKilowattHour && kilowattHours)
        cost.carbonKg = *factors.carbonPerKilowattHour * *kilowattHours;
    return cost;
}

std::filesystem::path costFactorsFile()
{
    const char *config = std::getenv("XDG_CONFIG_HOME");
    const char *home = std::getenv("HOME");
    const std::filesystem::path folder = config != nullptr && *config != '\0'
                                             ? std::filesystem::path(config)
                                             : std::filesystem::path(home == nullptr ? "/" : home) / ".config";
    return folder / "sweepscope" / "costs.toml";
}

Expected<CostFactors> readCostFactors(const std::filesystem::path &file)
{
    const Expected<std::string> text = readFile(file, mostCostBytes);
    if (!text && text.error().code == ErrorCode::NotFound)
        return CostFactors();
    if (!text)
        return tl::unexpected(text.error());
    if (const auto nested = nestingProblem(*text))
        return makeError(ErrorCode::BadInput, file.string() + ": " + nested->message);
    CostFactors factors;
    try {
        const toml::table all = toml::parse(*text);
        for (const auto &[key, value] : all) {
            const std::string where = file.string() + ": " + std::string(key.str());
            if (key == currencyKey) {
                if (!value.is_string())
                    return makeError(ErrorCode::BadInput, where + " must be a string");
                factors.currency = value.value_or(std::string());
                continue;
            }
            const bool isKnown = key == priceKey || key == hourKey || key == carbonKey;
            const double number = value.is_number() ? value.value_or(-1.0) : -1.0;
            if (!isKnown || !std::isfinite(number) || number < 0)
                return makeError(ErrorCode::BadInput,
                                 where + (isKnown ? " must be a number of at least 0" : ": unknown setting"));
            (key == priceKey  ? factors.perKilowattHour
             : key == hourKey ? factors.perDeviceHour
                              : factors.carbonPerKilowattHour) = number;
        }
    } catch (const toml::parse_error &error) {
        return makeError(ErrorCode::BadInput, file.string() + ":" + std::to_string(error.source().begin.line) + ": "
                                                  + std::string(error.description()));
    }
    return factors;
}

Expected<void> writeCostFactors(const std::filesystem::path &file, const CostFactors &factors)
{
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error)
        return makeErrnoError("cannot create the folder " + file.parent_path().string(), error.value());
    std::string text;
    const auto add = [&text](const char *key, const std::optional<double> &value) {
        if (value)
            text += std::string(key) + " = " + tomlFloat(*value) + "\n";
    };
    add(priceKey, factors.perKilowattHour);
    add(hourKey, factors.perDeviceHour);
    add(carbonKey, factors.carbonPerKilowattHour);
    if (!factors.currency.empty())
        text += std::string(currencyKey) + " = " + tomlString(factors.currency) + "\n";
    return writeFileAtomically(file, text);
}

}  // namespace sweepscope::sweep
