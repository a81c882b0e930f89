#pragma once

#include "base/clock.h"
#include "sweep/trialhistory.h"

#include <QObject>
#include <QProcess>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sweepscope::engine {

using sweep::SourceState;

/// Keeps sources.jsonl in the folder of each sweep: which revision of their code attempts began with. Git is asked on
/// the side, for each folder at most every ten seconds while attempts begin, and a line is written when the answer is
/// new; so no attempt waits for it.
class SourceLog : public QObject {
    Q_OBJECT

public:
    ~SourceLog() override;

    /// An attempt begins now in `folder`.
    void look(const std::filesystem::path &log, const std::filesystem::path &folder, WallNs now);

private:
    struct Watched {
        WallNs lookedAt = 0;
        std::unique_ptr<QProcess> git;  ///< while it runs
        std::optional<SourceState> state;
    };
    using Place = std::pair<std::filesystem::path, std::filesystem::path>;

    std::unique_ptr<QProcess> start(const Place &place);
    void take(const Place &place);
    bool isBusy() const;

    std::map<Place, Watched> m_watched;
};

/// What was known of `folder` when an attempt began there at `time`. Empty: nothing.
std::optional<SourceState> sourceAt(const std::filesystem::path &log, const std::filesystem::path &folder, WallNs time);

/// From `git status --porcelain=v2 --branch`.
SourceState sourceStateFrom(const std::string &untrustedStatus);

}  // namespace sweepscope::engine
