#pragma once

#include "base/filedescriptor.h"
#include "base/workspacelayout.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

namespace sweepscope::engine {

/// Says when an attempt's events.jsonl has new lines, so that a device does not wait for the engine's next tick. Where
/// the system has no watches left (fs.inotify.max_user_watches) nothing is said, and the tick finds out.
///
/// One attempt at a time, and whoever waits for the engine comes in between: an attempt that is told of may end and the
/// next one begin in that call, and sixteen short ones in a row would keep every client waiting.
class AttemptWatch : public QObject {
    Q_OBJECT

public:
    explicit AttemptWatch(QObject *parent = nullptr);

    void begin(std::int64_t sweepId, int trial, const AttemptLayout &files);
    void end(std::int64_t sweepId, int trial);

Q_SIGNALS:
    void changed(qint64 sweepId, int trial);

private:
    using Key = std::pair<std::int64_t, int>;
    struct Watched {
        std::filesystem::path events;
        int watch = -1;  ///< of events.jsonl; until that is there, of its folder
        bool isOfFolder = false;
    };
    bool watchEvents(const Key &key, Watched &watched);
    void forget(const Watched &watched);
    void read();
    void tellSoon(const Key &key);
    void tellNext();

    FileDescriptor m_inotify;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::map<Key, Watched> m_watched;
    std::map<int, Key> m_keys;  ///< by watch
    std::deque<Key> m_untold;   ///< each once
    QTimer m_tell;
};

}  // namespace sweepscope::engine
