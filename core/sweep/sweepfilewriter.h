#pragma once

#include "sweep/sweepspec.h"

#include <string>
#include <vector>

namespace sweepscope::sweep {

/// One key of a sweep file as toToml() (sweepfile.h) writes it.
struct WrittenKey {
    std::string table;  ///< "run.environment"
    std::string name;
    std::string value;  ///< TOML

    std::string dotted() const { return table.empty() ? name : table + "." + name; }
};

/// All keys of the sweep's file, in its order.
std::vector<WrittenKey> writtenKeys(const SweepSpec &spec);
/// The key of the same table and name; null where there is none.
const WrittenKey *findKey(const std::vector<WrittenKey> &keys, const WrittenKey &like);

}  // namespace sweepscope::sweep
