#include "checkpointplace.h"

#include "jsonvalues.h"

#include "base/printable.h"
#include "wording/placeholders.h"

#include <QtGlobal>

#include <cstdint>
#include <unistd.h>

namespace sweepscope::ctl {

std::string inWords(const CheckpointPlace &place)
{
    return "trial " + std::to_string(place.trial) + ", attempt " + std::to_string(place.attempt) + ": "
           + std::to_string(place.size.files) + (place.size.files == 1 ? " file, " : " files, ")
           + wording::bytes(static_cast<double>(place.size.bytes)) + ", in "
           + (place.machine.empty() ? std::string() : place.machine + ":") + printable(place.folder);
}

std::string toJson(const CheckpointPlace &place)
{
    const Json json{{"trial", place.trial},   {"attempt", place.attempt},  {"machine", place.machine},
                    {"folder", place.folder}, {"files", place.size.files}, {"bytes", place.size.bytes}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Expected<CheckpointPlace> checkpointPlaceFrom(const std::string &json)
{
    try {
        const Json read = Json::parse(json);
        return CheckpointPlace{read.at("trial").get<int>(),
                               read.at("attempt").get<int>(),
                               read.at("machine").get<std::string>(),
                               read.at("folder").get<std::string>(),
                               {read.at("files").get<std::int64_t>(), read.at("bytes").get<std::int64_t>()}};
    } catch (const Json::exception &) {
        return makeError(ErrorCode::BadInput,
                         "the sweepctl there has another version, and does not report where it is");
    }
}

remote::Questions questionsOfCopies()
{
    if (::isatty(STDIN_FILENO) == 1)
        return remote::Questions::OnTerminal;
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
               ? remote::Questions::InDialogs
               : remote::Questions::Refused;
}

}  // namespace sweepscope::ctl
