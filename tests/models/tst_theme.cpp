#include "testprogram.h"

#include "models/contrast.h"
#include "ui/theme/desktopcolors.h"
#include "ui/theme/elidedheader.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"
#include "ui/theme/trialcolors.h"
#include "ui/theme/wraplayout.h"

#include <QApplication>
#include <QComboBox>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QDialogButtonBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPixmapCache>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QStyleOptionHeader>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWindow>

#include <algorithm>
#include <cmath>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::contrast;

namespace {

/// A private session bus.
class Bus {
public:
    bool start()
    {
        m_daemon.start(u"dbus-daemon"_s, {u"--session"_s, u"--nofork"_s, u"--print-address=1"_s});
        if (!m_daemon.waitForStarted(patience) || !m_daemon.waitForReadyRead(patience))
            return false;
        m_address = QString::fromUtf8(m_daemon.readLine()).trimmed();
        return true;
    }
    ~Bus()
    {
        m_daemon.terminate();
        m_daemon.waitForFinished(patience);
    }
    QString address() const { return m_address; }

private:
    QProcess m_daemon;
    QString m_address;
};

void tellChange(const QDBusConnection &bus, const QString &key, uint value)
{
    QDBusMessage change = QDBusMessage::createSignal(u"/org/freedesktop/portal/desktop"_s,
                                                     u"org.freedesktop.portal.Settings"_s, u"SettingChanged"_s);
    change.setArguments({u"org.freedesktop.appearance"_s, key, QVariant::fromValue(QDBusVariant(value))});
    QVERIFY(bus.send(change));
}

}  // namespace

/// Answers like a desktop's portal.
class FakePortal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

public Q_SLOTS:
    QDBusVariant Read(const QString &group, const QString &key)
    {
        const bool known = group == "org.freedesktop.appearance"_L1 && key == "color-scheme"_L1;
        return QDBusVariant(QVariant::fromValue(QDBusVariant(known ? 1u : 99u)));
    }
};

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textHasContrastInBothPalettes_data();
    void textHasContrastInBothPalettes();
    void everyStateHasADistinctNameAndIcon();
    void symbolsFollowThePalette();
    void breezeIsUsedIfInstalled();
    void neighbouringRanksHaveDifferentColours();
    void systemSchemeFollowsTheDesktop();
    void textSizeAppliesEverywhere();
    void titlesOfColumnsAreElidedInTheMiddle();
    void barWithoutSpaceWrapsToTheNextLine();
    void dialogButtonsHaveNoIcons();
    void buttonIsNotHoveredAfterItsMenuHasClosed();
    void portalReportsTheColourSchemeAndItsChanges();
};

void ThemeTest::textHasContrastInBothPalettes_data()
{
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << ui::lightPalette();
    QTest::newRow("dark") << ui::darkPalette();
}

void ThemeTest::textHasContrastInBothPalettes()
{
    QFETCH(QPalette, palette);
    QVERIFY(contrast(palette.color(QPalette::WindowText), palette.color(QPalette::Window)) >= 7);
    QVERIFY(contrast(palette.color(QPalette::Text), palette.color(QPalette::Base)) >= 7);
    const auto of = [&palette](QPalette::ColorRole role) { return palette.color(role); };
    const std::pair<const char *, QColor> grounds[] = {{"window", of(QPalette::Window)},
                                                       {"base", of(QPalette::Base)},
                                                       {"alternate rows", of(QPalette::AlternateBase)},
                                                       {"side bar", ui::sidePanelColor(palette)},
                                                       {"hovered", ui::hoverColor(palette)},
                                                       {"selected", ui::selectionColor(palette)},
                                                       {"button", of(QPalette::Button)}};
    const std::pair<const char *, QColor> texts[] = {{"text", of(QPalette::Text)},
                                                     {"subtle text", ui::subtleTextColor(palette)},
                                                     {"link", of(QPalette::Link)},
                                                     {"problem", ui::problemColor(palette)},
                                                     {"good", ui::goodColor(palette)}};
    for (const auto &[ground, groundColor] : grounds) {
        for (const auto &[text, textColor] : texts) {
            const double found = contrast(textColor, groundColor);
            QVERIFY2(found >= 4.5,
                     qPrintable(u"%1 on %2: %3"_s.arg(QLatin1StringView(text), QLatin1StringView(ground)).arg(found)));
        }
    }
    QVERIFY(contrast(of(QPalette::HighlightedText), of(QPalette::Highlight)) >= 4.5);
    QVERIFY(contrast(of(QPalette::ToolTipText), of(QPalette::ToolTipBase)) >= 4.5);
    // The focus has a frame: a shape, for which 3 is enough.
    for (const auto &[ground, groundColor] : grounds)
        QVERIFY2(contrast(ui::focusColor(palette), groundColor) >= 3, ground);
}

