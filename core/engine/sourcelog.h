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

/// Keeps sources.jsonl in each sweep's folder: the revision of the code with which attempts began. Runs git
/// asynchronously, at most every ten seconds per folder while attempts begin, and appends a line if the answer is new;
/// no attempt waits for it.
class SourceLog : public QObject {
    Q_OBJECT

public:
    ~SourceLog() override;

    /// Call when an attempt begins in `folder`.
    void record(const std::filesystem::path &log, const std::filesystem::path &folder, WallNs now);

private:
    struct Watched {
        WallNs checkedAt = 0;
        std::unique_ptr<QProcess> git;  ///< while it runs
        std::optional<SourceState> state;
    };
    using Place = std::pair<std::filesystem::path, std::filesystem::path>;

    std::unique_ptr<QProcess> start(const Place &place);
    void finish(const Place &place);
    bool isBusy() const;

    std::map<Place, Watched> m_watched;
};

/// Returns the state of `folder` recorded when an attempt began there at `time`; nullopt if unknown.
std::optional<SourceState> sourceAt(const std::filesystem::path &log, const std::filesystem::path &folder, WallNs time);

/// Parses the output of `git status --porcelain=v2 --branch`.
SourceState sourceStateFrom(const std::string &untrustedStatus);

}  // namespace sweepscope::engine
