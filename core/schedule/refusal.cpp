#include "schedule/refusal.h"

#include <utility>

namespace sweepscope::schedule {

tl::unexpected<Refusal> refuse(ErrorCode code, std::string message)
{
    return tl::unexpected<Refusal>(Refusal{code, std::move(message)});
}

std::string counted(std::int64_t number, const std::string &singular)
{
    return std::to_string(number) + " " + singular + (number == 1 ? "" : "s");
}

std::string needInWords(int ranks, int perRank, const std::string &what)
{
    return counted(std::int64_t{ranks} * perRank, what) + " (" + counted(ranks, "rank") + " with "
           + std::to_string(perRank) + " each)";
}

}  // namespace sweepscope::schedule
