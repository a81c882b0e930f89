#include "ui/logs/logfeed.h"

#include "ui/logs/logtail.h"

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

/// What a view takes in without a pause that one would feel.
constexpr int batchLines = 1500;
constexpr auto pollInterval = 150ms;

}  // namespace

/// Lives in the reading thread.
class LogFeed::Reader : public QObject {
public:
    void open(const std::vector<LogFile> &files, int tailLines, quint64 generation)
    {
        m_generation = generation;
        m_sources.clear();
        m_first = true;
        const int each = tailLines / std::max(1, static_cast<int>(files.size()));
        for (const LogFile &file : files)
            m_sources.push_back({LogTail(file.path, each), {}, {}});
    }

    /// Null: nothing is new.
    std::shared_ptr<const LogBatch> answer()
    {
        auto batch = std::make_shared<LogBatch>();
        batch->generation = m_generation;
        batch->missing = true;
        bool partialChanged = false;
        for (std::size_t i = 0; i < m_sources.size(); ++i) {
            // One file after the other while there is much to read: of what was written before, nobody knows the order.
            const int room = batchLines - static_cast<int>(batch->lines.size());
            if (room <= 0) {
                batch->more = true;
                break;
            }
            Source &source = m_sources[i];
            const LogChunk chunk = source.tail.poll(room);
            batch->missing &= chunk.missing;
            batch->more |= chunk.more;
            batch->restarted |= chunk.restarted;
            batch->begin = chunk.begin;
            for (const LogLine &line : chunk.lines)
                batch->lines.push_back({source.ansi.read(line.bytes), static_cast<int>(i), line.offset});
            partialChanged |= chunk.partial != source.partial;
            source.partial = chunk.partial;
        }
        for (std::size_t i = 0; i < m_sources.size(); ++i) {
            AnsiReader copy = m_sources[i].ansi;  // the line is read again when it is whole
            if (!m_sources[i].partial.empty())
                batch->partial.push_back({copy.read(m_sources[i].partial), static_cast<int>(i), -1});
        }
        const bool changed =
            !batch->lines.empty() || partialChanged || batch->restarted || m_first || batch->missing != m_missing;
        m_missing = batch->missing;
        m_first = false;
        return changed ? batch : nullptr;
    }

    std::vector<ShownLine> earlier(quint64 generation, qint64 offset, int lines) const
    {
        std::vector<ShownLine> result;
        if (generation != m_generation || m_sources.size() != 1)
            return result;
        AnsiReader ansi;
        for (const LogLine &line : m_sources[0].tail.before(offset, lines))
            result.push_back({ansi.read(line.bytes), 0, line.offset});
        return result;
    }

private:
    struct Source {
        LogTail tail;
        AnsiReader ansi;
        std::string partial;
    };
    std::vector<Source> m_sources;
    quint64 m_generation = 0;
    bool m_missing = false;
    bool m_first = false;
};

LogFeed::LogFeed(QObject *parent) : QObject(parent), m_reader(new Reader)
{
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("log-files"));
    m_thread.start();
    m_timer.setInterval(pollInterval);
    connect(&m_timer, &QTimer::timeout, this, &LogFeed::tick);
}

LogFeed::~LogFeed()
{
    m_thread.quit();
    m_thread.wait();
}

void LogFeed::setFiles(const std::vector<LogFile> &files, int tailLines)
{
    ++m_generation;
    m_files = files;
    QMetaObject::invokeMethod(m_reader, [reader = m_reader, files, tailLines, generation = m_generation] {
        reader->open(files, tailLines, generation);
    });
    if (m_active)
        tick();
}

void LogFeed::setActive(bool active)
{
    m_active = active;
    if (!active) {
        m_timer.stop();
        return;
    }
    m_timer.start();
    tick();
}

void LogFeed::askEarlier(qint64 offset, int lines)
{
    QMetaObject::invokeMethod(m_reader, [this, reader = m_reader, generation = m_generation, offset, lines] {
        std::vector<ShownLine> found = reader->earlier(generation, offset, lines);
        QMetaObject::invokeMethod(this, [this, generation, found = std::move(found)] {
            if (generation == m_generation)
                Q_EMIT earlierReady(found);
        });
    });
}

void LogFeed::tick()
{
    if (m_asked || m_files.empty())
        return;
    m_asked = true;
    QMetaObject::invokeMethod(m_reader, [this, reader = m_reader] {
        std::shared_ptr<const LogBatch> batch = reader->answer();
        QMetaObject::invokeMethod(this, [this, batch = std::move(batch)] { answered(batch); });
    });
}

void LogFeed::answered(const std::shared_ptr<const LogBatch> &batch)
{
    m_asked = false;
    if (batch && batch->generation == m_generation)
        Q_EMIT batchReady(*batch);
    if (m_active && (!batch ? false : batch->more || batch->generation != m_generation))
        tick();
}

}  // namespace sweepscope::ui
