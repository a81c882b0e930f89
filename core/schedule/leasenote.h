#pragma once

#include "schedule/gpuleases.h"
#include "schedule/leaseholder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::schedule {

/// What the file of a GPU's lease says, for others to read while it is held and after it:
///
///     before  1073741824                           bytes of its memory that were in use when it was given
///     4711    anna    /home/anna/ws    digits, trial 3    a line for each holder
///
/// Tabs lie between the fields. Whoever finds the GPU free later knows by it when its memory has drained.
struct LeaseNote {
    std::vector<LeaseHolder> holders;
    std::optional<std::uint64_t> usedBefore;  ///< empty: nobody has seen it

    std::string text() const;
};

LeaseNote parseLeaseNote(std::string_view untrusted);

/// By a note that nobody's lock is on any more, for this workspace; empty where nobody has signed it.
std::optional<FormerLease> formerLease(const std::string &untrusted, const std::string &workspace);

}  // namespace sweepscope::schedule
