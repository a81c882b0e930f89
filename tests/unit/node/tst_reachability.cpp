#include "node/reachability.h"

#include <chrono>
#include <doctest/doctest.h>
#include <map>
#include <thread>

using namespace sweepscope;
using namespace sweepscope::node;

namespace {

std::map<std::int64_t, Expected<void>> resultsOf(Reachability &calls, std::size_t count)
{
    std::map<std::int64_t, Expected<void>> results;
    for (int i = 0; i < 1000 && results.size() < count; ++i) {
        for (auto &[job, result] : calls.poll())
            results.emplace(job, std::move(result));
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return results;
}

}  // namespace

TEST_CASE("a machine that listens is reached, and others are named with the reason")
{
    Reachability there;
    const auto port = there.listen();
    REQUIRE(port.has_value());
    Reachability here;
    here.dial(1, "127.0.0.1", *port);
    here.dial(2, "127.0.0.1", 1);
    here.dial(3, "box.example", *port);
    const auto results = resultsOf(here, 3);
    REQUIRE(results.size() == 3);
    CHECK(results.at(1).has_value());
    REQUIRE_FALSE(results.at(2).has_value());
    CHECK(results.at(2).error().message == "127.0.0.1, port 1, through lo: Connection refused");
    CHECK_FALSE(results.at(3).has_value());
    CHECK(here.poll().empty());
}
