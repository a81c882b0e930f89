#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace sweepscope::sweep;

/// Any bytes are a sweep file or have problems, each with its place; a valid one is written and read back unchanged,
/// and has the number of trials that was computed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const ParsedSweep parsed = parseSweep({reinterpret_cast<const char *>(data), size});
    for (const Problem &problem : parsed.problems) {
        if (problem.message.empty() || problem.line < 1 || problem.column < 1)
            std::abort();
    }
    if (!parsed.problems.empty())
        return 0;
    const ParsedSweep again = parseSweep(toToml(parsed.spec));
    if (!again.problems.empty() || again.spec != parsed.spec)
        std::abort();
    const auto count = countTrials(parsed.spec);
    if (!count || *count == 0 || *count > maxTrials)
        std::abort();
    if (*count <= 1000) {
        const auto plans = planTrials(parsed.spec);
        if (!plans || plans->size() != *count)
            std::abort();
    }
    return 0;
}
