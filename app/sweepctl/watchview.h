#pragma once

#include "protocol/machinestatus.h"
#include "sweep/records.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

/// What `sweepctl watch` shows, as text: functions of the state, without a terminal.
namespace sweepscope::ctl {

/// The objective of a running trial over the last minutes, as far as this program has seen it.
class ObjectiveTrace {
public:
    /// Call as often as there is news: equal steps count once.
    void add(const sweep::TrialRecord &trial);
    /// "▁▂▅█": the last `width` values of a trial, from the least to the greatest of them; blanks before the first.
    std::string sparkline(int trial, std::size_t width) const;

private:
    struct Values {
        std::int64_t lastStep = 0;
        std::vector<double> values;
    };
    std::map<int, Values> m_trials;
};

enum class WatchOrder { ByState, ByResult, ByNumber };
/// "state", "result", "number"
const char *nameOf(WatchOrder order);

enum class Style { Plain, Heading, Dim, Good, Bad, Running, Selected };

struct StyledLine {
    std::string text;
    Style style = Style::Plain;
};

struct WatchState {
    std::vector<sweep::SweepRecord> sweeps;       ///< that are shown
    std::size_t sweep = 0;                        ///< the selected one
    std::vector<sweep::TrialRecord> trials;       ///< of it
    std::vector<protocol::DeviceStatus> devices;  ///< of all machines
    std::vector<protocol::MachineStatus> machines;
    std::string connection;  ///< what is wrong with it; empty if nothing
    WatchOrder order = WatchOrder::ByState;
    std::size_t selected = 0;  ///< row among the trials
    std::size_t top = 0;       ///< first row that is shown
    bool showsDetails = false;
    bool showsHelp = false;
    WallNs now = 0;
};

/// Trials in the order in which they are shown.
std::vector<const sweep::TrialRecord *> rowsOf(const WatchState &state);

/// Moves the selection by `rows` and scrolls it into view. `height`: lines of the terminal.
void moveSelection(WatchState &state, std::ptrdiff_t rows, std::size_t height);

/// The lines of a terminal of this size, each at most `width` columns wide; at most `height` lines.
std::vector<StyledLine> render(const WatchState &state, const ObjectiveTrace &trace, std::size_t width,
                               std::size_t height);

}  // namespace sweepscope::ctl
