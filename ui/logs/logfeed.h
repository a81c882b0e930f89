#pragma once

#include "ui/logs/ansitext.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <vector>

namespace sweepscope::ui {

struct LogFile {
    std::filesystem::path path;
    int rank = -1;                ///< -1: the agent's
    std::filesystem::path times;  ///< when it was how long, for putting several in order
    bool operator==(const LogFile &) const = default;
};

struct ShownLine {
    StyledLine line;
    int file = 0;        ///< index of the LogFile
    qint64 offset = -1;  ///< in that file; -1: not from a file (a note)
    qint64 end = -1;     ///< where the next line begins
};

/// A place in files that are read as one: of each the offset at which the next line begins.
using LogPosition = std::vector<qint64>;

/// What the reading thread hands over.
struct LogBatch {
    quint64 generation = 0;
    std::vector<ShownLine> lines;
    std::vector<ShownLine> partial;  ///< the unfinished last line, where there is one: replaces the one before
    bool more = false;               ///< the next batch is on its way
    bool missing = false;            ///< none of the files is there
    bool restarted = false;
    qint64 skipped = 0;  ///< bytes before these lines that were written faster than they can be shown
    LogPosition begin;   ///< where reading began
};

/// Follows log files in a thread of its own, a bounded batch at a time: the next one is read when the view has taken
/// the last.
class LogFeed : public QObject {
    Q_OBJECT

public:
    explicit LogFeed(QObject *parent = nullptr);
    ~LogFeed() override;

    /// `tailLines`: of all files together.
    void setFiles(const std::vector<LogFile> &files, int tailLines);
    void setActive(bool active);
    /// At most `lines` lines before this place. Answer: earlierReady.
    void askEarlier(const LogPosition &position, int lines);

Q_SIGNALS:
    void batchReady(const sweepscope::ui::LogBatch &batch);
    /// `begin`: of these lines.
    void earlierReady(const std::vector<sweepscope::ui::ShownLine> &lines, const sweepscope::ui::LogPosition &begin);

private:
    class Reader;
    void tick();
    void answered(const std::shared_ptr<const LogBatch> &batch);

    QThread m_thread;
    Reader *m_reader;  // lives in m_thread, deleted when it ends
    QTimer m_timer;
    std::vector<LogFile> m_files;
    quint64 m_generation = 0;
    bool m_active = false;
    bool m_asked = false;
};

}  // namespace sweepscope::ui
