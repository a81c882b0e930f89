#include "ui/logs/logplace.h"

#include "ui/logs/logcount.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace sweepscope::ui {

using namespace std::chrono_literals;

LogPlace::LogPlace(QWidget *parent)
    : QWidget(parent), m_earlier(new QPushButton(tr("Show earlier lines"))), m_text(new QLabel), m_job(0ms, nullptr)
{
    m_earlier->setProperty("flat", true);
    m_earlier->setObjectName(QStringLiteral("logEarlier"));
    m_text->setObjectName(QStringLiteral("logPlace"));
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_text->setWordWrap(true);
    setTextRole(m_text, TextRole::Small);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_earlier);
    connect(m_earlier, &QPushButton::clicked, this, [this] {
        setReady(false);
        Q_EMIT earlierWanted();
    });
    hide();
}

LogPlace::~LogPlace()
{
    cancel();
}

void LogPlace::cancel()
{
    // The flag publishes no other data, so relaxed order is enough.
    if (m_cancelled)
        m_cancelled->store(true, std::memory_order_relaxed);
    m_cancelled.reset();
    m_job.drop();
    m_begin.clear();
}

void LogPlace::clear()
{
    cancel();
    m_files.clear();
    m_count.reset();
    setReady(true);
    hide();
}

void LogPlace::setReady(bool ready)
{
    m_earlier->setEnabled(ready);
}

void LogPlace::showText(const QString &text, bool hasEarlier)
{
    m_text->setText(text);
    m_earlier->setVisible(hasEarlier);
    show();
}

void LogPlace::showTail(int lines, bool ofAllRanks)
{
    cancel();
    showText(ofAllRanks ? tr("Last %L1 lines of all ranks").arg(lines) : tr("Last %L1 lines").arg(lines), true);
}

void LogPlace::showFiltered(int lines, qint64 passing)
{
    cancel();
    showText(tr("Last %L1 of %L2 matching lines").arg(lines).arg(passing), false);
}

void LogPlace::showStretch(const std::vector<LogFile> &files, const LogPosition &begin, int lines)
{
    if (files == m_files && begin == m_begin && lines == m_lines)
        return;
    cancel();
    if (files != m_files || !m_count)
        m_count = std::make_shared<LogCount>(files, std::nullopt);
    m_files = files;
    m_begin = begin;
    m_lines = lines;
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    const bool hasEarlier = std::ranges::any_of(begin, [](qint64 offset) { return offset > 0; });
    showText(tr("Earlier part of the log. To return to its end, press Follow (End)."), hasEarlier);
    m_job.request(
        [this, begin, lines, hasEarlier, count = m_count, cancelled = m_cancelled]() -> std::function<void()> {
            const bool isDone = count->countOn(*cancelled, [](double) {});
            const qint64 first = count->before(begin, *cancelled) + 1;
            return [this, isDone, first, lines, hasEarlier, total = count->total(), cancelled] {
                if (!isDone || cancelled != m_cancelled)
                    return;
                showText(tr("Lines %L1 to %L2 of %L3. To return to the end of the log, press Follow (End).")
                             .arg(first)
                             .arg(first + lines - 1)
                             .arg(total),
                         hasEarlier);
            };
        });
}

}  // namespace sweepscope::ui
