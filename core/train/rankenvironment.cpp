#include "train/rankenvironment.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>
#include <vector>

namespace sweepscope::train {

namespace {

std::string variable(const char *name)
{
    const char *value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// Returns the number in `name`, or `fallback` if it is not set. BadInput if it is not an integer in [low, high].
Expected<int> number(const char *name, int fallback, int low, int high)
{
    const std::string text = variable(name);
    if (text.empty())
        return fallback;
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < low || value > high)
        return makeError(ErrorCode::BadInput, std::string("environment variable ") + name + "=" + text
                                                  + ": expected an integer from " + std::to_string(low) + " to "
                                                  + std::to_string(high));
    return value;
}

std::vector<std::string> listOf(const char *name)
{
    std::vector<std::string> items;
    std::istringstream text(variable(name));
    for (std::string item; std::getline(text, item, ',');)
        items.push_back(item);
    return items;
}

/// The agent makes the GPUs of all ranks visible to each rank, and names the rank's own. torchrun names none: each rank
/// then has one.
int firstOwnGpu(int localRank)
{
    const std::vector<std::string> own = listOf("SWEEPSCOPE_DEVICES");
    const std::vector<std::string> visible = listOf("CUDA_VISIBLE_DEVICES");
    const auto place = own.empty() ? visible.end() : std::find(visible.begin(), visible.end(), own.front());
    return place != visible.end() ? static_cast<int>(place - visible.begin()) : localRank;
}

}  // namespace

Expected<RankEnvironment> readRankEnvironment()
{
    constexpr int maxRanks = 1 << 20;
    RankEnvironment environment;
    environment.attemptFolder = variable("SWEEPSCOPE_ATTEMPT_FOLDER");
    environment.parentCheckpoint = variable("SWEEPSCOPE_PARENT_CHECKPOINT");
    environment.masterAddress = variable("MASTER_ADDR");
    environment.agentStore = variable("TORCHELASTIC_USE_AGENT_STORE") == "True";

    const std::string rankText = variable("RANK");
    const std::string worldText = variable("WORLD_SIZE");
    if (rankText.empty() != worldText.empty())
        return makeError(ErrorCode::BadInput, "environment variables RANK and WORLD_SIZE: only one of them is set; "
                                              "torchrun and Sweepscope set both, and a single rank needs neither");
    const Expected<int> worldSize = number("WORLD_SIZE", 1, 1, maxRanks);
    if (!worldSize)
        return tl::unexpected(worldSize.error());
    const Expected<int> rank = number("RANK", 0, 0, *worldSize - 1);
    if (!rank)
        return tl::unexpected(rank.error());
    const Expected<int> localWorldSize = number("LOCAL_WORLD_SIZE", *worldSize, 1, *worldSize);
    if (!localWorldSize)
        return tl::unexpected(localWorldSize.error());
    const Expected<int> localRank = number("LOCAL_RANK", *rank % *localWorldSize, 0, *localWorldSize - 1);
    if (!localRank)
        return tl::unexpected(localRank.error());
    const Expected<int> port = number("MASTER_PORT", 0, 1, 65535);
    if (!port)
        return tl::unexpected(port.error());
    const Expected<int> restartCount = number("TORCHELASTIC_RESTART_COUNT", 0, 0, 1 << 30);
    if (!restartCount)
        return tl::unexpected(restartCount.error());
    environment.restartCount = *restartCount;
    environment.worldSize = *worldSize;
    environment.rank = *rank;
    environment.localWorldSize = *localWorldSize;
    environment.localRank = *localRank;
    environment.gpu = firstOwnGpu(*localRank);
    environment.masterPort = static_cast<std::uint16_t>(*port);

    const bool hasMaster = !environment.masterAddress.empty() && environment.masterPort != 0;
    if (!environment.alone() && !hasMaster && environment.attemptFolder.empty())
        return makeError(ErrorCode::BadInput,
                         "environment variables MASTER_ADDR and MASTER_PORT: with WORLD_SIZE=" + worldText
                             + ", both must be set, so that the ranks find each other");
    return environment;
}

}  // namespace sweepscope::train
