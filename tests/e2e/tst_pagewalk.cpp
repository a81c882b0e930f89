#include "testprogram.h"

// Opens every page in both themes, in a small and in a large window: empty, with sweeps that have ended or failed, with
// a running one of 10,000 trials, and with larger fonts. Nothing warns, no text is cut off or pale, no widgets overlap,
// no page lays itself out again and again.
// SWEEPSCOPE_PICTURES=FOLDER keeps the pictures.
#include "e2e/workspaceengine.h"
#include "models/contrast.h"
#include "ui/shell/mainwindow.h"
#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;
using ui::MainWindow;

namespace {

constexpr int gap = 4;  // px, at least, around the content of a button

QString placeOf(const QWidget *widget)
{
    QString name = QString::fromLatin1(widget->metaObject()->className()) + u" '"_s + widget->objectName() + u"'"_s;
    if (const auto *label = qobject_cast<const QLabel *>(widget))
        name += u" “"_s + label->text().left(40) + u"”"_s;
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
        name += u" “"_s + button->text() + u"”"_s;
    const QRect place = widget->geometry();
    return name + u" at %1,%2 %3x%4"_s.arg(place.x()).arg(place.y()).arg(place.width()).arg(place.height());
}

/// Texts that do not fit. A widget that may cut its text declares so by its size policy (and has a tool tip or
/// scrolls).
QStringList cutTexts(const QWidget &window)
{
    QStringList found;
    for (const QLabel *label : window.findChildren<QLabel *>()) {
        if (!label->isVisible() || label->text().isEmpty() || !label->pixmap(Qt::ReturnByValue).isNull()
            || label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
            continue;
        const bool fits = label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                                            : label->width() >= label->sizeHint().width();
        if (!fits)
            found << placeOf(label);
    }
    for (const QComboBox *box : window.findChildren<QComboBox *>()) {
        if (!box->isVisible() || box->isEditable())
            continue;
        QStyleOptionComboBox option;
        option.initFrom(box);
        const QRect room =
            box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
        const int icon = box->itemIcon(box->currentIndex()).isNull() ? 0 : box->iconSize().width() + gap;
        if (room.width() < box->fontMetrics().horizontalAdvance(box->currentText()) + icon)
            found << placeOf(box) + box->currentText();
    }
    for (const QAbstractButton *button : window.findChildren<QAbstractButton *>()) {
        const auto *pushed = qobject_cast<const QPushButton *>(button);
        const auto *tool = qobject_cast<const QToolButton *>(button);
        const bool showsText = pushed || (tool && tool->toolButtonStyle() != Qt::ToolButtonIconOnly);
        if (!button->isVisible() || !showsText || button->text().isEmpty())
            continue;
        const QString text = QString(button->text()).remove(u'&');
        const bool showsIcon =
            !button->icon().isNull() && (pushed || tool->toolButtonStyle() != Qt::ToolButtonTextOnly);
        const int icon = showsIcon ? button->iconSize().width() + gap : 0;
        const int arrow = pushed && pushed->menu() ? 3 * gap : 0;
        if (button->width() < button->fontMetrics().horizontalAdvance(text) + icon + arrow + 2 * gap)
            found << placeOf(button);
    }
    return found;
}

/// Widgets of one layout that overlap.
QStringList overlaps(const QWidget &window)
{
    QStringList found;
    for (const QLayout *layout : window.findChildren<QLayout *>()) {
        if (!layout->parentWidget() || !layout->parentWidget()->isVisible()
            || QByteArray(layout->metaObject()->className()) == "QStackedLayout")
            continue;
        std::vector<const QWidget *> shown;
        for (int i = 0; i < layout->count(); ++i) {
            if (const QWidget *widget = layout->itemAt(i)->widget(); widget && widget->isVisible())
                shown.push_back(widget);
        }
        for (std::size_t i = 0; i < shown.size(); ++i) {
            for (std::size_t other = i + 1; other < shown.size(); ++other) {
                if (shown[i]->parentWidget() == shown[other]->parentWidget()
                    && shown[i]->geometry().intersects(shown[other]->geometry()))
                    found << placeOf(shown[i]) + u" on "_s + placeOf(shown[other]);
            }
        }
    }
    return found;
}

/// Texts with too little contrast: from a theme that was changed, for example.
QStringList paleTexts(const QWidget &window)
{
    QStringList found;
    const QColor ground = window.palette().color(QPalette::Window);
    for (const QLabel *label : window.findChildren<QLabel *>()) {
        if (!label->isVisible() || !label->isEnabled() || label->text().isEmpty())
            continue;
        if (tests::contrast(label->palette().color(label->foregroundRole()), ground) < 4.5)
            found << placeOf(label);
    }
    return found;
}

/// Counts the requests for another layout. One that causes the next keeps a processor busy.
class LayoutRequests : public QObject {
public:
    LayoutRequests() { qApp->installEventFilter(this); }

    const QString &last() const { return m_last; }  ///< the widget that got the last one

    /// Returns whether there is a moment without one within two seconds.
    bool pause()
    {
        constexpr int moment = 20;  // ms
        for (int i = 0; i < 100; ++i) {
            const int before = m_count;
            QTest::qWait(moment);
            if (m_count == before)
                return true;
        }
        return false;
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::LayoutRequest) {
            ++m_count;
            m_last = u"%1 '%2'"_s.arg(QLatin1StringView(watched->metaObject()->className()), watched->objectName());
        }
        return false;
    }

private:
    int m_count = 0;
    QString m_last;
};

bool allTabsAreSeen(const QWidget &window)
{
    const auto *bar = window.findChild<QWidget *>(u"pageBar"_s);
    const auto *last = window.findChild<QToolButton *>(u"logsPageButton"_s);
    return !bar->isVisible() || bar->rect().contains(QRect(last->mapTo(bar, QPoint()), last->size()));
}

}  // namespace

class PageWalkTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::Theme> m_theme;

    /// Visits every page, or some. `state` names the pictures.
    void walk(MainWindow &window, const QString &state,
              const QList<QSize> &sizes = {QSize(1024, 700), QSize(1280, 800), QSize(3840, 2160)},
              const QStringList &onlyPages = {})
    {
        const QString folder = qEnvironmentVariable("SWEEPSCOPE_PICTURES");
        for (const QSize size : sizes) {
            window.resize(size);
            for (const auto scheme : {ui::ColorScheme::Light, ui::ColorScheme::Dark}) {
                m_theme->setScheme(scheme);
                for (const QString &page : onlyPages.isEmpty() ? window.pageNames() : onlyPages) {
                    window.showPage(page);
                    QTest::qWait(0);
                    // Plots and lists come from threads: a page is ready when its layout no longer changes.
                    QTRY_VERIFY2_WITH_TIMEOUT(cutTexts(window).isEmpty(),
                                              qPrintable(page + u": "_s + cutTexts(window).join(u"; "_s)), 5000);
                    QTRY_VERIFY2_WITH_TIMEOUT(overlaps(window).isEmpty(),
                                              qPrintable(page + u": "_s + overlaps(window).join(u"; "_s)), 5000);
                    QTRY_VERIFY2_WITH_TIMEOUT(paleTexts(window).isEmpty(),
                                              qPrintable(page + u": "_s + paleTexts(window).join(u"; "_s)), 5000);
                    LayoutRequests requests;
                    QVERIFY2(requests.pause(),
                             qPrintable(page + u" is laid out again and again: "_s + requests.last()));
                    QVERIFY2(allTabsAreSeen(window), qPrintable(page + u": not all tabs are seen"_s));
                    QVERIFY2(window.size() == size, qPrintable(page + u" does not fit into its window"_s));
                    if (folder.isEmpty())
                        continue;
                    QTest::qWait(700);
                    const QString theme = scheme == ui::ColorScheme::Dark ? u"dark"_s : u"light"_s;
                    QVERIFY(window.grab().save(
                        QDir(folder).filePath(u"%1-%2-%3-%4.png"_s.arg(state, page, theme).arg(size.width()))));
                }
            }
        }
    }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }

    void emptyWorkspace()
    {
        WorkspaceEngine engine;
        QVERIFY2(engine.connect(), qPrintable(engine.client().errorText()));
        MainWindow window(&engine.client(), m_theme.get(), &engine.settings());
        window.begin({});
        window.show();
        walk(window, u"empty"_s);
    }

    void endedSweep()
    {
        WorkspaceEngine engine;
        QVERIFY2(engine.connect(), qPrintable(engine.client().errorText()));
        for (const auto &[name, program, argument, trials] :
             {std::tuple{u"points"_s, u"reportspoints"_s, u"{n}"_s, 12},
              std::tuple{u"failing-with-a-name-that-is-long"_s, u"exits"_s, u"7"_s, 3}}) {
            QFile file(engine.writeSweep(
                name,
                program == "exits"_L1
                    ? QStringList{WorkspaceEngine::clientProgram(program), argument, u"all"_s, u"{n}"_s}
                    : QStringList{WorkspaceEngine::clientProgram(program), argument},
                trials));
            QVERIFY(file.open(QIODevice::ReadOnly));
            engine.client().launchSweep(QString::fromUtf8(file.readAll()), engine.path({}));
        }
        QTRY_VERIFY_WITH_TIMEOUT(
            engine.client().sweeps().size() == 2
                && std::ranges::all_of(engine.client().sweeps(),
                                       [](const sweep::SweepRecord &record) { return record.ended.has_value(); }),
            patience);
        sweep::Control mark;
        mark.action = sweep::Control::Action::Mark;
        mark.trials = {3, 12};
        mark.mark = {true, {"baseline", "to repeat"}, {}, "As good as the paper says"};
        engine.client().control(engine.client().sweeps()[0].id, mark);
        MainWindow window(&engine.client(), m_theme.get(), &engine.settings());
        window.begin({});
        window.show();
        window.selection().selectSweep(engine.client().sweeps()[0].id);
        window.selection().selectTrial(engine.client().sweeps()[0].id, 12);
        window.findChild<QToolButton *>(u"trialsCurves"_s)->setChecked(true);
        window.findChild<QAbstractItemView *>(u"trialsTable"_s)->selectAll();
        walk(window, u"ended"_s);
        m_theme->setTextSize(125);
        walk(window, u"larger"_s, {QSize(1600, 1000)});
        m_theme->setTextSize(150);
        walk(window, u"largest"_s, {QSize(1280, 800)});
        m_theme->setTextSize(175);
        walk(window, u"larger-still"_s, {QSize(1280, 800)});
        // Pages keep their names, in a second row.
        const auto *tab = window.findChild<QToolButton *>(u"logsPageButton"_s);
        QCOMPARE(tab->toolButtonStyle(), Qt::ToolButtonTextOnly);
        QVERIFY(tab->mapTo(&window, QPoint()).y()
                > window.findChild<QWidget *>(u"sweepPageButton"_s)->mapTo(&window, QPoint()).y());
        m_theme->setTextSize(ui::usualTextSize);
        window.selection().selectSweep(engine.client().sweeps()[1].id);
        walk(window, u"failed"_s);
        window.findChild<QAction *>(u"editAction"_s)->trigger();
        QTest::keyClicks(window.findChild<QLineEdit *>(u"sweep.name"_s), u"-2"_s);
        walk(window, u"edited"_s, {QSize(1024, 700), QSize(1280, 800)}, {u"sweep"_s});
        window.selection().selectSweep(engine.client().sweeps()[0].id);
        for (const int percent : {150, 175}) {
            m_theme->setTextSize(percent);
            walk(window, u"edited-%1"_s.arg(percent), {QSize(1280, 800)}, {u"sweep"_s});
        }
        m_theme->setTextSize(ui::usualTextSize);
    }

    void runningSweepOfManyTrials()
    {
        WorkspaceEngine engine;
        QVERIFY2(engine.connect(), qPrintable(engine.client().errorText()));
        constexpr int trials = 10'000;
        QFile file(engine.writeSweep(
            u"many"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, trials));
        QVERIFY(file.open(QIODevice::ReadOnly));
        engine.client().launchSweep(
            QString::fromUtf8(file.readAll()).replace(u"concurrent = 1"_s, u"concurrent = 2\ncpu_slots = 8"_s),
            engine.path({}));
        const auto isRunning = [&engine] {
            if (engine.client().sweeps().empty())
                return false;
            const auto &all = engine.client().trials(engine.client().sweeps()[0].id);
            return all.size() == trials && all[1].state == sweep::TrialState::Running;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRunning(), patience);
        MainWindow window(&engine.client(), m_theme.get(), &engine.settings());
        window.begin({});
        window.show();
        window.selection().selectSweep(engine.client().sweeps()[0].id);
        walk(window, u"running"_s);
    }
};

SWEEPSCOPE_TEST(PageWalkTest)
#include "tst_pagewalk.moc"
