#include "sweep/tracerequest.h"

#include "sweep/control.h"

#include <nlohmann/json.hpp>

namespace sweepscope::sweep {

std::string toJson(const TraceRequest &request)
{
    return nlohmann::json{{"time", request.time}, {"steps", request.steps}}.dump() + '\n';
}

Expected<TraceRequest> traceRequestFromJson(std::string_view untrusted)
{
    const nlohmann::json json = nlohmann::json::parse(untrusted, nullptr, /*allow_exceptions=*/false);
    const auto integer = [&json](const char *key) -> std::optional<std::int64_t> {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>())
                                                                 : std::nullopt;
    };
    const std::optional<std::int64_t> time = integer("time");
    const std::optional<std::int64_t> steps = integer("steps");
    if (!time || !steps || *steps < 1 || *steps > mostTraceSteps)
        return makeError(ErrorCode::Corrupt,
                         "a request for a trace has a time and 1 to " + std::to_string(mostTraceSteps) + " steps");
    return TraceRequest{*time, static_cast<int>(*steps)};
}

}  // namespace sweepscope::sweep
