#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/trial/clonedialog.h"
#include "ui/trial/trialpage.h"
#include "ui/trials/markdialog.h"
#include "ui/trials/trialcommands.h"
#include "ui/trials/trialundo.h"

#include <QAction>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QUrl>

// What can be done with the trial, from the line of buttons above it.
namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

QPushButton *newButton(const QString &name, const QString &icon, const QString &text, const QString &toolTip)
{
    auto *button = new QPushButton(symbolIcon(icon), text);
    button->setObjectName(name);
    button->setToolTip(toolTip);
    return button;
}

}  // namespace

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
    connect(client(), &protocol::EngineClient::readOnlyChanged, this, &TrialPage::refresh);
    connect(m_note, &QPushButton::clicked, this, [this] {
        auto *dialog = new MarkDialog(client(), m_shown.sweepId, {m_shown.trial}, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    connect(m_retry, &QPushButton::clicked, this, [this] { command(&TrialCommands::retry); });
    connect(m_stop, &QPushButton::clicked, this, [this] { command(&TrialCommands::stop); });
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
    for (QPushButton *button : {m_live, m_log, m_folder, m_note, m_clone})
        button->setAccessibleName(button->text());
    followTextSize(bar, [this] { fitActions(); });
    return bar;
}

/// In a narrow window with large texts, icons and their tool tips are enough for what only leads elsewhere, and then for
/// the longest.
void TrialPage::fitActions()
{
    const auto setTexts = [](std::initializer_list<QPushButton *> buttons, bool shown) {
        for (QPushButton *button : buttons)
            button->setText(shown ? button->accessibleName() : QString());
    };
    const auto fits = [this] {
        return m_bar->layout()->sizeHint().width() <= contentsRect().width() - 2 * spacing::large;
    };
    setTexts({m_live, m_log, m_folder, m_note, m_clone}, true);
    if (!fits())
        setTexts({m_live, m_log, m_folder, m_note}, false);
    if (!fits())
        setTexts({m_clone}, false);
}

void TrialPage::resizeEvent(QResizeEvent *event)
{
    EnginePage::resizeEvent(event);
    fitActions();
}

/// The menu of the table knows what is possible now, and asks before it stops.
void TrialPage::command(QAction *TrialCommands::*which)
{
    QMenu menu;
    const TrialCommands commands = addTrialCommands(&menu, client(), m_undo, m_shown.sweepId, {m_shown.trial}, this);
    (commands.*which)->trigger();  // does nothing while it is disabled
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
    if (m_cloned != TrialChoice{sweepId(), selection()->current().trial}) {
        m_cloned = {};
    } else if (m_cloned != TrialChoice() && !trials.empty() && trials.back().number > m_lastBefore) {
        m_cloned = {};
        selection()->selectTrial(sweepId(), m_lastBefore + 1);
    }
}

void TrialPage::openInFileManager(const QString &path) const
{
    const std::filesystem::path folder = attemptFolder();
    if (!folder.empty())
        QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString((folder / path.toStdString()).string())));
}

}  // namespace sweepscope::ui
