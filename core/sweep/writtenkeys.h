#pragma once

#include "sweep/sweepspec.h"

#include <string>
#include <vector>

namespace sweepscope::sweep {

/// A line of a sweep file as toToml() writes it.
struct WrittenKey {
    std::string table;  ///< "run.environment"
    std::string name;
    std::string value;  ///< TOML

    std::string dotted() const { return table.empty() ? name : table + "." + name; }
};

/// All that the sweep's file says, in its order.
std::vector<WrittenKey> writtenKeys(const SweepSpec &spec);
/// Null where there is none.
const WrittenKey *findKey(const std::vector<WrittenKey> &keys, const WrittenKey &like);

}  // namespace sweepscope::sweep