void ThemeTest::everyStateHasADistinctNameAndIcon()
{
    QSet<QString> words;
    QList<QImage> drawings;
    for (int state = 0; state <= static_cast<int>(sweep::TrialState::Lost); ++state) {
        words << ui::stateText(static_cast<sweep::TrialState>(state));
        const QIcon icon = ui::stateIcon(static_cast<sweep::TrialState>(state));
        const QImage image = icon.pixmap(16).toImage();
        QVERIFY(!image.isNull());
        QVERIFY(!drawings.contains(image));
        drawings << image;
        QCOMPARE(icon.pixmap(QSize(16, 16), QIcon::Selected).toImage(), image);
    }
    QCOMPARE(words.size(), 9);
    QVERIFY(!words.contains(QString()));
}

void ThemeTest::symbolsFollowThePalette()
{
    const auto strongest = [](const QIcon &icon) {
        const QImage image = icon.pixmap(32).toImage().convertToFormat(QImage::Format_ARGB32);
        QColor color(Qt::transparent);
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixelColor(x, y).alpha() > color.alpha())
                    color = image.pixelColor(x, y);
            }
        }
        return color;
    };
    QApplication::setPalette(ui::lightPalette());
    const QIcon icon = ui::symbolIcon(u"stop"_s);
    QVERIFY(strongest(icon).lightness() < 80);
    QApplication::setPalette(ui::darkPalette());
    QVERIFY(strongest(icon).lightness() > 180);
}

void ThemeTest::breezeIsUsedIfInstalled()
{
    const QTemporaryDir themes;
    const QString drawings = themes.filePath(u"breeze/actions/16"_s);
    QVERIFY(QDir().mkpath(drawings));
    const auto write = [&drawings](const QByteArray &content) {
        QFile file(drawings + u"/media-playback-stop.svg"_s);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    };
    const auto stop = [](int size) {
        QPixmapCache::clear();
        return ui::symbolIcon(u"stop"_s).pixmap(size).toImage();
    };
    const QStringList paths = QIcon::themeSearchPaths();
    QApplication::setPalette(ui::darkPalette());
    QIcon::setThemeSearchPaths({themes.path()});
    const QImage ours = stop(16);
    QVERIFY(ours.pixelColor(0, 0).alpha() == 0);

    write("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><defs><style type='text/css' "
          "id='current-color-scheme'>.ColorScheme-Text { color:#232629; }</style></defs><path "
          "style='fill:currentColor;stroke:none' d='M 0 0 H 16 V 16 H 0 z' class='ColorScheme-Text'/></svg>");
    QCOMPARE(stop(16).pixelColor(0, 0), ui::darkPalette().color(QPalette::ButtonText));
    QCOMPARE(stop(22).pixelColor(0, 0).alpha(), 0);  // that size does not exist
    write("<svg");
    QCOMPARE(stop(16), ours);
    QIcon::setThemeSearchPaths(paths);
    QPixmapCache::clear();
}

void ThemeTest::neighbouringRanksHaveDifferentColours()
{
    QSet<QRgb> colors;
    for (int rank = 0; rank < 21; ++rank)
        colors << ui::rankColor(rank).rgb();
    QCOMPARE(colors.size(), 21);
    QCOMPARE(ui::trialColor(1), ui::rankColor(0));
    QVERIFY(ui::rankColor(-1).isValid());
}

void ThemeTest::systemSchemeFollowsTheDesktop()
{
    ui::Theme theme(qApp);
    theme.setSystemIsDark(true);
    QVERIFY(ui::isDark(QApplication::palette()));
    theme.setScheme(ui::ColorScheme::Light);
    QVERIFY(!ui::isDark(QApplication::palette()));
    theme.setSystemIsDark(false);
    theme.setScheme(ui::ColorScheme::Dark);
    QVERIFY(ui::isDark(QApplication::palette()));
    theme.setScheme(ui::ColorScheme::System);
    QVERIFY(!ui::isDark(QApplication::palette()));
}

