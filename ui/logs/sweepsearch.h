#pragma once

#include "ui/logs/logfeed.h"

#include <QRegularExpression>
#include <QString>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// A search through the logs of all ranks of many trials, in all their attempts.
struct SweepSearch {
    struct Trial {
        int number = 0;
        int attempts = 0;
        int ranks = 1;
    };
    std::filesystem::path workspace;
    std::string sweepFolder;
    std::vector<Trial> trials;
    QRegularExpression pattern;
    int linesOfALog = 20;     ///< that are listed
    int linesOfAll = 10'000;  ///< the search ends there
};

/// A line with a hit.
struct SweepHit {
    int trial = 0;
    int attempt = 0;
    bool isOnlyAttempt = true;
    int rank = 0;
    qint64 line = 0;    ///< from 1
    qint64 offset = 0;  ///< of the line; of a long one, of the piece with the hit (LogTail)
    QString text;       ///< around the hit, if the line is long
    int start = 0;      ///< of the hit in the text
    int length = 0;
};

struct SweepSearchState {
    int trials = 0;  ///< searched
    int trialsWithHits = 0;
    int logs = 0;              ///< that exist and are not empty
    qint64 lines = 0;          ///< that match
    qint64 bytes = 0;          ///< read
    bool isShortened = false;  ///< a log has more lines than are listed
    bool isFull = false;       ///< ended at the most lines
    bool tooSlow = false;      ///< given up: the pattern takes too long
};

/// Calls `report` with lines in order, now and then, and at the end. Returns early if cancelled. Callable from any
/// thread.
void searchSweep(const SweepSearch &search, const std::atomic<bool> &cancelled,
                 const std::function<void(std::vector<SweepHit> hits, const SweepSearchState &state)> &report);

}  // namespace sweepscope::ui
