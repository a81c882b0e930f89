#include "sweep/gpunames.h"

#include <algorithm>
#include <cctype>

namespace sweepscope::sweep {

namespace {

constexpr std::size_t enoughOfAnId = 6;  // "GPU-" alone is no name

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return text;
}

bool isNumber(const std::string &text)
{
    return !text.empty()
           && std::all_of(text.begin(), text.end(), [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
}

}  // namespace

bool namesGpu(const std::string &entry, const GpuIdentity &gpu)
{
    if (isNumber(entry))
        return entry == std::to_string(gpu.index);
    const std::string wanted = lower(entry);
    if (wanted.empty())
        return false;
    if (wanted == lower(gpu.id) || (wanted.size() >= enoughOfAnId && lower(gpu.id).rfind(wanted, 0) == 0))
        return true;
    const std::string bus = lower(gpu.busId);
    const bool isBus = wanted.find(':') != std::string::npos && bus.size() >= wanted.size()
                       && bus.compare(bus.size() - wanted.size(), wanted.size(), wanted) == 0;
    return isBus || lower(gpu.name).find(wanted) != std::string::npos;
}

bool mayHaveGpu(const std::vector<std::string> &pin, const std::vector<std::string> &exclude, const GpuIdentity &gpu)
{
    const auto names = [&gpu](const std::string &entry) { return namesGpu(entry, gpu); };
    if (std::any_of(exclude.begin(), exclude.end(), names))
        return false;
    return pin.empty() || std::any_of(pin.begin(), pin.end(), names);
}

}  // namespace sweepscope::sweep
