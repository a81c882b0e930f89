#include "ui/trial/trialpage.h"

#include "base/workspacelayout.h"
#include "ui/live/noticebanner.h"
#include "ui/live/trialheader.h"
#include "ui/models/valuetext.h"
#include "ui/stopquestion.h"
#include "ui/taborder.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"
#include "ui/trial/attemptdetails.h"
#include "ui/trial/attemptreader.h"
#include "ui/trial/clonedialog.h"
#include "ui/trial/facttable.h"
#include "ui/trial/trialtexts.h"
#include "ui/trials/markdialog.h"
#include "ui/trials/trialcommands.h"
#include "ui/trials/trialundo.h"

#include <QAction>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int firstHistoryHeight = 170;
constexpr int firstValuesWidth = 400;  ///< in proportion
constexpr int firstStoryWidth = 600;

QPushButton *newButton(const QString &name, const QString &icon, const QString &text, const QString &toolTip)
{
    auto *button = new QPushButton(symbolIcon(icon), text);
    button->setObjectName(name);
    button->setToolTip(toolTip);
    return button;
}

QSplitter *newSplitter(Qt::Orientation orientation, const QString &name, std::initializer_list<QWidget *> parts)
{
    auto *splitter = new QSplitter(orientation);
    splitter->setObjectName(name);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(spacing::medium);
    splitter->setProperty("quiet", true);
    for (QWidget *part : parts)
        splitter->addWidget(part);
    return splitter;
}

}  // namespace

TrialPage::TrialPage(client::EngineClient *client, QWidget *parent)
    : EnginePage(client, u"trials"_s, 0ms, parent),
      m_undo(new TrialUndo(client, this)),
      m_header(new TrialHeader),
      m_cause(new NoticeBanner),
      m_mark(new QLabel),
      m_parameters(new FactsModel({tr("Parameter"), tr("Value")}, 1, this)),
      m_metrics(new FactsModel({tr("Metric"), tr("Last"), tr("Low"), tr("High")}, 1, this)),
      m_history(new FactsModel({tr("When"), tr("State"), tr("Why")}, 3, this)),
      m_attempt(new AttemptDetails),
      m_reader(new AttemptReader(this))
{
    setObjectName(u"trialPage"_s);
    m_header->hideFollowing();
    setFirstForKeys(this, m_header->findChild<QWidget *>(u"trialNumber"_s));  // a number, or the arrows: another trial
    m_mark->setObjectName(u"trialMark"_s);
    m_mark->setTextFormat(Qt::PlainText);
    m_mark->setWordWrap(true);
    m_mark->setTextInteractionFlags(Qt::TextSelectableByMouse);
    content()->addWidget(m_header);
    content()->addWidget(buildActions());
    content()->addWidget(m_cause);
    content()->addWidget(m_mark);
    content()->addWidget(buildFacts(), 1);
    showEmpty(
        tr("No trial chosen"),
        tr("Choose a sweep on the left and a trial in its table: Enter or a double click shows all about it here."));
    connect(client, &client::EngineClient::connected, this, [this] { m_askedFor = {}; });
    connect(client, &client::EngineClient::trialsChanged, this, &TrialPage::goToClone);
    connect(client, &client::EngineClient::historyArrived, this,
            [this](quint64 job, qint64, int, const sweep::TrialHistory &history) { takeHistory(job, history); });
    connect(m_header, &TrialHeader::trialChosen, this, [this](int number) {
        showTrial(m_shown.sweepId, number);
        Q_EMIT shownTrialChanged(m_shown.sweepId, m_shown.trial);
    });
    connect(m_cause, &NoticeBanner::actionClicked, this,
            [this] { Q_EMIT logRequested(m_shown.sweepId, m_shown.trial); });
    connect(m_attempt, &AttemptDetails::attemptChosen, this, &TrialPage::readAttempt);
    connect(m_attempt, &AttemptDetails::fileActivated, this, &TrialPage::openInFileManager);
    connect(m_reader, &AttemptReader::contentsRead, this, &TrialPage::takeContents);
    m_tick.setInterval(1s);
    connect(&m_tick, &QTimer::timeout, m_attempt, &AttemptDetails::updateTime);
    refresh();
}

