#include "ui/logs/triallog.h"

#include "base/workspacelayout.h"
#include "ui/logs/logsearchbar.h"
#include "ui/logs/logview.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr int tailLines = 50'000;
constexpr int earlierLines = 20'000;
constexpr auto recountPause = 500ms;
constexpr int allRanks = -1;
constexpr int agentLog = -2;

}  // namespace

const QRegularExpression &errorPattern()
{
    static const QRegularExpression pattern(QStringLiteral(
        R"(\bTraceback \(most recent|\b\w*(Error|Exception)\b\s*[:(]|\b(ERROR|FATAL|CRITICAL)\b|\b(error|fatal):)"
        R"(|Segmentation fault|\bAborted\b|\bKilled\b|[Oo]ut of memory|terminate called|[Aa]ssertion .*failed|runtime error)"));
    return pattern;
}

TrialLog::TrialLog(QWidget *parent)
    : QWidget(parent),
      m_feed(new LogFeed(this)),
      m_chooser(new QComboBox),
      m_search(new LogSearchBar),
      m_error(new QToolButton),
      m_wrap(new QToolButton),
      m_follow(new QToolButton),
      m_earlier(new QPushButton(tr("Show earlier lines"))),
      m_later(new QPushButton(tr("Show later lines"))),
      m_view(new LogView),
      m_fileSearch(0ms, this)
{
    m_chooser->setObjectName(QStringLiteral("logChooser"));
    m_chooser->setAccessibleName(tr("Which log"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_error->setText(tr("First error"));
    m_error->setIcon(symbolIcon(QStringLiteral("warning")));
    m_error->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_error->setToolTip(tr("Go to the first line that looks like an error (E)"));
    m_wrap->setText(tr("Wrap"));
    m_wrap->setIcon(symbolIcon(QStringLiteral("wrap")));
    m_wrap->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_wrap->setCheckable(true);
    m_wrap->setToolTip(tr("Break long lines (W)"));
    m_follow->setText(tr("Follow"));
    m_follow->setIcon(symbolIcon(QStringLiteral("follow-end")));
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_follow->setToolTip(tr("Stay at the end. Off as soon as you scroll up (End)"));
    m_earlier->setProperty("flat", true);
    m_earlier->hide();
    m_earlier->setObjectName(QStringLiteral("logEarlier"));
    m_later->setProperty("flat", true);
    m_later->setObjectName(QStringLiteral("logLater"));
    m_later->hide();
    m_follow->setObjectName(QStringLiteral("logFollow"));
    m_error->setObjectName(QStringLiteral("logFirstError"));

    auto *bar = new QHBoxLayout;
    bar->setSpacing(spacing::small);
    bar->addWidget(m_chooser);
    bar->addWidget(m_search, 1);
    bar->addWidget(m_error);
    bar->addWidget(m_wrap);
    bar->addWidget(m_follow);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addLayout(bar);
    layout->addWidget(m_earlier);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_later);

    connect(m_feed, &LogFeed::batchReady, this, &TrialLog::takeBatch);
    connect(m_feed, &LogFeed::earlierReady, this, [this](const std::vector<ShownLine> &lines) {
        m_view->prepend(lines);
        m_earlier->setEnabled(true);
        updateEarlier();
    });
    connect(m_chooser, &QComboBox::currentIndexChanged, this, &TrialLog::openChosen);
    connect(m_search, &LogSearchBar::patternChanged, this, [this] {
        cancelSearch();
        m_view->setPattern(m_search->pattern());
        showHits();
    });
    m_recount.setSingleShot(true);
    m_recount.setInterval(recountPause);
    connect(&m_recount, &QTimer::timeout, this, &TrialLog::showHits);
    connect(m_search, &LogSearchBar::findRequested, this, &TrialLog::find);
    connect(m_error, &QToolButton::clicked, this, [this] { findError(true); });
    connect(m_wrap, &QToolButton::toggled, m_view, &LogView::setWrapped);
    connect(m_follow, &QToolButton::clicked, this, &TrialLog::showEnd);
    connect(m_later, &QPushButton::clicked, this, &TrialLog::showLater);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &TrialLog::updateFollow);
    connect(m_earlier, &QPushButton::clicked, this, [this] {
        m_earlier->setEnabled(false);
        m_feed->askEarlier(m_view->firstOffset(), earlierLines);
    });
    const auto key = [this](const QKeySequence &sequence, auto action, QWidget *place = nullptr) {
        auto *shortcut = new QShortcut(sequence, place ? place : this);
        // Letters belong to who types them; the others count whatever has the focus, while this can be seen.
        shortcut->setContext(place ? Qt::WidgetShortcut : Qt::WindowShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    key(
        Qt::Key_E, [this] { findError(true); }, m_view);
    key(
        Qt::Key_W, [this] { m_wrap->toggle(); }, m_view);
    key(
        Qt::Key_End, [this] { showEnd(); }, m_view);
    key(QKeySequence::Find, [this] { m_search->focusField(); });
    key(QKeySequence::FindNext, [this] { find(true); });
    key(QKeySequence::FindPrevious, [this] { find(false); });
}

TrialLog::~TrialLog()
{
    cancelSearch();
}

void TrialLog::showAttempt(const std::filesystem::path &folder, int ranks)
{
    if (folder == m_folder && ranks == m_ranks)
        return;
    const QVariant chosen = m_chooser->currentData();
    m_folder = folder;
    m_ranks = ranks;
    m_chooser->blockSignals(true);
    m_chooser->clear();
    if (ranks > 1)
        m_chooser->addItem(tr("All ranks"), allRanks);
    for (int rank = 0; rank < ranks; ++rank)
        m_chooser->addItem(tr("Rank %1").arg(rank), rank);
    if (ranks > 0)
        m_chooser->addItem(tr("Agent"), agentLog);
    const int same = m_chooser->findData(chosen);
    m_chooser->setCurrentIndex(chosen.isValid() && same >= 0 ? same : 0);
    m_chooser->blockSignals(false);
    openChosen();
}

void TrialLog::chooseRank(int rank)
{
    const int index = m_chooser->findData(rank < 0 ? allRanks : rank);
    if (index >= 0)
        m_chooser->setCurrentIndex(index);
}

void TrialLog::openChosen()
{
    const AttemptLayout layout{m_folder};
    std::vector<LogFile> files;
    const int chosen = m_chooser->currentData().isValid() ? m_chooser->currentData().toInt() : agentLog;
    m_merged = chosen == allRanks;
    if (m_folder.empty()) {
        // nothing
    } else if (chosen == agentLog) {
        files.push_back({layout.agentLog(), -1, {}});
    } else {
        for (int rank = m_merged ? 0 : chosen; rank < (m_merged ? m_ranks : chosen + 1); ++rank)
            files.push_back({layout.rankLog(rank), rank, layout.rankTimes(rank)});
    }
    cancelSearch();
    if (!m_search->pattern())
        m_search->setResult({}, false);  // what was said of another log
    m_restarted = false;
    m_detached = false;
    m_later->hide();
    m_feed->setActive(isVisible());
    m_view->clearLines();
    m_view->setLineLimit(tailLines);
    m_view->setPlaceholderText(QString());
    m_earlier->hide();
    m_earlier->setEnabled(true);
    m_feed->setFiles(files, tailLines);
}

void TrialLog::takeBatch(const LogBatch &batch)
{
    if (m_detached)
        return;
    m_restarted |= batch.restarted;
    m_view->append(batch, m_merged);
    m_view->setPlaceholderText(batch.missing ? tr("There is no log yet. It appears here as soon as the process writes.")
                                             : tr("The log is empty."));
    if (!m_recount.isActive() && m_search->pattern())
        m_recount.start();
    if (m_jumpPending && !batch.more) {
        m_jumpPending = false;
        findError(false);
    }
    updateEarlier();
    updateFollow();
}

void TrialLog::updateFollow()
{
    m_follow->setChecked(!m_detached && m_view->isAtEnd());
}

void TrialLog::updateEarlier()
{
    // Of several files together nobody knows which lines came before; and a file that was replaced has none.
    m_earlier->setVisible(!m_merged && !m_restarted && m_view->firstOffset() > 0);
}

void TrialLog::jumpToFirstError()
{
    m_jumpPending = true;
}

void TrialLog::find(bool forward)
{
    if (!m_search->pattern())
        return;
    cancelSearch();
    const bool isWhole = isWholeFileShown();
    const LogView::Found found = m_view->findNext(forward, isWhole);
    updateFollow();
    if (!found.found && !found.tooSlow && m_merged)
        searchAllFiles(*m_search->pattern(), forward);
    else if (!found.found && !found.tooSlow && !isWhole)
        searchFile(*m_search->pattern(), forward, forward ? (m_detached ? m_stretchEnd : 0) : m_view->firstOffset());
    else if (found.tooSlow)
        m_search->setResult(tr("This pattern takes too long: make it simpler"), true);
    else
        showHits();
}

void TrialLog::showHits()
{
    if (!m_search->pattern())
        return;
    const LogView::Hits hits = m_view->countHits();
    if (!hits.complete)
        m_search->setResult(tr("more than %1 hits").arg(hits.count), false);
    else if (hits.count == 0)
        m_search->setResult(tr("Not found"), true);
    else if (hits.current > 0)
        m_search->setResult(tr("%L1 of %L2").arg(hits.current).arg(hits.count), false);
    else
        m_search->setResult(hits.count == 1 ? tr("1 hit") : tr("%1 hits").arg(hits.count), false);
}

/// Nothing of the file lies outside of what is shown; of several files together nobody knows.
bool TrialLog::isWholeFileShown() const
{
    return m_merged || m_restarted || onlyFile().empty() || (!m_detached && m_view->firstOffset() <= 0);
}

std::filesystem::path TrialLog::onlyFile() const
{
    if (m_folder.empty() || m_merged)
        return {};
    const AttemptLayout layout{m_folder};
    const int chosen = m_chooser->currentData().isValid() ? m_chooser->currentData().toInt() : agentLog;
    return chosen == agentLog ? layout.agentLog() : layout.rankLog(chosen);
}

void TrialLog::cancelSearch()
{
    // The flag carries nothing but itself: relaxed order is enough.
    if (m_cancelled)
        m_cancelled->store(true, std::memory_order_relaxed);
    m_cancelled.reset();
    m_fileSearch.drop();
}

void TrialLog::searchFile(const QRegularExpression &pattern, bool forward, qint64 from)
{
    cancelSearch();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_search->setResult(tr("Searching the whole file …"), false);
    const FileSearch search{onlyFile(), pattern, from, forward};
    m_fileSearch.request([this, search, cancelled = m_cancelled,
                          progress = progressTeller(tr("Searching the whole file: %1 %"))]() -> std::function<void()> {
        auto found = std::make_shared<std::optional<LogStretch>>(ui::searchFile(search, *cancelled, progress));
        return [this, search, found, cancelled] {
            if (cancelled != m_cancelled)
                return;
            m_cancelled.reset();
            if (*found)
                showStretch(**found, search.pattern);
            else
                m_search->setResult(tr("Not found in the whole file"), true);
        };
    });
}

/// For the thread that searches: repeats the sentence with the per cent that are done, until another search begins.
std::function<void(double)> TrialLog::progressTeller(const QString &sentence)
{
    return [this, sentence, cancelled = m_cancelled, told = std::make_shared<int>(0)](double share) {
        const int percent = static_cast<int>(share * 100);
        if (percent == std::exchange(*told, percent))
            return;
        QMetaObject::invokeMethod(
            this,
            [this, sentence, percent, cancelled] {
                if (cancelled == m_cancelled)
                    m_search->setResult(sentence.arg(percent), false);
            },
            Qt::QueuedConnection);
    };
}

/// Of all ranks, one after the other; what is found is shown in the log of its rank.
void TrialLog::searchAllFiles(const QRegularExpression &pattern, bool forward)
{
    cancelSearch();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_search->setResult(tr("Searching all ranks …"), false);
    const auto search = [layout = AttemptLayout{m_folder}, ranks = m_ranks, pattern, forward, cancelled = m_cancelled,
                         tell = progressTeller(tr("Searching all ranks: %1 %"))] {
        std::pair<int, std::optional<LogStretch>> found;  // the rank, and where in its log
        for (int rank = 0; rank < ranks && !found.second; ++rank) {
            const std::filesystem::path file = layout.rankLog(rank);
            std::error_code error;
            const auto size = static_cast<qint64>(std::filesystem::file_size(file, error));
            if (error)
                continue;  // this one has not written anything
            const auto progress = [&](double share) { tell((rank + share) / ranks); };
            found.first = rank;
            found.second = ui::searchFile({file, pattern, forward ? 0 : size, forward}, *cancelled, progress);
        }
        return found;
    };
    m_fileSearch.request([this, search, pattern, cancelled = m_cancelled]() -> std::function<void()> {
        auto result = std::make_shared<std::pair<int, std::optional<LogStretch>>>(search());
        return [this, result, pattern, cancelled] {
            if (cancelled != m_cancelled)
                return;
            m_cancelled.reset();
            if (!result->second) {
                m_search->setResult(tr("Not found in the whole log of any rank"), true);
                return;
            }
            chooseRank(result->first);
            m_detached = true;  // its end has not been read, and is not wanted
            showStretch(*result->second, pattern);
            m_search->setResult(tr("Found in rank %1, %2 of %3. Follow leads to its end")
                                    .arg(result->first)
                                    .arg(locale().formattedDataSize(result->second->hit),
                                         locale().formattedDataSize(result->second->size)),
                                false);
        };
    });
}

void TrialLog::showStretch(const LogStretch &stretch, const QRegularExpression &pattern)
{
    if (!m_detached && stretch.hit >= m_view->firstOffset()) {  // round the end, into what is shown
        m_view->findAt(stretch.hit, pattern);
        updateFollow();
        showHits();
        return;
    }
    m_detached = true;
    m_feed->setActive(false);
    LogBatch batch;
    batch.lines = stretch.lines;
    m_view->clearLines();
    m_view->append(batch, false);
    m_view->findAt(stretch.hit, pattern);
    m_stretchEnd = stretch.end;
    m_later->setVisible(m_stretchEnd < stretch.size);
    updateEarlier();
    updateFollow();
    m_search->setResult(tr("Found in %1 of %2. Follow leads back to the end")
                            .arg(locale().formattedDataSize(stretch.hit), locale().formattedDataSize(stretch.size)),
                        false);
}

void TrialLog::showLater()
{
    m_later->setEnabled(false);
    m_fileSearch.request([this, file = onlyFile(), from = m_stretchEnd]() -> std::function<void()> {
        auto stretch = std::make_shared<LogStretch>(readStretch(file, from, earlierLines));
        return [this, stretch] {
            m_later->setEnabled(true);
            if (!m_detached)
                return;
            LogBatch batch;
            batch.lines = std::move(stretch->lines);
            m_view->setLineLimit(m_view->lineCount() + static_cast<int>(batch.lines.size()) + tailLines);
            m_view->append(batch, false);
            m_stretchEnd = stretch->end;
            m_later->setVisible(m_stretchEnd < stretch->size && !batch.lines.empty());
        };
    });
}

void TrialLog::showEnd()
{
    if (m_detached)
        openChosen();
    m_view->scrollToEnd();
    updateFollow();
}

void TrialLog::findError(bool asked)
{
    if (!isWholeFileShown()) {
        searchFile(errorPattern(), true, 0);
        return;
    }
    const bool found = m_view->findFirst(errorPattern()).found;
    updateFollow();
    m_search->setResult(found || !asked ? QString() : tr("No line looks like an error"), false);
}

void TrialLog::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_feed->setActive(!m_detached);
}

void TrialLog::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_feed->setActive(false);
}

}  // namespace sweepscope::ui
