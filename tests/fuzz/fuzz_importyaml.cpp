#include "importing/sourcefile.h"
#include "sweep/sweepfile.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace sweepscope;

/// A sweep of W&B or Hydra: what is imported is a sweep file that is valid, or has problems.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    importing::ImportedSweep imported = importing::importYaml(text, "name");
    const std::string file = importing::sweepFileOf(imported);
    if (file.empty() != !imported.problems.empty())
        std::abort();
    if (!file.empty() && !sweep::parseSweep(file).problems.empty())
        std::abort();
    return 0;
}
