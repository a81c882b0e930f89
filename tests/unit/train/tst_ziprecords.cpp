#include "train/ziprecords.h"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <torch/torch.h>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

std::vector<std::uint8_t> saved()
{
    const std::vector<char> bytes = torch::pickle_save(torch::arange(100, torch::kFloat32));
    return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("zipRecordsLieWhereLibTorchWroteThem")
{
    const std::vector<std::uint8_t> archive = saved();
    const auto records = zipRecords(archive);
    REQUIRE(records.has_value());
    const auto tensor = std::ranges::find_if(*records, [](const ZipRecord &record) { return record.size == 400; });
    REQUIRE(tensor != records->end());
    CHECK(tensor->name.ends_with("/data/0"));
    CHECK_FALSE(tensor->isCompressed);
    float last = 0;
    std::memcpy(&last, archive.data() + tensor->offset + 396, sizeof last);
    CHECK(last == 99);
    const auto damaged = damagedRecord(archive);
    REQUIRE(damaged.has_value());
    CHECK_FALSE(damaged->has_value());
}

TEST_CASE("everyChangedByteOfAZipIsNoticedOrHarmless")
{
    std::vector<std::uint8_t> archive = saved();
    const auto records = zipRecords(archive);
    REQUIRE(records.has_value());
    const auto isContent = [&records](std::size_t at) {
        return std::ranges::any_of(*records, [at](const ZipRecord &record) {
            return at >= record.offset && at < record.offset + record.size;
        });
    };
    for (std::size_t at = 0; at < archive.size(); ++at) {
        archive[at] ^= 0x40U;
        const auto damaged = damagedRecord(archive);
        const bool isAccepted = damaged && !*damaged;
        CAPTURE(at);
        CHECK_FALSE((isContent(at) && isAccepted));
        archive[at] ^= 0x40U;
    }
}

TEST_CASE("truncatedZipHasNoDirectory")
{
    const std::vector<std::uint8_t> archive = saved();
    for (std::size_t size = 0; size < archive.size(); size += 7)
        CHECK_FALSE(zipRecords({archive.data(), size}).has_value());
}
