#include "device/sources.h"

#include "device/smisource.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace sweepscope::device {

std::unique_ptr<Source> makeSmiSource()
{
    const char *program = std::getenv("SWEEPSCOPE_SMI");
    return std::make_unique<SmiSource>(program != nullptr ? program : "");
}

std::vector<std::unique_ptr<Source>> makeSources(NvidiaBy nvidiaBy)
{
    std::vector<std::unique_ptr<Source>> sources;
    sources.push_back(nvidiaBy == NvidiaBy::Library ? makeNvmlSource() : makeSmiSource());
    sources.push_back(makeAmdSource());
    sources.push_back(makeCpuSource());
    return sources;
}

std::vector<Device> devicesOf(const std::vector<std::unique_ptr<Source>> &sources)
{
    std::vector<Device> devices;
    for (const std::unique_ptr<Source> &source : sources)
        std::ranges::move(source->devices(), std::back_inserter(devices));
    return devices;
}

std::string notesOf(const std::vector<std::unique_ptr<Source>> &sources)
{
    std::string notes;
    for (const std::unique_ptr<Source> &source : sources) {
        if (const std::string note = source->note(); !note.empty())
            notes += (notes.empty() ? "" : " ") + note;
    }
    return notes;
}

GpuTopology topologyOf(const std::vector<std::unique_ptr<Source>> &sources)
{
    GpuTopology topology;
    for (const std::unique_ptr<Source> &source : sources)
        topology.merge(source->topology());
    return topology;
}

facts::Facts conditionsOf(const std::vector<std::unique_ptr<Source>> &sources)
{
    facts::Facts conditions;
    for (const std::unique_ptr<Source> &source : sources)
        std::ranges::move(source->conditions(), std::back_inserter(conditions));
    return conditions;
}

}  // namespace sweepscope::device
