#pragma once

#include "base/clock.h"
#include "ui/logs/ansitext.h"
#include "ui/logs/levelcounts.h"
#include "ui/logs/logfilter.h"
#include "ui/logs/loglevel.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <filesystem>
#include <memory>
#include <vector>

namespace sweepscope::ui {

struct LogFile {
    std::filesystem::path path;
    int rank = -1;                ///< -1: of the agent
    std::filesystem::path times;  ///< sizes over time, to sort the lines of several files
    bool operator==(const LogFile &) const = default;
};

struct ShownLine {
    StyledLine line;
    int file = 0;        ///< index of the LogFile
    qint64 offset = -1;  ///< in that file; -1 for a note
    qint64 end = -1;     ///< offset of the next line
    WallNs time = 0;     ///< when it was written; 0 if unknown
    LineLevel level{};
};

/// A position in files that are read as one: the offset of the next line in each.
using LogPosition = std::vector<qint64>;

/// A message from the reading thread.
struct LogBatch {
    quint64 generation = 0;
    std::vector<ShownLine> lines;
    std::vector<ShownLine> partial;  ///< the unfinished last line, if there is one: replaces the previous
    bool more = false;               ///< another batch follows
    bool missing = false;            ///< none of the files exists
    bool restarted = false;
    qint64 skipped = 0;  ///< bytes left out before these lines: they arrive faster than they can be shown
    LogPosition begin;   ///< start of reading

    // With a filter only:
    qint64 matching = 0;   ///< number of lines that passed so far
    qint64 filtered = 0;   ///< bytes that were read
    qint64 size = 0;       ///< bytes of the files
    bool tooSlow = false;  ///< given up: the pattern takes too long
    LevelCounts levels{};  ///< of all lines, if the filter depends on levels
};

/// Follows log files on a separate thread, one bounded batch at a time: reads the next one after the view has taken the
/// last.
class LogFeed : public QObject {
    Q_OBJECT

public:
    explicit LogFeed(QObject *parent = nullptr);
    ~LogFeed() override;

    /// `tailLines`: number over all files. A filter reads whole files, and returns the last lines that pass it.
    void setFiles(const std::vector<LogFile> &files, int tailLines, const LogFilter &filter = {});
    void setActive(bool active);
    /// Requests at most `lines` lines before this position. Answer: earlierReady.
    void requestEarlier(const LogPosition &position, int lines);

Q_SIGNALS:
    void batchReady(const sweepscope::ui::LogBatch &batch);
    /// `begin`: position of these lines.
    void earlierReady(const std::vector<sweepscope::ui::ShownLine> &lines, const sweepscope::ui::LogPosition &begin);

private:
    class Reader;
    void cancel();
    void tick();
    void answered(const std::shared_ptr<const LogBatch> &batch);

    QThread m_thread;
    Reader *m_reader;  // lives in m_thread, deleted when the thread ends
    QTimer m_timer;
    std::vector<LogFile> m_files;
    std::shared_ptr<std::atomic<bool>> m_cancelled;  ///< of the files that are being read
    quint64 m_generation = 0;
    bool m_active = false;
    bool m_requested = false;
};

}  // namespace sweepscope::ui
