#include "ui/theme/stylesheet.h"

#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

#include <QRegularExpression>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr auto rules = R"(
QToolTip { color: %tooltiptext; background: %tooltip; border: 1px solid %border; padding: 4px 6px; }

QPushButton { background: %button; border: 1px solid %border; border-radius: %radiuspx; padding: 5px 12px; min-height: 18px; }
QPushButton:hover { background: %hover; }
QPushButton:pressed, QPushButton:checked { background: %pressed; }
QPushButton:focus { border-color: %focus; }
QPushButton:disabled { color: %disabled; background: %window; }
QPushButton[primary="true"] { background: %accent; color: white; border-color: %accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: %accenthover; }
QPushButton[primary="true"]:pressed { background: %accentpressed; }
QPushButton[primary="true"]:focus { border-color: %text; }
QPushButton[primary="true"]:disabled { background: %midlight; color: %disabled; border-color: %midlight; }
QPushButton[choice="true"] { text-align: left; padding-left: 15px; }
QPushButton[danger="true"] { color: %problem; }
QPushButton[danger="true"]:disabled { color: %disabled; }
QPushButton[flat="true"], QPushButton:flat { background: transparent; border-color: transparent; }
QPushButton[flat="true"]:hover, QPushButton:flat:hover { background: %hover; }
QPushButton[flat="true"]:focus, QPushButton:flat:focus { border-color: %focus; }

QToolButton { border: 1px solid transparent; border-radius: %radiuspx; padding: 4px 6px; }
QToolButton[toolButtonStyle="2"], QToolButton[toolButtonStyle="ToolButtonTextBesideIcon"] { padding: 4px 0 4px 8px; }
QToolButton:hover { background: %hover; }
QToolButton:pressed { background: %pressed; }
QToolButton:checked { background: %selection; }
QToolButton:focus { border-color: %focus; }
QPushButton::menu-indicator { image: url(:/icons/arrow-down-%shade.svg); width: 11px; height: 11px; subcontrol-origin: padding;
    subcontrol-position: center right; right: 8px; }
QToolButton::menu-indicator { image: none; }
QToolButton[page="true"] { color: %subtle; border: none; padding: 7px 9px; }
QToolButton[page="true"]:hover, QToolButton[page="true"]:checked { color: %text; }
#pageBar QToolButton { background: transparent; border: none; border-bottom: 2px solid transparent; border-radius: 0; padding: 7px 8px; }
#pageBar QToolButton:checked { border-bottom-color: %accent; }
#pageLine { border: none; max-height: 1px; background: %border; }

QLineEdit, QAbstractSpinBox, QComboBox { background: %base; border: 1px solid %border; border-radius: %radiuspx;
    padding: 4px 7px; min-height: 18px; selection-background-color: %accent; selection-color: white; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QComboBox:on { border-color: %focus; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { color: %disabled; background: %window; }
QAbstractItemView QLineEdit, QAbstractItemView QComboBox, QAbstractItemView QAbstractSpinBox { border-radius: 0; padding: 0 4px; }

QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { subcontrol-origin: border; width: 18px; border: none; }
QAbstractSpinBox::up-button { subcontrol-position: top right; margin: 1px 1px 0 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin: 0 1px 1px 0; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: %hover; }
QAbstractSpinBox::up-arrow { image: url(:/icons/arrow-up-%shade.svg); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/arrow-down-%shade.svg); width: 9px; height: 9px; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/arrow-down-%shade.svg); width: 11px; height: 11px; }
QComboBox QAbstractItemView { background: %base; border: 1px solid %border; padding: 2px; outline: none;
    selection-background-color: %selection; selection-color: %text; }

QPlainTextEdit, QTextEdit, QTreeView, QTableView, QListView { border: 1px solid %border; border-radius: %radiuspx; }
QPlainTextEdit, QTextEdit { selection-background-color: %accent; selection-color: white; }
QLabel[problem="true"] { color: %problem; }
#problems { border: none; background: transparent; }
#filterCompletion { background: %base; border-radius: 0; padding: 2px; outline: none; }
#filterCompletion::item { padding: 4px 6px; border: none; background: transparent; color: %text; }
#filterCompletion::item:selected { background: %selection; }
QTreeView, QTableView, QListView { selection-background-color: %selection; selection-color: %text; }
QTableView { gridline-color: %midlight; }
QPlainTextEdit, QTextEdit { background: %base; padding: 2px; }
QPlainTextEdit:focus, QTextEdit:focus { border-color: %focus; }
#attemptCommand { border: 1px solid transparent; background: transparent; padding: 0; }
#attemptCommand:focus { border-color: %focus; }
QLineEdit[problem="true"], QAbstractSpinBox[problem="true"], QComboBox[problem="true"], QAbstractItemView[problem="true"],
QPlainTextEdit[problem="true"] { border: 1px solid %problem; }

QHeaderView { background: %window; border: none; }
QHeaderView::section { background: %window; color: %subtle; border: none; border-right: 1px solid %midlight;
    border-bottom: 1px solid %border; padding: 5px 6px; font-weight: 500; }
