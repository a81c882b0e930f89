#include "ui/shell/windowactions.h"

#include "ui/editor/sweepeditor.h"
#include "ui/theme/icons.h"
#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct WindowActionsWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::WindowActions)
};

QAction *add(QMenu *menu, const QString &name, const char *icon, const QString &text, const QKeySequence &keys = {})
{
    QAction *action = menu->addAction(text);
    action->setObjectName(name);
    if (icon)
        action->setIcon(symbolIcon(QString::fromLatin1(icon)));
    action->setShortcut(keys);
    return action;
}

}  // namespace

WindowActions::WindowActions(QMainWindow *window, const EditorActions &ofEditor)
{
    QMenuBar *bar = window->menuBar();

    file = bar->addMenu(WindowActionsWords::tr("&File"));
    newSweep = ofEditor.create;
    open = ofEditor.open;
    save = ofEditor.save;
    editor = {newSweep, open, save, ofEditor.saveAs};
    file->addActions(editor);
    importSweep = add(file, u"importAction"_s, "open", WindowActionsWords::tr("&Import sweep…"));
    importSweep->setToolTip(WindowActionsWords::tr("Open a sweep of W&B, Hydra or Optuna"));
    belowMachines = file->addSeparator();
    exportCsv =
        add(file, u"exportAction"_s, "export", WindowActionsWords::tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E));
    savePlot = add(file, u"savePlotAction"_s, "image", WindowActionsWords::tr("Export &plots…"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
    copyPlot = add(file, u"copyPlotAction"_s, "copy", WindowActionsWords::tr("&Copy picture of plots"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    file->addSeparator();
    preferences = add(file, u"preferencesAction"_s, "settings", WindowActionsWords::tr("&Preferences…"),
                      QKeySequence(Qt::CTRL | Qt::Key_Comma));
    preferences->setMenuRole(QAction::PreferencesRole);
    file->addSeparator();
    quit = add(file, u"quitAction"_s, "quit", WindowActionsWords::tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q));
    quit->setMenuRole(QAction::QuitRole);

    QMenu *sweep = bar->addMenu(WindowActionsWords::tr("&Sweep"));
    start = add(sweep, u"startAction"_s, "start", WindowActionsWords::tr("&Start"), QKeySequence(Qt::Key_F5));
    pause = add(sweep, u"pauseAction"_s, "pause", WindowActionsWords::tr("&Pause"), QKeySequence(Qt::Key_F6));
    stop = add(sweep, u"stopAction"_s, "stop", WindowActionsWords::tr("S&top"), QKeySequence(Qt::SHIFT | Qt::Key_F5));
    retryFailed = add(sweep, u"retryFailedAction"_s, "retry", WindowActionsWords::tr("&Retry failed trials"));
    sweep->addSeparator();
    edit = add(sweep, u"editAction"_s, "sweep", WindowActionsWords::tr("&Edit sweep"));
    undoEdit = add(sweep, u"undoEditAction"_s, "undo", WindowActionsWords::tr("&Undo last edit"));
    sweep->setToolTipsVisible(true);  // says why an action is disabled
    sweep->addSeparator();
    readOnly = add(sweep, u"readOnlyAction"_s, nullptr, WindowActionsWords::tr("Read-&only"));
    readOnly->setCheckable(true);
    readOnly->setToolTip(WindowActionsWords::tr("View and export only"));

    QMenu *view = bar->addMenu(WindowActionsWords::tr("&View"));
    const auto addPage = [this, view](const QString &name, const char *icon, const QString &text,
                                      const QKeySequence &keys) { pages << add(view, name, icon, text, keys); };
    addPage(u"showHomePageAction"_s, "home", WindowActionsWords::tr("&Home"), QKeySequence(Qt::ALT | Qt::Key_Home));
    addPage(u"showDevicesPageAction"_s, "devices", WindowActionsWords::tr("De&vices"),
            QKeySequence(Qt::CTRL | Qt::Key_9));
    view->addSeparator();
    addPage(u"showSweepPageAction"_s, "sweep", WindowActionsWords::tr("&Definition"),
            QKeySequence(Qt::CTRL | Qt::Key_1));
    addPage(u"showTrialsPageAction"_s, "trials", WindowActionsWords::tr("&Trials"), QKeySequence(Qt::CTRL | Qt::Key_2));
    addPage(u"showAnalysisPageAction"_s, "analysis", WindowActionsWords::tr("&Analysis"),
            QKeySequence(Qt::CTRL | Qt::Key_3));
    addPage(u"showTimelinePageAction"_s, "timeline", WindowActionsWords::tr("Ti&meline"),
            QKeySequence(Qt::CTRL | Qt::Key_4));
    addPage(u"showFindingsPageAction"_s, "findings", WindowActionsWords::tr("F&indings"),
            QKeySequence(Qt::CTRL | Qt::Key_5));
    addPage(u"showMediaPageAction"_s, "media", WindowActionsWords::tr("M&edia"),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M));
    view->addSeparator();
    addPage(u"showTrialPageAction"_s, "trial", WindowActionsWords::tr("T&rial overview"),
            QKeySequence(Qt::CTRL | Qt::Key_6));
    addPage(u"showLivePageAction"_s, "live", WindowActionsWords::tr("&Live"), QKeySequence(Qt::CTRL | Qt::Key_7));
    addPage(u"showLogsPageAction"_s, "logs", WindowActionsWords::tr("L&ogs"), QKeySequence(Qt::CTRL | Qt::Key_8));
    view->addSeparator();
    search =
        add(view, u"searchAction"_s, "search", WindowActionsWords::tr("&Go to…"), QKeySequence(Qt::CTRL | Qt::Key_K));
    searchLogs = add(view, u"searchLogsAction"_s, "trials", WindowActionsWords::tr("Search lo&gs of all trials"),
                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    searchLogs->setIconText(WindowActionsWords::tr("Search all trials"));
    searchLogs->setToolTip(WindowActionsWords::tr("Find this text in the logs of all trials (Ctrl+Shift+F)"));
    sideBar = add(view, u"sideBarAction"_s, nullptr, WindowActionsWords::tr("Side&bar"), QKeySequence(Qt::Key_F9));
    sideBar->setCheckable(true);
    sideBar->setChecked(true);
    fullScreen =
        add(view, u"fullScreenAction"_s, nullptr, WindowActionsWords::tr("&Full screen"), QKeySequence(Qt::Key_F11));
    fullScreen->setCheckable(true);
    QMenu *colors = view->addMenu(symbolIcon(u"theme"_s), WindowActionsWords::tr("&Theme"));
    auto *group = new QActionGroup(window);
    const std::tuple<ColorScheme, QString, QString> choices[] = {
        {ColorScheme::System, u"systemColorsAction"_s, WindowActionsWords::tr("&Follow system")},
        {ColorScheme::Light, u"lightColorsAction"_s, WindowActionsWords::tr("&Light")},
        {ColorScheme::Dark, u"darkColorsAction"_s, WindowActionsWords::tr("&Dark")},
    };
    for (const auto &[scheme, name, text] : choices) {
        QAction *action = add(colors, name, nullptr, text);
        action->setCheckable(true);
        action->setData(static_cast<int>(scheme));
        group->addAction(action);
        schemes << action;
    }
    QMenu *text = view->addMenu(WindowActionsWords::tr("&Text size"));
    largerText = add(text, u"largerTextAction"_s, "zoom-in", WindowActionsWords::tr("&Larger text"));
    largerText->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    smallerText = add(text, u"smallerTextAction"_s, "zoom-out", WindowActionsWords::tr("&Smaller text"),
                      QKeySequence(Qt::CTRL | Qt::Key_Minus));
    usualText = add(text, u"usualTextAction"_s, nullptr, WindowActionsWords::tr("&Reset text size"),
                    QKeySequence(Qt::CTRL | Qt::Key_0));

    QMenu *help = bar->addMenu(WindowActionsWords::tr("&Help"));
    guide = add(help, u"guideAction"_s, "help", WindowActionsWords::tr("User's &guide"), QKeySequence(Qt::Key_F1));
    shortcuts = add(help, u"shortcutsAction"_s, "keyboard", WindowActionsWords::tr("&Shortcuts"),
                    QKeySequence(Qt::CTRL | Qt::Key_Slash));
    about = add(help, u"aboutAction"_s, "about", WindowActionsWords::tr("&About Sweepscope"));
    about->setMenuRole(QAction::AboutRole);
}

QList<QAction *> WindowActions::all() const
{
    return editor + QList<QAction *>{importSweep, exportCsv, savePlot,    copyPlot, preferences, start,
                                     pause,       stop,      retryFailed, edit,     undoEdit,    readOnly}
           + pages
           + QList<QAction *>{search, sideBar, fullScreen, largerText, smallerText, usualText, guide, shortcuts, quit};
}

void WindowActions::showTextSize(int percent) const
{
    largerText->setEnabled(textSizeBeside(percent, 1) != percent);
    smallerText->setEnabled(textSizeBeside(percent, -1) != percent);
    usualText->setEnabled(percent != usualTextSize);
}

void WindowActions::setReadOnly(bool is) const
{
    readOnly->setChecked(is);
    start->setEnabled(!is);
    newSweep->setEnabled(!is);
    newSweep->setToolTip(is ? WindowActionsWords::tr("This window is read-only") : QString());
}

void WindowActions::showPause(bool isPaused, bool possible) const
{
    pause->setText(isPaused ? WindowActionsWords::tr("Resu&me") : WindowActionsWords::tr("&Pause"));
    pause->setIcon(symbolIcon(isPaused ? u"start"_s : u"pause"_s));
    pause->setEnabled(possible);
}

void WindowActions::checkScheme(ColorScheme scheme) const
{
    for (QAction *action : schemes)
        action->setChecked(action->data().toInt() == static_cast<int>(scheme));
}

}  // namespace sweepscope::ui
