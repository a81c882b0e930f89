#include "ui/home/helpdialogs.h"

#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QSysInfo>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct HelpWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Help)
};

QDialog *newDialog(const QString &name, const QString &title, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(name);
    dialog->setWindowTitle(title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    return dialog;
}

QDialogButtonBox *closeButton(QDialog *dialog)
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return buttons;
}

void addShortcut(QGridLayout *grid, const QString &what, const QString &keys, QWidget *parent)
{
    const int row = grid->rowCount();
    grid->addWidget(new QLabel(what, parent), row, 0);
    auto *label = new QLabel(keys, parent);
    setTextRole(label, TextRole::Emphasis);
    grid->addWidget(label, row, 1);
}

QGridLayout *newGrid()
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(spacing::huge);
    grid->setVerticalSpacing(spacing::tiny);
    return grid;
}

void addHeading(QGridLayout *grid, const QString &title, QWidget *parent)
{
    const bool isFirst = grid->count() == 0;
    auto *heading = new QLabel(title, parent);
    heading->setForegroundRole(QPalette::PlaceholderText);
    heading->setContentsMargins(0, isFirst ? 0 : spacing::medium, 0, 0);
    grid->addWidget(heading, isFirst ? 0 : grid->rowCount(), 0, 1, 2);
}

using Lines = std::vector<std::pair<QString, QString>>;

void addLines(QGridLayout *grid, const QString &title, const Lines &lines, QWidget *parent)
{
    addHeading(grid, title, parent);
    for (const auto &[what, how] : lines)
        addShortcut(grid, what, how, parent);
}

/// The mouse and keyboard shortcuts of plots and other views.
QGridLayout *placesShortcuts(QWidget *parent)
{
    QGridLayout *grid = newGrid();
    const Lines inPlots = {
        {HelpWords::tr("Zoom"), HelpWords::tr("Wheel (Ctrl+wheel on the Overview page), or drag a box")},
        {HelpWords::tr("Zoom an axis"), HelpWords::tr("Wheel over the axis, or drag a flat box")},
        {HelpWords::tr("Pan"), HelpWords::tr("Shift+drag, or drag with the middle button")},
        {HelpWords::tr("Show all and follow"), HelpWords::tr("Double-click, F or Home")},
        {HelpWords::tr("Zoom or pan in time"), HelpWords::tr("+ and -; Left and Right")},
        {HelpWords::tr("Move cursor by one value; by many"),
         HelpWords::tr("Shift+Left and Right; Ctrl+Left and Right")},
        {HelpWords::tr("Select chart; open its menu"), HelpWords::tr("Up and Down; Menu or Shift+F10")},
        {HelpWords::tr("Zoom or pan the vertical axis"), HelpWords::tr("Ctrl+Up and Down; Shift+Up and Down")},
        {HelpWords::tr("Cycle ranks, mean, spread, quartiles"), HelpWords::tr("R")},
        {HelpWords::tr("Logarithmic vertical axis"), HelpWords::tr("L")},
        {HelpWords::tr("Ignore outliers on the vertical axis"), HelpWords::tr("O")},
        {HelpWords::tr("Charts: add, move, pin, remove"), HelpWords::tr("C, or right-click")},
        {HelpWords::tr("Move a chart"), HelpWords::tr("Drag its title")},
        {HelpWords::tr("Remove selected chart"), HelpWords::tr("Delete")},
        {HelpWords::tr("Maximize or restore chart"), HelpWords::tr("M")},
        {HelpWords::tr("Undo or redo chart changes"), HelpWords::tr("Ctrl+Z or Ctrl+Shift+Z")},
        {HelpWords::tr("Hide curve; show only this curve"), HelpWords::tr("Click its name or Space; double-click")},
        {HelpWords::tr("Focus trial tiles; select tile"), HelpWords::tr("T; arrows")},
    };
    addLines(grid, HelpWords::tr("Live plots"), inPlots, parent);
    const auto keys = [](const QKeySequence &sequence) { return sequence.toString(QKeySequence::NativeText); };
    const Lines onHome = {
        {HelpWords::tr("Open sweep"), HelpWords::tr("Enter or double-click")},
        {HelpWords::tr("Rename"), HelpWords::tr("F2")},
        {HelpWords::tr("Star; note and tags"), HelpWords::tr("S; N")},
        {HelpWords::tr("Undo; delete"), HelpWords::tr("%1; Delete").arg(keys(QKeySequence::Undo))},
    };
    addLines(grid, HelpWords::tr("Home"), onHome, parent);
    const Lines inTrials = {
        {HelpWords::tr("Open trial"), HelpWords::tr("Enter or double-click")},
        {HelpWords::tr("Show curves of the trials in the table"), keys(Qt::CTRL | Qt::Key_D)},
        {HelpWords::tr("Filter"), keys(QKeySequence::Find)},
        {HelpWords::tr("Star; note and tags"), HelpWords::tr("S; N")},
        {HelpWords::tr("Sort by column; move column"), HelpWords::tr("O; Alt+Left and Right")},
        {HelpWords::tr("Copy rows; undo"),
         HelpWords::tr("%1; %2").arg(keys(QKeySequence::Copy), keys(QKeySequence::Undo))},
    };
    addLines(grid, HelpWords::tr("Trial table"), inTrials, parent);
    const Lines inAnalysis = {
        {HelpWords::tr("Select axis; move it"), HelpWords::tr("Left and Right; with Alt, or drag its title")},
        {HelpWords::tr("Select a range on an axis"), HelpWords::tr("Drag along the axis, or Up and Down")},
        {HelpWords::tr("Move upper end; lower end"), HelpWords::tr("Up and Down with Shift; with Ctrl")},
        {HelpWords::tr("Clear range; clear all ranges"), HelpWords::tr("Delete; Escape")},
        {HelpWords::tr("Logarithmic value axis"), HelpWords::tr("L")},
        {HelpWords::tr("Maximize or restore plot"), HelpWords::tr("M")},
    };
    addLines(grid, HelpWords::tr("Analysis"), inAnalysis, parent);
    const Lines inLogs = {
        {HelpWords::tr("Find; next match, previous match"),
         HelpWords::tr("%1; F3, Shift+F3").arg(keys(QKeySequence::Find))},
        {HelpWords::tr("Only matching lines; back to all lines"), HelpWords::tr("M; Enter")},
        {HelpWords::tr("Search the logs of all trials"), keys(Qt::CTRL | Qt::SHIFT | Qt::Key_F)},
        {HelpWords::tr("First error; times; wrap lines"), HelpWords::tr("E; T; W")},
    };
    addLines(grid, HelpWords::tr("Logs"), inLogs, parent);
    const Lines inSpace = {
        {HelpWords::tr("Add, duplicate or remove row"), HelpWords::tr("Insert, Ctrl+D, Ctrl+Delete")},
        {HelpWords::tr("Move row"), HelpWords::tr("Alt+Up, Alt+Down")},
    };
    addLines(grid, HelpWords::tr("Search space"), inSpace, parent);
    grid->setRowStretch(grid->rowCount(), 1);
    return grid;
}

}  // namespace

