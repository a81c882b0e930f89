#include "ui/timeline/timelinedata.h"

namespace sweepscope::ui {

namespace {

constexpr std::size_t mostAtOnce = 200;

}  // namespace

TimelineData::TimelineData(QObject *parent) : QObject(parent), m_reader(new QObject)
{
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("attempt-files"));
    m_thread.start();
}

TimelineData::~TimelineData()
{
    m_thread.quit();
    m_thread.wait();
}

void TimelineData::setSweep(const QString &workspace, const sweep::SweepRecord &sweep)
{
    const std::filesystem::path root(workspace.toStdString());
    if (root == m_workspace.root && sweep.folder == m_folder)
        return;
    m_workspace.root = root;
    m_folder = sweep.folder;
    m_spans.clear();
    m_wanted.clear();
    ++m_generation;
}

void TimelineData::want(const std::vector<AttemptKey> &attempts)
{
    for (const AttemptKey &key : attempts) {
        const auto known = m_spans.find(key);
        if (known == m_spans.end() || !known->second.to)
            m_wanted.insert(key);
    }
    readNext();
}

void TimelineData::readNext()
{
    if (m_requested || m_wanted.empty())
        return;
    m_requested = true;
    std::vector<AttemptKey> keys;
    while (!m_wanted.empty() && keys.size() < mostAtOnce)
        keys.push_back(m_wanted.extract(m_wanted.begin()).value());
    QMetaObject::invokeMethod(m_reader, [this, keys = std::move(keys), workspace = m_workspace, folder = m_folder,
                                         generation = m_generation] {
        AttemptSpans spans;
        for (const auto &[trial, attempt] : keys) {
            if (const auto span = readAttemptSpan(workspace.attempt(folder, trial, attempt)))
                spans.emplace(AttemptKey(trial, attempt), *span);
        }
        // The destructor waits for this thread, so `this` is alive; Qt drops a queued call when `this` is destroyed.
        QMetaObject::invokeMethod(this, [this, generation, spans = std::move(spans)] {
            m_requested = false;
            if (generation == m_generation)
                addSpans(spans);
            readNext();
        });
    });
}

void TimelineData::addSpans(const AttemptSpans &spans)
{
    if (spans.empty())
        return;
    for (const auto &[key, span] : spans)
        m_spans.insert_or_assign(key, span);
    Q_EMIT spansChanged();
}

}  // namespace sweepscope::ui
