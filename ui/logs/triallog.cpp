#include "ui/logs/triallog.h"

#include "base/workspacelayout.h"
#include "ui/logs/errorpattern.h"
#include "ui/logs/filesearchjob.h"
#include "ui/logs/keptswitch.h"
#include "ui/logs/levelchooser.h"
#include "ui/logs/loghits.h"
#include "ui/logs/logplace.h"
#include "ui/logs/logpour.h"
#include "ui/logs/logsearchbar.h"
#include "ui/theme/fittingbuttons.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/theme/wraplayout.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr int leastView = 30;  ///< about two lines
constexpr int tailLines = 50'000;
constexpr int earlierLines = 20'000;
constexpr auto typingPause = 200ms;
constexpr auto hitsPause = 500ms;  ///< pause between counts: a count costs as much as following
constexpr std::ptrdiff_t linesSeenAtOnce = 500;
constexpr int allRanks = -1;
constexpr int agentLog = -2;

QString tooSlowText()
{
    return TrialLog::tr("Search takes too long: simplify the pattern");
}

}  // namespace

TrialLog::TrialLog(QWidget *parent)
    : QWidget(parent),
      m_feed(new LogFeed(this)),
      m_chooser(new QComboBox),
      m_level(new LevelChooser),
      m_search(new LogSearchBar),
      m_action(new QToolButton),
      m_error(new QToolButton),
      m_times(new QToolButton),
      m_wrap(new QToolButton),
      m_follow(new QToolButton),
      m_place(new LogPlace),
      m_ahead(new QWidget),
      m_later(new QPushButton(tr("Show later lines"))),
      m_view(new LogView),
      m_pour(new LogPour(m_view)),
      m_hits(new LogHits(this)),
      m_fileSearch(new FileSearchJob(this))
{
    m_chooser->setObjectName(QStringLiteral("logChooser"));
    m_chooser->setAccessibleName(tr("Log file"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_error->setText(tr("First error"));
    m_error->setIcon(symbolIcon(QStringLiteral("warning")));
    m_error->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_error->setToolTip(tr("Go to the first line that looks like an error (E)"));
    m_times->setText(tr("Times"));
    m_times->setIcon(symbolIcon(QStringLiteral("time")));
    m_times->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_times->setCheckable(true);
    m_times->setToolTip(tr("Show when each line was written (T)"));
    m_times->setObjectName(QStringLiteral("logTimes"));
    m_wrap->setText(tr("Wrap"));
    m_wrap->setIcon(symbolIcon(QStringLiteral("wrap")));
    m_wrap->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_wrap->setCheckable(true);
    m_wrap->setToolTip(tr("Wrap long lines (W)"));
    m_follow->setText(tr("Follow"));
    m_follow->setIcon(symbolIcon(QStringLiteral("follow-end")));
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_follow->setToolTip(tr("Stay at the end of the log. Scrolling up turns this off. (End)"));
    followTextSize(m_view, [this] { m_view->setMinimumHeight(textScaled(leastView)); });
    m_later->setProperty("flat", true);
    m_later->setObjectName(QStringLiteral("logLater"));
    auto *toEnd = new QPushButton(tr("Go to the end"));
    toEnd->setProperty("flat", true);
    toEnd->setObjectName(QStringLiteral("logToEnd"));
    m_wrap->setObjectName(QStringLiteral("logWrap"));
    m_follow->setObjectName(QStringLiteral("logFollow"));
    m_error->setObjectName(QStringLiteral("logFirstError"));

    m_action->setObjectName(QStringLiteral("logSearchAction"));
    m_action->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_action->hide();
    m_search->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto *bar = new WrapLayout;
    bar->setSpacing(spacing::small);
    for (QWidget *part :
         std::initializer_list<QWidget *>{m_chooser, m_level, m_error, m_times, m_wrap, m_follow, m_action, m_search})
        bar->addWidget(part);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addLayout(bar);
    m_fitting = new FittingButtons(this, bar, {m_error, m_times, m_wrap, m_follow});
    auto *ahead = new QHBoxLayout(m_ahead);
    ahead->setContentsMargins(0, 0, 0, 0);
    ahead->setSpacing(spacing::small);
    ahead->addStretch(1);
    ahead->addWidget(m_later);
    ahead->addWidget(toEnd);
    m_ahead->hide();
    layout->addWidget(m_place);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_ahead);

    connect(m_feed, &LogFeed::batchReady, this, &TrialLog::appendBatch);
    connect(m_feed, &LogFeed::earlierReady, this,
            [this](const std::vector<ShownLine> &lines, const LogPosition &begin) {
                if (m_view->begin() != m_requestedAt) {  // the view shows something else now
                    m_place->setReady(!m_pour->isPouring());
                    return;
                }
                pour(lines, {}, [this, begin] { m_view->setBegin(begin); });
            });
    connect(m_pour, &LogPour::done, this, [this] {
        if (const auto then = std::exchange(m_afterPour, {}))
            then();
        m_place->setReady(true);
        m_later->setEnabled(true);
        updatePlace();
    });
    connect(m_chooser, &QComboBox::currentIndexChanged, this, &TrialLog::openChosen);
    connect(m_search, &LogSearchBar::patternChanged, this, [this] {
        cancelSearch();
        m_isNowhere = false;
        m_elsewhere.clear();
        m_view->setPattern(m_search->pattern());
        showHits();
        if (m_search->isFiltering())
            m_filterPause.start();
    });
    m_filterPause.setSingleShot(true);
    m_filterPause.setInterval(typingPause);
    connect(&m_filterPause, &QTimer::timeout, this, &TrialLog::applyFilter);
    connect(m_search, &LogSearchBar::filteringChanged, this, &TrialLog::applyFilter);
    connect(m_level, &QComboBox::currentIndexChanged, this, &TrialLog::applyFilter);
    connect(m_level, &LevelChooser::countsWanted, this, [this] { m_level->setCounts(levelCounts()); });
    m_hitsPause.setSingleShot(true);
    m_hitsPause.setInterval(hitsPause);
    connect(&m_hitsPause, &QTimer::timeout, this, [this] {
        if (m_hits->isCounting())
            m_hitsPause.start();  // lines that arrived since the count began are not counted yet
        else if (!m_fileSearch->isSearching())
            showHits();
    });
    connect(m_hits, &LogHits::changed, this, [this] {
        if (!m_fileSearch->isSearching())
            updateHits();
    });
    connect(m_fileSearch, &FileSearchJob::progressed, this, [this](int percent) {
        m_search->setResult((m_merged ? tr("Searching all ranks: %1%") : tr("Searching the file: %1%")).arg(percent),
                            false);
    });
    connect(m_view, &LogView::hitsChanged, this, &TrialLog::hitsMayHaveChanged);
    connect(m_search, &LogSearchBar::findRequested, this, &TrialLog::find);
    connect(m_error, &QToolButton::clicked, this, [this] { findError(true); });
    connect(m_wrap, &QToolButton::toggled, m_view, &LogView::setWrapped);
    connect(m_times, &QToolButton::toggled, m_view, &LogView::setTimesShown);
    connect(m_follow, &QToolButton::clicked, this, &TrialLog::showEnd);
    connect(m_later, &QPushButton::clicked, this, &TrialLog::showLater);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &TrialLog::updateFollow);
    connect(toEnd, &QPushButton::clicked, this, &TrialLog::showEnd);
    connect(m_place, &LogPlace::earlierWanted, this, [this] {
        m_view->setLineLimit(m_view->lineLimit() + earlierLines);  // keep all lines until the earlier ones arrive
        m_requestedAt = m_view->begin();
        m_feed->requestEarlier(m_requestedAt, earlierLines);
    });
    addShortcuts();
}