void showAbout(QWidget *parent)
{
    QDialog *dialog = newDialog(u"aboutDialog"_s, HelpWords::tr("About Sweepscope"), parent);
    auto *icon = new QLabel(dialog);
    icon->setPixmap(applicationIcon().pixmap(64));
    auto *title = new QLabel(u"Sweepscope %1"_s.arg(QCoreApplication::applicationVersion()), dialog);
    setTextRole(title, TextRole::Heading);
    auto *text = new QLabel(dialog);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    text->setMinimumWidth(440);
    text->setText(
        HelpWords::tr("<p>Runs and monitors hyperparameter sweeps of distributed training. Works offline, without an "
                      "account.</p><p>Sweepscope is free software under the GNU General Public License, version 3 or "
                      "later. It comes without any warranty. The telemetry format (core/feed) and the Python reporter "
                      "are under the MIT license, so that any program can use them.</p><p>It uses Qt %1 (LGPL 3), "
                      "QCustomPlot (GPL 3), toml++ (MIT), nlohmann json (MIT), tl::expected (CC0) and SQLite (public "
                      "domain). The built-in worker uses LibTorch (BSD). The handwritten digits are from the UCI "
                      "Machine Learning Repository (CC BY 4.0).</p><p>%2, %3</p>")
            .arg(QLatin1StringView(qVersion()), QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture()));

    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(spacing::large);
    grid->addWidget(icon, 0, 0, 2, 1, Qt::AlignTop);
    grid->addWidget(title, 0, 1);
    grid->addWidget(text, 1, 1);
    auto *layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(spacing::huge, spacing::huge, spacing::huge, spacing::large);
    layout->setSpacing(spacing::medium);
    layout->addLayout(grid);
    layout->addWidget(closeButton(dialog));
    dialog->show();
}

void showShortcuts(const QList<QAction *> &actions, QWidget *parent)
{
    QDialog *dialog = newDialog(u"shortcutsDialog"_s, HelpWords::tr("Shortcuts"), parent);
    auto *list = new QWidget(dialog);
    QGridLayout *everywhere = newGrid();
    addHeading(everywhere, HelpWords::tr("General"), list);
    for (const QAction *action : actions) {
        if (action->shortcut().isEmpty())
            continue;
        QString what = action->text();
        what.remove(u'&').remove(u'…');
        addShortcut(everywhere, what,
                    QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText).replace(u"; "_s, u", "_s),
                    list);
    }
    everywhere->setRowStretch(everywhere->rowCount(), 1);
    auto *columns = new QHBoxLayout(list);
    columns->setContentsMargins(0, 0, spacing::large, 0);
    columns->setSpacing(2 * spacing::huge);
    columns->addLayout(everywhere);
    columns->addLayout(placesShortcuts(list), 1);
    auto *scroll = new QScrollArea(dialog);  // for large text on a small screen
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(list);
    auto *layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(spacing::huge, spacing::huge, spacing::huge, spacing::large);
    layout->setSpacing(spacing::large);
    layout->addWidget(scroll, 1);
    layout->addWidget(closeButton(dialog));
    const QSize around(2 * spacing::huge + spacing::large, 3 * spacing::huge + 2 * spacing::large);
    const QSize wanted =
        list->sizeHint() + QSize(0, dialog->sizeHint().height() - scroll->sizeHint().height()) + around;
    dialog->resize(wanted.boundedTo(parent->screen()->availableSize() * 9 / 10));
    dialog->show();
}

}  // namespace sweepscope::ui
