#include "launch/outputrequest.h"

#include "launch/untrustedjson.h"

#include <algorithm>
#include <array>

namespace sweepscope::launch {

namespace {

constexpr std::array<std::string_view, 3> requestFormats{"text", "json", "auto"};  // in the order of OutputFormat

}  // namespace

std::string toJson(const OutputRequest &request)
{
    const output::MetricsSection &metrics = request.metrics;
    const nlohmann::json object{{"format", requestFormats.at(static_cast<std::size_t>(metrics.format))},
                                {"every_rank", metrics.everyRank},
                                {"step", metrics.step},
                                {"series", metrics.series},
                                {"if_silent", request.ifSilent}};
    return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Expected<OutputRequest> outputRequestFromJson(std::string_view untrusted)
{
    const nlohmann::json object = parseUntrustedJson(untrusted);
    try {
        OutputRequest request;
        output::MetricsSection &metrics = request.metrics;
        const auto format = std::ranges::find(requestFormats, object.at("format").get<std::string>());
        if (format == requestFormats.end())
            return makeError(ErrorCode::BadInput, "read-output: format must be \"text\", \"json\" or \"auto\"");
        metrics.format = static_cast<output::OutputFormat>(format - requestFormats.begin());
        object.at("every_rank").get_to(metrics.everyRank);
        object.at("step").get_to(metrics.step);
        object.at("series").get_to(metrics.series);
        request.ifSilent = object.value("if_silent", false);
        return request;
    } catch (const nlohmann::json::exception &error) {
        return makeError(ErrorCode::BadInput, std::string("read-output: ") + error.what());
    }
}

}  // namespace sweepscope::launch
