#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// A test of the links between the GPUs of a trial: what was promised, what was measured, and what that means.
namespace sweepscope::sweep {

struct LinkTest {
    struct Gpu {
        std::string id;
        std::string name;  ///< "GPU 2"

        bool operator==(const Gpu &) const = default;
    };
    /// Of two ranks.
    struct Pair {
        int a = 0;
        int b = 0;
        std::string link;                   ///< "NVLink, 12 links"; pairs with the same words should be equally fast
        std::optional<double> bandwidth{};  ///< promised, in bytes per second and one direction
        std::optional<double> seconds{};    ///< measured: an all-reduce of `bytes` between the two

        bool operator==(const Pair &) const = default;
    };

    std::vector<Gpu> gpus;  ///< by rank
    std::vector<Pair> pairs;
    std::uint64_t bytes = std::uint64_t{64} << 20U;
    std::string backend;                       ///< of the measurement; empty: not measured yet
    std::optional<double> allReduceSeconds{};  ///< of all ranks
    std::vector<int> broken;                   ///< ranks whose exchange did not end, or brought wrong values
    std::string reason;                        ///< why they are broken, or why nothing was measured
    bool simulated = false;

    bool isMeasured() const { return !backend.empty() && broken.empty() && reason.empty(); }
    bool operator==(const LinkTest &) const = default;
};

/// Bytes per second that an all-reduce moves over the slowest link: bytes / seconds * 2 (n - 1) / n, "bus bandwidth" in
/// PERFORMANCE.md of nccl-tests. Between two ranks that is what each sends.
double busBandwidth(std::uint64_t bytes, double seconds, std::size_t ranks);

enum class LinkFault { Slow, Broken };

struct LinkVerdict {
    LinkFault fault = LinkFault::Slow;
    std::vector<int> ranks;  ///< two; more if an all-reduce of all failed
    double measured = 0;     ///< bytes per second
    double expected = 0;     ///< the least that is not slow
    std::string sentence{};
    std::string hint{};
};

/// A pair below this share of its promised bandwidth is slow. NCCL reaches 70% and more of NVLink and PCIe with large
/// messages and about 30% with 64 MiB; without peer-to-peer access, 5% of NVLink are left.
inline constexpr double slowShare = 0.2;
/// So is one below this share of the median of the pairs with the same link.
inline constexpr double slowShareOfEquals = 0.5;

/// Returns the slow and broken pairs, the slowest first.
std::vector<LinkVerdict> judgeLinks(const LinkTest &test);

std::string toJson(const LinkTest &test);
/// BadInput names what is wrong.
Expected<LinkTest> parseLinkTest(const std::string &untrusted);

}  // namespace sweepscope::sweep
