#include "launch/loglines.h"
#include "launch/metricspicker.h"
#include "output/metricssection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::launch;

namespace {

std::string_view takeText(std::string_view &rest)
{
    const std::string_view text = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(text.size() + 1, rest.size()));
    return text;
}

std::vector<std::string> linesOf(std::string_view log, std::size_t piece)
{
    std::vector<std::string> lines;
    const auto take = [&](std::string_view line) {
        if (line.empty() || line.size() > LogLines::longestLine || line.find_first_of("\r\n") != std::string_view::npos)
            std::abort();
        lines.emplace_back(line);
    };
    LogLines cutter;
    for (; !log.empty(); log.remove_prefix(std::min(piece, log.size())))
        cutter.add(log.substr(0, piece), take);
    cutter.finish(take);
    return lines;
}

}  // namespace

/// An expression, a step and a log, separated by zero bytes: any log gives the same lines however its bytes are split,
/// and no line does harm, whatever the expression. Without an expression the lines are JSON, and with "*" those
/// that scripts usually print.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string_view rest(reinterpret_cast<const char *>(data), size);
    output::MetricsSection metrics;
    const std::string expression(takeText(rest));
    metrics.step = takeText(rest);
    metrics.format = expression.empty()  ? output::OutputFormat::Json
                     : expression == "*" ? output::OutputFormat::Auto
                                         : output::OutputFormat::Text;
    if (metrics.format == output::OutputFormat::Text)
        metrics.series["loss"] = expression;

    std::uint16_t declared = 0;
    MetricsPicker::Sink sink;
    sink.declare = [&](const std::string &) { return declared++; };
    sink.write = [&](std::uint16_t id, std::int64_t, double) {
        if (id >= declared)
            std::abort();
    };
    sink.complain = [](const std::string &) {};
    const std::vector<std::string> lines = linesOf(rest, rest.size() + 1);
    if (lines != linesOf(rest, 1) || lines != linesOf(rest, 7))
        std::abort();
    auto picker = MetricsPicker::create(metrics, std::move(sink));
    for (std::size_t i = 0; picker && i < lines.size(); ++i)
        picker->pick(lines[i]);
    return 0;
}
