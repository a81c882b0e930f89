#include "base/environmentname.h"

#include <algorithm>
#include <array>

namespace sweepscope {

bool isEnvironmentName(std::string_view text)
{
    const auto isLetter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return !text.empty() && isLetter(text.front())
           && std::ranges::all_of(text, [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

bool isSetForRanks(std::string_view name)
{
    using namespace std::string_view_literals;
    constexpr std::array names{"RANK"sv,
                               "LOCAL_RANK"sv,
                               "ROLE_RANK"sv,
                               "GROUP_RANK"sv,
                               "WORLD_SIZE"sv,
                               "LOCAL_WORLD_SIZE"sv,
                               "ROLE_WORLD_SIZE"sv,
                               "GROUP_WORLD_SIZE"sv,
                               "ROLE_NAME"sv,
                               "MASTER_ADDR"sv,
                               "MASTER_PORT"sv,
                               "TORCHELASTIC_RUN_ID"sv,
                               "TORCHELASTIC_RESTART_COUNT"sv,
                               "TORCHELASTIC_MAX_RESTARTS"sv,
                               "TORCHELASTIC_USE_AGENT_STORE"sv,
                               "TORCHELASTIC_ERROR_FILE"sv,
                               "CUDA_DEVICE_ORDER"sv,
                               "CUDA_VISIBLE_DEVICES"sv,
                               "SWEEPSCOPE_RING"sv,
                               "SWEEPSCOPE_ATTEMPT_ID"sv,
                               "SWEEPSCOPE_ATTEMPT_FOLDER"sv,
                               "SWEEPSCOPE_TRIAL"sv,
                               "SWEEPSCOPE_PARENT"sv,
                               "SWEEPSCOPE_PARENT_CHECKPOINT"sv,
                               "SWEEPSCOPE_DEVICES"sv,
                               "SWEEPSCOPE_PARAMS"sv};
    return std::ranges::find(names, name) != names.end();
}

}  // namespace sweepscope
