#include "sweep/writtenkeys.h"

#include "sweep/sweepfile.h"

#include <algorithm>
#include <sstream>

namespace sweepscope::sweep {

std::vector<WrittenKey> writtenKeys(const SweepSpec &spec)
{
    std::vector<WrittenKey> keys;
    std::istringstream lines(toToml(spec));
    std::string table;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find(" = ");
        if (line.size() > 2 && line.front() == '[' && line.back() == ']' && equals == std::string::npos)
            table = line.substr(1, line.size() - 2);
        else if (equals != std::string::npos)
            keys.push_back({table, line.substr(0, equals), line.substr(equals + 3)});
    }
    return keys;
}

const WrittenKey *findKey(const std::vector<WrittenKey> &keys, const WrittenKey &like)
{
    const auto found = std::ranges::find_if(
        keys, [&like](const WrittenKey &key) { return key.table == like.table && key.name == like.name; });
    return found != keys.end() ? &*found : nullptr;
}

}  // namespace sweepscope::sweep
