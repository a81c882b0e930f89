#include "launch/energyfile.h"

#include <doctest/doctest.h>
#include <fstream>
#include <stdlib.h>

using namespace sweepscope;
using namespace sweepscope::launch;
using series::Energy;
using series::EnergyMethod;

TEST_CASE("energy is read as it was written")
{
    char folder[] = "/tmp/energyfile-XXXXXX";
    REQUIRE(::mkdtemp(folder) != nullptr);
    const std::filesystem::path file = energyFile(folder);
    CHECK(readEnergy(file) == SweepEnergy());
    std::ofstream(file) << toJson({3, 1, {1234.5678, EnergyMethod::Counter}}) << "{\"trial\":3,\"attempt\":\n"
                        << "{\"trial\":4,\"attempt\":1,\"joules\":-1,\"method\":\"counter\"}\n"
                        << "{\"trial\":4,\"attempt\":1,\"joules\":1,\"method\":\"guess\"}\n"
                        << "{\"trial\":\"4\",\"attempt\":1,\"joules\":1,\"method\":\"power\"}\n"
                        << toJson({3, 2, {1000, EnergyMethod::Power}}) << toJson({5, 2, {7, EnergyMethod::Counter}});
    const SweepEnergy energy = readEnergy(file);
    std::filesystem::remove_all(folder);
    CHECK(energy.ofAttempt(3, 1) == Energy{1234.568, EnergyMethod::Counter});
    CHECK(energy.ofAttempt(3, 2) == Energy{1000, EnergyMethod::Power});
    CHECK_FALSE(energy.ofAttempt(3, 3));
    CHECK_FALSE(energy.ofAttempt(4, 1));
    CHECK(energy.ofTrial(3, 1) == Energy{1234.568, EnergyMethod::Counter});
    CHECK(energy.ofTrial(3, 2) == Energy{2234.568, EnergyMethod::Power});
    REQUIRE(energy.known());
    CHECK(energy.known()->joules == doctest::Approx(2241.568));
}

TEST_CASE("a trial's energy is unknown if that of any attempt is")
{
    SweepEnergy energy;
    energy.add({5, 2, {7, EnergyMethod::Counter}});
    CHECK_FALSE(energy.ofTrial(5, 2));
    CHECK_FALSE(energy.ofTrial(5, 0));
    CHECK_FALSE(energy.ofTrial(6, 1));
    energy.add({5, 1, {1, EnergyMethod::Counter}});
    CHECK(energy.ofTrial(5, 2) == Energy{8, EnergyMethod::Counter});
    CHECK_FALSE(energy.ofTrial(5, 3));
    CHECK_FALSE(SweepEnergy().known());
}
