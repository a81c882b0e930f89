#include "base/folderentries.h"

#include <system_error>

namespace sweepscope {

std::vector<std::filesystem::directory_entry> entriesOf(const std::filesystem::path &folder)
{
    std::vector<std::filesystem::directory_entry> entries;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error);
         !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
        entries.push_back(*entry);
    return entries;
}

}  // namespace sweepscope
