#include "sweep/costfactors.h"

#include <doctest/doctest.h>
#include <fstream>
#include <stdlib.h>

using namespace sweepscope;
using namespace sweepscope::sweep;

TEST_CASE("a cost is known if all quantities that have a factor are known")
{
    const CostFactors none;
    CHECK(none.isEmpty());
    CHECK_FALSE(costOf(none, 1.0, 1.0).price);
    CHECK_FALSE(costOf(none, 1.0, 1.0).carbonKg);

    const CostFactors energy{0.3, {}, 0.4, "EUR"};
    CHECK(costOf(energy, 2.0, {}).price == doctest::Approx(0.6));
    CHECK(costOf(energy, 2.0, {}).carbonKg == doctest::Approx(0.8));
    CHECK_FALSE(costOf(energy, {}, 5.0).price);
    CHECK_FALSE(costOf(energy, {}, 5.0).carbonKg);

    const CostFactors both{0.3, 2.0, {}, "EUR"};
    CHECK(costOf(both, 2.0, 3.0).price == doctest::Approx(6.6));
    CHECK_FALSE(costOf(both, {}, 3.0).price);
    CHECK_FALSE(costOf(both, 2.0, {}).price);
    CHECK_FALSE(costOf(both, 2.0, 3.0).carbonKg);
    CHECK(costOf({{}, 0.0, {}, ""}, {}, 3.0).price == 0);
}

TEST_CASE("factors are read as they were written")
{
    char folder[] = "/tmp/costfactors-XXXXXX";
    REQUIRE(::mkdtemp(folder) != nullptr);
    const std::filesystem::path file = std::filesystem::path(folder) / "sweepscope" / "costs.toml";
    CHECK(readCostFactors(file) == CostFactors());
    for (const CostFactors &factors :
         {CostFactors(), CostFactors{0.31, {}, {}, "\u20ac \"x\""}, CostFactors{0.31, 2.0, 0.38, "EUR"}}) {
        REQUIRE(writeCostFactors(file, factors));
        CHECK(readCostFactors(file) == factors);
    }
    for (const char *wrong : {"price_per_kwh = -1", "price_per_kwh = \"1\"", "co2_kg_per_kwh = nan", "price = 1",
                              "currency = 1", "currency = "}) {
        std::ofstream(file) << wrong << '\n';
        const auto read = readCostFactors(file);
        REQUIRE_MESSAGE(!read.has_value(), wrong);
        CHECK(read.error().code == ErrorCode::BadInput);
    }
    std::ofstream(file) << "price_per_device_hour = 2\n";
    CHECK(readCostFactors(file)->perDeviceHour == 2.0);
    std::filesystem::remove_all(folder);
}