QHeaderView::section:hover { color: %text; }
QHeaderView::down-arrow { image: url(:/icons/arrow-down-%shade.svg); width: 10px; height: 10px; subcontrol-position: center right;
    right: 4px; }
QHeaderView::up-arrow { image: url(:/icons/arrow-up-%shade.svg); width: 10px; height: 10px; subcontrol-position: center right;
    right: 4px; }
QTableCornerButton::section { background: %window; border: none; }

QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: %subtle; border: none; border-bottom: 2px solid transparent; padding: 7px 8px;
    margin-right: 2px; }
QTabBar::tab:hover { color: %text; }
QTabBar::tab:selected { color: %text; border-bottom-color: %accent; }
QTabBar::tab:disabled { color: %disabled; }
QTabWidget::pane { border: none; border-top: 1px solid %border; }

QFrame[card="true"] > QListView, QFrame[card="true"] > QTableView, QFrame[card="true"] QStackedWidget > QListView, QFrame[card="true"] QStackedWidget > QWidget > QListView { border: none; }
QFrame[card="true"] { background: %base; border: 1px solid %border; border-radius: %radiuspx; }
QLabel[chip="true"] { color: %subtle; border: 1px solid %border; border-radius: 3px; padding: 0 5px; }

QGroupBox { border: 1px solid %border; border-radius: %radiuspx; margin-top: 10px; padding-top: 10px; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; left: 10px; padding: 0 4px; font-weight: 600; }

QProgressBar { background: %midlight; border: none; border-radius: 3px; text-align: center; min-height: 6px; max-height: 6px; }
QProgressBar::chunk { background: %accent; border-radius: 3px; }

QMenuBar { background: %window; border-bottom: 1px solid %midlight; padding: 1px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: %radiuspx; background: transparent; }
QMenuBar::item:selected { background: %hover; }
QMenu { background: %base; border: 1px solid %border; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 10px; border-radius: 3px; }
QMenu::icon { padding-left: 8px; }
QMenu::item:selected { background: %selection; }
QMenu::item:disabled { color: %disabled; }
QMenu::separator { height: 1px; background: %midlight; margin: 4px 6px; }

QSplitter::handle { background: %border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QSplitter::handle:hover { background: %accent; }
QSplitter[quiet="true"]::handle { background: transparent; }

QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: %scrollbar; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: %dark; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }

QStatusBar { background: %window; border-top: 1px solid %midlight; }
QStatusBar::item { border: none; }
)"_L1;

QString withLengths(const QString &sheet, double scale)
{
    constexpr int widestLine = 2;
    static const QRegularExpression length(u"\\b(\\d+)px"_s);
    QString scaled;
    qsizetype done = 0;
    for (const QRegularExpressionMatch &match : length.globalMatch(sheet)) {
        const int pixels = match.capturedView(1).toInt();
        scaled += QStringView(sheet).sliced(done, match.capturedStart() - done);
        scaled += QString::number(pixels <= widestLine ? pixels : qRound(pixels * scale)) + u"px"_s;
        done = match.capturedEnd();
    }
    scaled += QStringView(sheet).sliced(done);
    return scaled;
}

}  // namespace

QString styleSheet(const QPalette &palette, double scale)
{
    const bool dark = isDark(palette);
    const auto role = [&palette](QPalette::ColorRole which) { return palette.color(which).name(); };
    const QColor accent = palette.color(QPalette::Highlight);
    const QColor hover = hoverColor(palette);
    // If a name is a prefix of another, the longer one comes first.
    const std::pair<QLatin1StringView, QString> values[] = {
        {"%tooltiptext"_L1, role(QPalette::ToolTipText)},
        {"%tooltip"_L1, role(QPalette::ToolTipBase)},
        {"%accenthover"_L1, accent.darker(108).name()},
        {"%accentpressed"_L1, accent.darker(120).name()},
        {"%accent"_L1, accent.name()},
        {"%focus"_L1, focusColor(palette).name()},
        {"%disabled"_L1, palette.color(QPalette::Disabled, QPalette::Text).name()},
        {"%midlight"_L1, role(QPalette::Midlight)},
        {"%selection"_L1, selectionColor(palette).name()},
        {"%scrollbar"_L1, role(dark ? QPalette::Light : QPalette::Mid)},
        {"%pressed"_L1, dark ? hover.lighter(125).name() : hover.darker(108).name()},
        {"%problem"_L1, problemColor(palette).name()},
        {"%border"_L1, borderColor(palette).name()},
        {"%subtle"_L1, subtleTextColor(palette).name()},
        {"%window"_L1, role(QPalette::Window)},
        {"%button"_L1, role(QPalette::Button)},
        {"%radius"_L1, QString::number(spacing::cornerRadius)},
        {"%shade"_L1, dark ? u"dark"_s : u"light"_s},
        {"%hover"_L1, hover.name()},
        {"%dark"_L1, palette.color(dark ? QPalette::Mid : QPalette::Dark).name()},
        {"%base"_L1, role(QPalette::Base)},
        {"%text"_L1, role(QPalette::Text)},
    };
    QString sheet = rules;
    for (const auto &[name, value] : values)
        sheet.replace(name, value);
    return scale == 1 ? sheet : withLengths(sheet, scale);
}

}  // namespace sweepscope::ui
