#include "device/sources.h"

namespace sweepscope::device {

std::vector<std::unique_ptr<Source>> makeSources()
{
    std::vector<std::unique_ptr<Source>> sources;
    sources.push_back(makeNvmlSource());
    sources.push_back(makeAmdSource());
    sources.push_back(makeCpuSource());
    return sources;
}

}  // namespace sweepscope::device
