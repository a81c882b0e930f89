#include "wording/failuretitle.h"

#include "base/printable.h"
#include "wording/placeholders.h"
#include "wording/sentence.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sweepscope::wording {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// "IndexError" of "IndexError: list index out of range"; empty if the message begins otherwise.
std::string exceptionType(const std::string &message)
{
    const std::string type = message.substr(0, message.find(": "));
    const auto isPart = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
    };
    const bool isType = !type.empty() && std::ranges::all_of(type, isPart);
    return isType ? type.substr(type.rfind('.') + 1) : std::string();
}

std::string titleOfRank(const Fact &cause)
{
    const bool outOfMemory = cause.text(Field::Shortage).find("memory") != std::string::npos;
    const std::string message = cause.text(Field::Detail);
    if (cause.code == Code::RankKilled)
        return fill(text("killed by signal {signal}"), cause) + (outOfMemory ? text(", out of memory") : "");
    if (cause.integer(Field::IsError) != 1 || message.empty())
        return fill(text("exit code {exit_code}"), cause);
    const std::string type = exceptionType(message);
    const std::string what = type.empty() ? message : type;
    return cause.text(Field::Source).empty() ? (type.empty() ? what : message)
                                             : what + fill(text(" in {source}"), cause);
}

std::string shortened(std::string words, std::size_t most)
{
    constexpr std::string_view mark = " …";
    if (words.size() <= most)
        return words;
    return cutBetweenCharacters(std::move(words), most - std::min(most, mark.size())) + std::string(mark);
}

}  // namespace

std::string failureTitle(const Fact &cause, std::size_t most)
{
    switch (cause.code) {
    case Code::RankExited:
    case Code::RankKilled:
        return shortened(titleOfRank(cause), most);
    case Code::Hung:
        return shortened(fill(text("hung: no step for {seconds}"), cause), most);
    case Code::ExitedEarly:
        return shortened(fill(text("{ranks} did nothing after rank {rank} had exited"), cause), most);
    default:
        return shortened(clause(cause), most);
    }
}

}  // namespace sweepscope::wording