void ThemeTest::titlesOfColumnsAreElidedInTheMiddle()
{
    struct Header : ui::ElidedHeader {
        using ElidedHeader::ElidedHeader;
        QString shown(int section) const
        {
            QStyleOptionHeaderV2 option;
            initStyleOption(&option);
            initStyleOptionForIndex(&option, section);
            return option.text;
        }
    };
    const ui::Theme theme(qApp);
    QStandardItemModel model;
    model.setHorizontalHeaderLabels({u"validation/"_s + QString(100, u'x') + u"/loss"_s, u"lr"_s});
    Header header(Qt::Horizontal);
    header.setModel(&model);
    header.show();
    header.resizeSection(0, 200);
    const QString shown = header.shown(0);
    QVERIFY2(shown.startsWith(u"val"_s) && shown.contains(u'…') && shown.endsWith(u"ss"_s), qPrintable(shown));
    QVERIFY(header.fontMetrics().horizontalAdvance(shown) < 200);
    header.resizeSection(1, header.sectionSizeHint(1));
    QCOMPARE(header.shown(1), u"lr"_s);
}

void ThemeTest::barWithoutSpaceWrapsToTheNextLine()
{
    ui::Theme theme(qApp);
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    auto *bar = new ui::WrapLayout;
    layout->addLayout(bar);
    layout->addStretch(1);
    QLineEdit line;
    QComboBox choice;
    choice.addItems({u"All states"_s, u"Queued"_s});
    QLabel count(u"6 removed"_s);
    line.setMinimumWidth(200);
    line.setMaximumWidth(300);
    for (QWidget *widget : std::initializer_list<QWidget *>{&line, &choice, &count})
        bar->addWidget(widget);
    window.resize(500, 200);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto hasRoom = [](const QWidget &widget) { return widget.width() >= widget.sizeHint().width(); };
    QCOMPARE(choice.geometry().center().y(), line.geometry().center().y());
    QVERIFY2(line.width() > 200 && line.width() <= 300, "it has what room is left");
    theme.setTextSize(200);
    QTRY_VERIFY(hasRoom(choice) && hasRoom(count));
    QTRY_VERIFY(count.y() > line.geometry().bottom());
    QVERIFY(!choice.geometry().intersects(line.geometry()) && !choice.geometry().intersects(count.geometry()));
    QVERIFY(window.rect().contains(count.geometry()));
    theme.setTextSize(ui::usualTextSize);
    QTRY_COMPARE(choice.geometry().center().y(), line.geometry().center().y());
    // Text that can wrap has the height that it needs in its width.
    QLabel text(u"This sentence is far too long for what remains of the row next to the other controls."_s);
    text.setWordWrap(true);
    text.setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(&text);
    QTRY_VERIFY(text.height() >= text.heightForWidth(text.width()) && text.height() > choice.sizeHint().height());
    delete bar->takeAt(3);
    text.hide();
    // Hidden widgets take no space.
    line.hide();
    QTRY_COMPARE(choice.x(), bar->geometry().x());
    while (QLayoutItem *item = bar->takeAt(0))
        delete item;
    QCOMPARE(bar->count(), 0);
}