void TrialLog::addShortcuts()
{
    const auto key = [this](const QKeySequence &sequence, auto action, QWidget *place = nullptr) {
        auto *shortcut = new QShortcut(sequence, place ? place : this);
        // Letters work only in their widget, so that the user can type; others work anywhere while the page is visible.
        shortcut->setContext(place ? Qt::WidgetShortcut : Qt::WindowShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    key(
        Qt::Key_E, [this] { findError(true); }, m_view);
    key(
        Qt::Key_W, [this] { m_wrap->toggle(); }, m_view);
    key(
        Qt::Key_T, [this] { m_times->toggle(); }, m_view);
    key(
        Qt::Key_M, [this] { m_search->setFiltering(!m_search->isFiltering()); }, m_view);
    for (const Qt::Key enter : {Qt::Key_Return, Qt::Key_Enter})
        key(
            enter, [this] { leaveFilter(); }, m_view);
    key(
        Qt::Key_End, [this] { showEnd(); }, m_view);
    key(QKeySequence::Find, [this] { m_search->focusField(); });
    key(QKeySequence::FindNext, [this] { find(true); });
    key(QKeySequence::FindPrevious, [this] { find(false); });
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

void TrialLog::setEmptyText(const QString &text)
{
    m_emptyText = text;
    const bool isRead = !m_view->placeholderText().isEmpty();
    if (m_folder.empty() || (isRead && chosen() != agentLog))
        m_view->setPlaceholderText(text);
}

void TrialLog::keepIn(QSettings *settings)
{
    if (!settings)
        return;
    m_search->keepIn(settings);
    keepChecked(m_times, settings, QStringLiteral("logs/times"));
    keepChecked(m_wrap, settings, QStringLiteral("logs/wrap"));
}

void TrialLog::addSearchAction(QAction *action)
{
    m_action->setDefaultAction(action);
    connect(m_search, &LogSearchBar::allTrialsRequested, action, &QAction::trigger);
    m_action->show();
    m_fitting->add(m_action);
}

std::optional<QRegularExpression> TrialLog::pattern() const
{
    return m_search->pattern();
}

QString TrialLog::notFoundText() const
{
    return m_merged ? tr("Not found in the log of any rank") : tr("Not found in the file");
}

/// Not a problem if other trials have it.
void TrialLog::showNotFound(const QString &sentence)
{
    if (m_elsewhere.isEmpty())
        m_search->setNotFound(sentence);
    else
        m_search->setResult(tr("Not in this log; %1").arg(m_elsewhere), false);
}

void TrialLog::setFoundElsewhere(const QString &where)
{
    if (std::exchange(m_elsewhere, where) == where)
        return;
    if (m_isNowhere)
        showNotFound(notFoundText());
    else
        updateHits();
}

void TrialLog::clearSearch()
{
    m_search->clear();
}

void TrialLog::askForAllTrials()
{
    m_search->askForAllTrials();
}

void TrialLog::chooseRank(int rank)
{
    const int index = m_chooser->findData(rank < 0 ? allRanks : rank);
    if (index >= 0)
        m_chooser->setCurrentIndex(index);
}

int TrialLog::chosen() const
{
    return m_chooser->currentData().isValid() ? m_chooser->currentData().toInt() : agentLog;
}

std::vector<LogFile> TrialLog::chosenFiles() const
{
    if (m_folder.empty())
        return {};
    const AttemptLayout layout{m_folder};
    if (chosen() == agentLog)
        return {{layout.agentLog(), -1, {}}};
    std::vector<LogFile> files;
    for (int rank = m_merged ? 0 : chosen(); rank < (m_merged ? m_ranks : chosen() + 1); ++rank)
        files.push_back({layout.rankLog(rank), rank, layout.rankTimes(rank)});
    return files;
}

void TrialLog::openChosen()
{
    m_goTo.reset();
    open();
}

/// Shows other lines of the same log, and returns to what the user looks at.
void TrialLog::applyFilter()
{
    m_filterPause.stop();
    LogFilter wanted{std::nullopt, m_level->least()};
    if (m_search->isFiltering())
        wanted.pattern = m_search->pattern();
    if (wanted == m_filter)
        return;
    const std::optional<LogView::Place> viewed = m_view->viewedPlace();
    if (viewed || !m_isReading)
        m_goTo = viewed;
    m_filter = wanted;
    open();
}

void TrialLog::leaveFilter()
{
    {
        const QSignalBlocker search(m_search);
        const QSignalBlocker level(m_level);
        m_search->setFiltering(false);
        m_level->setLeast(LogLevel::Other);
    }
    applyFilter();
}

void TrialLog::openLine(int rank, qint64 offset)
{
    leaveFilter();
    m_jumpPending = false;
    chooseRank(rank);
    if (m_isReading)
        m_goTo = LogView::Place{0, offset};
    else
        reachPlace({0, offset});
}

void TrialLog::reachPlace(const LogView::Place &place)
{
    if (m_view->showLine(place) || m_filter.isActive())
        return;
    m_fileSearch->readAround(chosenFiles(), place.file, place.offset,
                             [this](const LogStretch &stretch) { showStretch(stretch, std::nullopt); });
}

void TrialLog::open()
{
    m_isReading = true;
    m_isTooSlow = false;
    m_merged = chosen() == allRanks;
    cancelSearch();
    m_hits->stop();
    if (!m_search->pattern() || m_folder.empty())
        m_search->setResult({}, false);  // of another log
    m_restarted = false;
    m_hasGap = false;
    m_detached = false;
    m_ahead->hide();
    m_feed->setActive(isVisible());
    m_pour->stop();
    m_view->clearLines();
    m_view->setFollowing(true);
    m_view->setLineLimit(tailLines);
    m_view->setPlaceholderText(m_folder.empty() ? m_emptyText : QString());
    m_place->clear();
    m_feed->setFiles(chosenFiles(), tailLines, m_filter);
}

void TrialLog::appendBatch(const LogBatch &batch)
{
    if (m_detached)
        return;
    m_restarted |= batch.restarted;
    m_hasGap |= batch.skipped > 0;
    m_isReading = batch.more;
    if (!m_view->hasBegin())
        m_view->setBegin(batch.begin);
    m_view->setCounting(isWholeFileShown());
    if (!m_filter.isActive() || !batch.lines.empty() || batch.restarted)
        m_view->append(batch, m_merged);
    if (!batch.lines.empty() && !isWholeFileShown())
        hitsMayHaveChanged();
    m_view->setPlaceholderText(chosen() == agentLog ? tr("The log of the agent is empty.") : m_emptyText);
    if (m_filter.isActive())
        showFilterState(batch);
    if (!batch.more) {
        if (const auto place = std::exchange(m_goTo, {})) {
            m_jumpPending = false;
            reachPlace(*place);
        }
        if (std::exchange(m_jumpPending, false))
            findError(false);
    }
    updatePlace();
    updateFollow();
}

void TrialLog::showFilterState(const LogBatch &batch)
{
    if (batch.size > 0)
        m_view->setPlaceholderText(batch.more ? QString() : tr("No line of the log matches."));
    m_matching = batch.matching;
    m_levels = batch.levels;
    m_isTooSlow = batch.tooSlow;
    if (batch.filtered < batch.size && batch.more)
        m_search->setResult(tr("Filtering: %1%").arg(batch.filtered * 100 / batch.size), false);
    else if (!m_search->pattern())
        m_search->setResult(batch.matching == 1 ? tr("1 line") : tr("%L1 lines").arg(batch.matching), false);
    else
        updateHits();
}

/// Of whole logs only.
std::optional<LevelCounts> TrialLog::levelCounts() const
{
    if (m_isReading || !isWholeFileShown())
        return std::nullopt;
    if (!m_filter.isActive())
        return m_view->levelCounts();
    return m_filter.least != LogLevel::Other ? std::optional(m_levels) : std::nullopt;
}

void TrialLog::updateFollow()
{
    m_follow->setChecked(!m_detached && m_view->isAtEnd());
}

void TrialLog::updatePlace()
{
    if (m_detached)
        m_place->showStretch(chosenFiles(), m_view->begin(), m_view->lineCount());
    else if (m_filter.isActive() && !m_isReading && m_matching > m_view->lineCount())
        m_place->showFiltered(m_view->lineCount(), m_matching);
    else if (!m_filter.isActive() && !m_restarted
             && m_view->hasEarlier())  // a replaced file has nothing before its first line
        m_place->showTail(m_view->lineCount(), m_merged);
    else
        m_place->clear();
}

void TrialLog::jumpToFirstError()
{
    m_jumpPending = true;
}

/// Whether everything in the files that passes the filter is shown; assumed for a replaced file.
bool TrialLog::isWholeFileShown() const
{
    return m_restarted || m_folder.empty() || m_filter.isActive()
           || (!m_detached && !m_hasGap && !m_view->hasEarlier());
}

void TrialLog::showLater()
{
    m_later->setEnabled(false);
    m_fileSearch->read(chosenFiles(), m_stretchEnd, earlierLines, [this](LogStretch stretch) {
        m_view->setLineLimit(m_view->lineCount() + static_cast<int>(stretch.lines.size()) + tailLines);
        pour({}, std::move(stretch.lines), [this, end = stretch.end, more = stretch.more] {
            m_stretchEnd = end;
            m_later->setVisible(more);
        });
    });
}

void TrialLog::pour(std::vector<ShownLine> before, std::vector<ShownLine> after, std::function<void()> then)
{
    m_place->setReady(false);
    m_later->setEnabled(false);
    m_afterPour = std::move(then);
    m_pour->start(std::move(before), std::move(after), m_merged);
}

void TrialLog::showEnd()
{
    if (m_detached)
        openChosen();
    m_view->scrollToEnd();
    updateFollow();
}

QSize TrialLog::minimumSizeHint() const
{
    return {layout()->minimumSize().width(), layout()->minimumHeightForWidth(width())};
}

void TrialLog::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
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

void TrialLog::find(bool forward)
{
    if (!m_search->pattern())
        return;
    cancelSearch();
    if (m_pour->isPouring()) {  // the next hit may be in lines that are not inserted yet
        m_afterPour = [this, forward, then = std::exchange(m_afterPour, {})] {
            if (then)
                then();
            QMetaObject::invokeMethod(
                this, [this, forward] { find(forward); }, Qt::QueuedConnection);
        };
        return;
    }
    m_view->findNext(forward, isWholeFileShown(),
                     [this, forward](const LogView::Found &found) { showFound(found, forward); });
}

void TrialLog::showFound(const LogView::Found &found, bool forward)
{
    updateFollow();
    if (found.tooSlow)
        m_search->setResult(tooSlowText(), true);
    else if (found.found || isWholeFileShown())
        showHits();
    else
        searchFiles(*m_search->pattern(), *m_search->pattern(), forward,
                    !forward     ? m_view->begin()
                    : m_detached ? m_stretchEnd
                                 : LogPosition(),
                    notFoundText());
}

void TrialLog::showHits()
{
    const auto pattern = m_search->pattern();
    if (!pattern)
        return;
    if (!isWholeFileShown() && !m_view->hits().tooSlow)
        m_hits->countHits(chosenFiles(), *pattern, m_view->selectedHit());
    updateHits();
}

void TrialLog::hitsMayHaveChanged()
{
    if (m_search->pattern() && !m_hitsPause.isActive())
        m_hitsPause.start();
}

void TrialLog::updateHits()
{
    if (!m_search->pattern() || m_folder.empty())
        return;
    const LogView::Hits shown = m_view->hits();
    LogHits::State hits{shown.count, shown.current, 0, shown.complete, shown.tooSlow || m_isTooSlow};
    if (!isWholeFileShown() && !hits.tooSlow) {
        hits = m_hits->state();
        if (hits.complete && m_hits->isCounting())
            return;  // the count follows
    }
    if (m_isNowhere && hits.count == 0)
        return;  // already reported
    if (hits.tooSlow)
        m_search->setResult(tooSlowText(), true);
    else if (!hits.complete && hits.percent > 0)
        m_search->setResult(tr("Counting: %1%").arg(hits.percent), false);
    else if (!hits.complete)
        m_search->setResult(hits.count == 0 ? tr("Counting…") : tr("%L1 matches so far").arg(hits.count), false);
    else if (hits.count == 0)
        showNotFound(notFoundText());
    else if (hits.current > 0)
        m_search->setResult(tr("%L1 of %L2").arg(hits.current).arg(hits.count), false);
    else
        m_search->setResult(hits.count == 1 ? tr("1 match") : tr("%L1 matches").arg(hits.count), false);
}

void TrialLog::findError(bool asked)
{
    const QString nowhere = !asked                ? QString()
                            : m_filter.isActive() ? tr("No error in the lines shown")
                                                  : tr("No error lines found");
    if (!isWholeFileShown()) {
        searchFiles(errorLinePattern(), errorPattern(), true, LogPosition(), nowhere);
        return;
    }
    m_view->findFirst(errorPattern(), [this, nowhere](const LogView::Found &found) {
        updateFollow();
        m_search->setResult(found.found ? QString() : nowhere, false);
    });
}

void TrialLog::cancelSearch()
{
    m_fileSearch->cancel();
    m_later->setEnabled(!m_pour->isPouring());
}

void TrialLog::searchFiles(const QRegularExpression &pattern, const QRegularExpression &marked, bool forward,
                           const LogPosition &from, const QString &nowhere)
{
    cancelSearch();
    m_search->setResult(m_merged ? tr("Searching all ranks…") : tr("Searching the file…"), false);
    m_fileSearch->search({chosenFiles(), pattern, from, forward},
                         [this, pattern, marked, nowhere](const std::optional<LogStretch> &found) {
                             m_isNowhere = !found && m_search->pattern() == pattern;
                             if (found)
                                 showStretch(*found, marked);
                             else if (m_isNowhere)
                                 showNotFound(nowhere);
                             else
                                 m_search->setResult(nowhere, false);
                         });
}

void TrialLog::showStretch(const LogStretch &stretch, const std::optional<QRegularExpression> &marked)
{
    const auto select = [this, &stretch, &marked] {
        return marked ? m_view->findAt(stretch.file, stretch.hit, *marked)
                      : m_view->showLine({stretch.file, stretch.hit});
    };
    if (!select()) {  // otherwise the hit is already shown
        m_detached = true;
        m_isReading = false;
        m_feed->setActive(false);
        m_pour->stop();
        m_view->clearLines();
        m_view->setCounting(false);
        m_view->setBegin(stretch.begin);
        m_view->setFollowing(false);
        // Show the visible lines immediately, then the rest.
        const auto hit = std::ranges::find_if(stretch.lines, [&stretch](const ShownLine &line) {
            return line.offset == stretch.hit && line.file == stretch.file;
        });
        const auto begin = hit - std::min(linesSeenAtOnce / 2, hit - stretch.lines.begin());
        const auto end = begin + std::min(linesSeenAtOnce, stretch.lines.end() - begin);
        LogBatch batch;
        batch.lines.assign(begin, end);
        m_view->append(batch, m_merged);
        select();
        m_stretchEnd = stretch.end;
        m_later->setVisible(stretch.more);
        m_ahead->show();
        m_place->showStretch(chosenFiles(), stretch.begin, static_cast<int>(stretch.lines.size()));
        pour(std::vector(stretch.lines.begin(), begin), std::vector(end, stretch.lines.end()), {});
    }
    updateFollow();
    m_search->setResult({}, false);
    showHits();
}

}  // namespace sweepscope::ui