QWidget *TrialPage::buildActions()
{
    m_live = newButton(u"trialLive"_s, u"live"_s, tr("Curves"), tr("The curves of its ranks and devices"));
    m_log = newButton(u"trialLog"_s, u"logs"_s, tr("Log"), tr("What its ranks printed"));
    m_folder = newButton(u"trialFolder"_s, u"folder"_s, tr("Open folder"), tr("Its files, in the file manager"));
    m_clone = newButton(u"trialClone"_s, u"duplicate"_s, tr("Clone with changes…"),
                        tr("Add a trial like this one to the sweep, with other values"));
    m_note = newButton(u"trialNote"_s, u"note"_s, tr("Note…"), tr("Write a note and tags beside it"));
    m_retry = newButton(u"trialRetry"_s, u"retry"_s, tr("Retry"), tr("Run it once more"));
    m_stop = newButton(u"trialStop"_s, u"stop"_s, tr("Stop"), tr("End this trial; the others go on"));
    connect(m_live, &QPushButton::clicked, this, [this] { Q_EMIT liveRequested(m_shown.sweepId, m_shown.trial); });
    connect(m_log, &QPushButton::clicked, this, [this] { Q_EMIT logRequested(m_shown.sweepId, m_shown.trial); });
    connect(m_folder, &QPushButton::clicked, this, [this] { openInFileManager({}); });
    connect(m_clone, &QPushButton::clicked, this, &TrialPage::clone);
    connect(client(), &client::EngineClient::readOnlyChanged, this, &TrialPage::refresh);
    connect(m_note, &QPushButton::clicked, this, [this] {
        auto *dialog = new MarkDialog(client(), m_shown.sweepId, {m_shown.trial}, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    connect(m_retry, &QPushButton::clicked, this, [this] { command(u"retryTrials"_s); });
    connect(m_stop, &QPushButton::clicked, this, [this] { command(u"stopTrials"_s); });
    auto *bar = new QWidget;
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    for (QWidget *button : {m_live, m_log, m_folder})
        layout->addWidget(button);
    layout->addStretch(1);
    for (QWidget *button : {m_note, m_clone, m_retry, m_stop})
        layout->addWidget(button);
    m_bar = bar;
    for (QPushButton *button : {m_live, m_log, m_folder, m_note})
        button->setAccessibleName(button->text());
    followTextSize(bar, [this] { fitActions(); });
    return bar;
}

/// In a narrow window with large texts, icons and their tool tips are enough for what only leads elsewhere.
void TrialPage::fitActions()
{
    const auto setTexts = [this](bool shown) {
        for (QPushButton *button : {m_live, m_log, m_folder, m_note})
            button->setText(shown ? button->accessibleName() : QString());
    };
    setTexts(true);
    if (m_bar->layout()->sizeHint().width() > contentsRect().width() - 2 * spacing::large)
        setTexts(false);
}

void TrialPage::resizeEvent(QResizeEvent *event)
{
    EnginePage::resizeEvent(event);
    fitActions();
}

QWidget *TrialPage::buildFacts()
{
    auto *history = new FactTable(u"trialHistory"_s, m_history, 2);
    auto *parameters = new FactTable(u"trialParameters"_s, m_parameters, 0);
    QSplitter *values =
        newSplitter(Qt::Vertical, u"trialValues"_s,
                    {titledTable(tr("Parameters"), parameters),
                     titledTable(tr("Metrics, over all ranks"), new FactTable(u"trialMetrics"_s, m_metrics, 0))});
    values->setStretchFactor(1, 1);
    parameters->setAsTallAsItsRows(values);  // what they leave is the metrics'
    auto *attempt = new QScrollArea;  // large texts in a small window
    attempt->setWidgetResizable(true);
    attempt->setFrameShape(QFrame::NoFrame);
    attempt->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    attempt->setWidget(m_attempt);
    QSplitter *story = newSplitter(Qt::Vertical, u"trialStory"_s, {titledTable(tr("What happened"), history), attempt});
    story->setStretchFactor(1, 1);
    QSplitter *both = newSplitter(Qt::Horizontal, u"trialFacts"_s, {values, story});
    both->setStretchFactor(0, 2);
    both->setStretchFactor(1, 3);
    const auto share = [story, both] {
        story->setSizes({firstHistoryHeight, 2 * firstHistoryHeight});
        both->setSizes({firstValuesWidth, firstStoryWidth});
    };
    share();
    // Large texts push the parts aside, which would stay there when they are small again.
    followTextSize(both, [both, share] { QTimer::singleShot(0, both, share); });
    return both;
}

void TrialPage::showTrial(qint64 sweepId, int trialNumber)
{
    if (trialNumber <= 0)
        return;
    m_shown = {sweepId, trialNumber};
    refresh();
}

const sweep::TrialRecord *TrialPage::record() const
{
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_shown.sweepId);
    const auto found = std::ranges::lower_bound(trials, m_shown.trial, {}, &sweep::TrialRecord::number);
    return found != trials.end() && found->number == m_shown.trial ? &*found : nullptr;
}

void TrialPage::refresh()
{
    const sweep::SweepRecord *sweep = client()->sweep(m_shown.sweepId);
    const sweep::TrialRecord *trial = record();
    if (!sweep || !trial) {
        showEmpty();
        return;
    }
    showContent();
    m_header->setTrial(*sweep, *trial, sweep->trialsTotal);
    showCause(*trial);
    showMark(*trial);
    m_parameters->setFacts(parameterFacts(*trial));
    m_live->setEnabled(trial->attempts > 0);
    m_log->setEnabled(trial->attempts > 0);
    m_folder->setEnabled(trial->attempts > 0);
    m_retry->setEnabled(sweep::isFinal(trial->state) && trial->state != sweep::TrialState::Completed
                        && sweep->state != sweep::SweepState::Stopping);
    const QString whyNotStopped =
        sweep::isFinal(trial->state) ? tr("This trial has ended") : ui::whyNotStopped(*sweep, client()->isReadOnly());
    m_stop->setEnabled(whyNotStopped.isEmpty());
    m_stop->setToolTip(whyNotStopped.isEmpty() ? tr("End this trial; the others go on") : whyNotStopped);
    if (client()->isReadOnly())
        m_retry->setEnabled(false);
    m_note->setEnabled(!client()->isReadOnly());
    m_clone->setEnabled(!client()->isReadOnly());
    askHistory(*trial);
    readAttempt();
}

/// Where nothing of it has changed it is not asked for again: a running trial is told ten times a second.
void TrialPage::askHistory(const sweep::TrialRecord &trial)
{
    const bool same = m_askedFor == m_shown && m_asked.state == trial.state && m_asked.attempts == trial.attempts
                      && m_asked.cause == trial.cause;
    if (same || !isVisible() || !client()->isConnected())
        return;
    if (m_askedFor != m_shown) {
        m_history->setFacts({});
        m_attempt->setAttempts({});
    }
    m_askedFor = m_shown;
    m_asked = trial;
    m_job = client()->askHistory(m_shown.sweepId, m_shown.trial);
}

void TrialPage::takeHistory(quint64 job, const sweep::TrialHistory &history)
{
    if (job != m_job)
        return;
    m_history->setFacts(historyFacts(history));
    m_attempt->setMachine(client()->devices());
    m_attempt->setAttempts(history.attempts);
}

std::filesystem::path TrialPage::attemptFolder() const
{
    const sweep::SweepRecord *sweep = client()->sweep(m_shown.sweepId);
    const int number = m_attempt->chosenAttempt();
    if (!sweep || number == 0)
        return {};
    const WorkspaceLayout layout{std::filesystem::path(client()->workspace().toStdString())};
    return layout.attempt(sweep->folder, m_shown.trial, number).folder;
}

void TrialPage::readAttempt()
{
    const sweep::TrialRecord *trial = record();
    if (trial)
        m_reader->setSource({attemptFolder(), trial->ranks}, !sweep::isFinal(trial->state));
}

void TrialPage::takeContents(const AttemptContents &contents)
{
    std::vector<Fact> metrics;
    const auto text = [](const std::optional<double> &value) { return value ? numberText(*value) : u"–"_s; };
    for (const MetricSummary &metric : contents.metrics) {
        const QString name = metric.unit.isEmpty() ? metric.name : u"%1 (%2)"_s.arg(metric.name, metric.unit);
        metrics.push_back(
            {{name, text(metric.last), text(metric.low), text(metric.high)},
             tr("%1: the last value is the mean of the ranks; %2 points").arg(name, QLocale().toString(metric.points)),
             {},
             0,
             {}});
    }
    m_metrics->setFacts(std::move(metrics));
    m_attempt->setFiles(contents.files);
}

void TrialPage::showCause(const sweep::TrialRecord &trial)
{
    const bool wrong = trial.state == sweep::TrialState::Failed || trial.state == sweep::TrialState::Lost;
    const QString cause = QString::fromStdString(trial.cause);
    m_cause->setNotice(wrong ? NoticeBanner::Kind::Problem : NoticeBanner::Kind::Note, stateIcon(trial.state),
                       wrong && cause.isEmpty() ? tr("The trial failed; no cause is known.") : cause,
                       wrong && trial.attempts > 0 ? tr("Show in log") : QString());
}

/// The menu of the table knows what is possible now, and asks before it stops.
void TrialPage::command(const QString &name)
{
    QMenu menu;
    addTrialCommands(&menu, client(), m_undo, m_shown.sweepId, {m_shown.trial}, this);
    if (auto *action = menu.findChild<QAction *>(name); action && action->isEnabled())
        action->trigger();
}

void TrialPage::clone()
{
    const sweep::TrialRecord *trial = record();
    if (!trial)
        return;
    auto *dialog = new CloneDialog(client(), m_shown.sweepId, *trial, this);
    const int last = client()->trials(m_shown.sweepId).back().number;
    connect(dialog, &CloneDialog::added, this, [this, from = m_shown, last] {
        m_cloned = from;
        m_lastBefore = last;
        goToClone();
    });
    dialog->open();
}

/// The answer comes before the trial itself does. Who has gone elsewhere meanwhile stays there.
void TrialPage::goToClone()
{
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_cloned.sweepId);
    if (m_cloned != m_shown) {
        m_cloned = {};
    } else if (m_cloned != TrialChoice() && !trials.empty() && trials.back().number > m_lastBefore) {
        m_cloned = {};
        showTrial(m_shown.sweepId, m_lastBefore + 1);
        Q_EMIT shownTrialChanged(m_shown.sweepId, m_shown.trial);
    }
}

void TrialPage::showMark(const sweep::TrialRecord &trial)
{
    QStringList parts;
    if (trial.mark.starred)
        parts << tr("Starred");
    for (const std::string &tag : trial.mark.tags)
        parts << QString::fromStdString(tag);
    QString text = parts.join(u" · "_s);
    if (!trial.mark.note.empty())
        text += (text.isEmpty() ? QString() : u"\n"_s) + QString::fromStdString(trial.mark.note);
    m_mark->setText(text);
    m_mark->setVisible(!text.isEmpty());
}

void TrialPage::openInFileManager(const QString &path) const
{
    const std::filesystem::path folder = attemptFolder();
    if (!folder.empty())
        QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString((folder / path.toStdString()).string())));
}

void TrialPage::showEvent(QShowEvent *event)
{
    m_tick.start();
    m_reader->setActive(true);
    EnginePage::showEvent(event);
}

void TrialPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_tick.stop();
    m_reader->setActive(false);
}

}  // namespace sweepscope::ui