void ThemeTest::dialogButtonsHaveNoIcons()
{
    const ui::Theme theme(qApp);
    const QDialogButtonBox box(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    QVERIFY(box.button(QDialogButtonBox::Save)->icon().isNull());
    QVERIFY(box.button(QDialogButtonBox::Cancel)->icon().isNull());
}

void ThemeTest::buttonIsNotHoveredAfterItsMenuHasClosed()
{
    const ui::Theme theme(qApp);
    QWidget page;
    page.resize(400, 300);
    QToolButton button(&page);
    button.setGeometry(20, 20, 40, 30);
    button.setPopupMode(QToolButton::InstantPopup);
    QMenu menu;
    menu.addAction(u"Copy"_s);
    button.setMenu(&menu);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QWindow *window = page.windowHandle();
    QTest::mouseMove(window, button.geometry().center());
    QTRY_VERIFY(button.underMouse());
    menu.popup(page.mapToGlobal(QPoint(20, 50)));
    QTRY_VERIFY(menu.isVisible());
    // As under X11, where no leave event arrives while a menu has grabbed the mouse.
    button.move(200, 200);
    button.setAttribute(Qt::WA_UnderMouse);
    menu.close();
    QTRY_VERIFY(!button.underMouse());
}

void ThemeTest::portalReportsTheColourSchemeAndItsChanges()
{
    if (QStandardPaths::findExecutable(u"dbus-daemon"_s).isEmpty())
        QSKIP("needs dbus-daemon");
    Bus bus;
    QVERIFY(bus.start());
    QDBusConnection desktop = QDBusConnection::connectToBus(bus.address(), u"desktop"_s);
    QVERIFY(desktop.isConnected());
    FakePortal portal;
    QVERIFY(desktop.registerObject(u"/org/freedesktop/portal/desktop"_s, &portal, QDBusConnection::ExportAllSlots));
    QVERIFY(desktop.registerService(u"org.freedesktop.portal.Desktop"_s));

    ui::DesktopColors colors(QDBusConnection::connectToBus(bus.address(), u"window"_s));
    QSignalSpy wanted(&colors, &ui::DesktopColors::darkWanted);
    QVERIFY(wanted.wait(patience));
    QCOMPARE(wanted.takeFirst().at(0).toBool(), true);

    tellChange(desktop, u"accent-color"_s, 7);
    tellChange(desktop, u"color-scheme"_s, 2);
    QVERIFY(wanted.wait(patience));
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.takeFirst().at(0).toBool(), false);
    QDBusConnection::disconnectFromBus(u"window"_s);
    QDBusConnection::disconnectFromBus(u"desktop"_s);
}

void ThemeTest::textSizeAppliesEverywhere()
{
    ui::Theme theme(qApp);
    QSignalSpy changed(&theme, &ui::Theme::textSizeChanged);
    QWidget window;
    QLabel plain(u"plain"_s, &window);
    QLabel heading(u"heading"_s, &window);
    ui::setTextRole(&heading, ui::TextRole::Heading);
    QPushButton button(u"button"_s, &window);
    ui::IconLabel icon(&window);
    icon.setIcon(ui::symbolIcon(u"warning"_s));
    const int iconWidth = icon.sizeHint().width();
    int rowHeight = 0;
    ui::followTextSize(&plain, [&rowHeight] { rowHeight = ui::textScaled(20); });
    window.show();
    const double size = plain.font().pointSizeF();
    const double headingSize = heading.font().pointSizeF();
    const int buttonHeight = button.sizeHint().height();
    QCOMPARE(rowHeight, 20);
    QVERIFY(headingSize > size);

    theme.setTextSize(150);
    QCOMPARE(changed.size(), 1);
    QVERIFY(std::abs(plain.font().pointSizeF() - 1.5 * size) < 0.1);
    QVERIFY(std::abs(heading.font().pointSizeF() - 1.5 * headingSize) < 0.1);
    QCOMPARE(rowHeight, 30);
    QCOMPARE(icon.sizeHint().width(), std::lround(1.5 * iconWidth));
    QVERIFY(button.sizeHint().height() > 1.3 * buttonHeight);  // including the margins around its text
    // Changing the colours leaves it unchanged.
    theme.setScheme(ui::ColorScheme::Dark);
    QVERIFY(std::abs(heading.font().pointSizeF() - 1.5 * headingSize) < 0.1);
    theme.setTextSize(ui::usualTextSize);
    QCOMPARE(plain.font().pointSizeF(), size);
    QCOMPARE(heading.font().pointSizeF(), headingSize);
    QCOMPARE(rowHeight, 20);
    QCOMPARE(button.sizeHint().height(), buttonHeight);
    QCOMPARE(icon.sizeHint().width(), iconWidth);

    QCOMPARE(ui::textSizeBeside(100, 1), 110);
    QCOMPARE(ui::textSizeBeside(100, -1), 90);
    QCOMPARE(ui::textSizeBeside(200, 1), 200);
    QCOMPARE(ui::textSizeBeside(13, 0), 80);  // independent of the settings
    QCOMPARE(ui::textSizeBeside(160, 0), 150);
}

SWEEPSCOPE_TEST(ThemeTest)
#include "tst_theme.moc"
