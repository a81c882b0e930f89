#include "testprogram.h"

#include "protocol/engineclient.h"
#include "sweep/sweepfile.h"
#include "ui/editor/draftreading.h"
#include "ui/editor/editorpage.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/sweepdocument.h"
#include "ui/editor/sweepeditor.h"
#include "ui/editor/unsavedwork.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

QString written()
{
    sweep::SweepSpec spec = readDraft(newSweepDraft()).spec;
    spec.name = "half-written";
    return QString::fromStdString(sweep::toToml(spec));
}

/// Leaves work like a killed window: no process has this pid and start time.
void leaveBehind(QSettings &settings, const QString &toml)
{
    const QString group = u"unsaved/%1.1.0/"_s.arg(QSysInfo::machineHostName());
    settings.setValue(group + u"toml"_s, toml);
    settings.setValue(group + u"folder"_s, u"/data"_s);
}

QStringList keptIn(const QString &file)
{
    QSettings settings(file, QSettings::IniFormat);
    settings.beginGroup(u"unsaved"_s);
    QStringList texts;
    for (const QString &key : settings.childGroups())
        texts << settings.value(key + u"/toml"_s).toString();
    return texts;
}

}  // namespace

/// Restoring the work of a killed window.
class TestUnsavedWork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(u"window.ini"_s);
    }

    void runningWindowHasNothingToRestore()
    {
        QSettings settings(m_file, QSettings::IniFormat);
        {
            UnsavedWork work(&settings);
            work.keep({written(), {}, u"/data"_s, {}, 0});
            QVERIFY(!UnsavedWork(&settings).leftBehind());
            QCOMPARE(keptIn(m_file).size(), 1);
        }
        QVERIFY(keptIn(m_file).isEmpty());  // it ended normally
    }

    void leftWorkIsRestoredOrDiscarded()
    {
        QSettings settings(m_file, QSettings::IniFormat);
        leaveBehind(settings, written());
        {
            const Page page(settings);
            QVERIFY(page.notice()->text().contains(u"half-written"_s));
        }
        QCOMPARE(keptIn(m_file).size(), 1);  // without an answer it asks again
        {
            const Page page(settings);
            page.click(u"notice.bringBack"_s);
            QCOMPARE(page.name()->text(), u"half-written"_s);
            QVERIFY(page.page->isModified());
            QCOMPARE(page.editor()->document()->origin().baseFolder, u"/data"_s);
            QTRY_COMPARE_WITH_TIMEOUT(keptIn(m_file).size(), 1, patience);  // owned by this window
            QVERIFY(!UnsavedWork(&settings).leftBehind());
        }
        leaveBehind(settings, written());
        const Page page(settings);
        page.click(u"notice.discard"_s);
        QVERIFY(keptIn(m_file).isEmpty());
        QVERIFY(!page.page->isModified());
    }

    void invalidTextIsRestoredUnchanged()
    {
        QSettings settings(m_file, QSettings::IniFormat);
        const QString broken = written().replace(u"[space]"_s, u"[space"_s);
        leaveBehind(settings, broken);
        const Page page(settings);
        page.click(u"notice.bringBack"_s);
        auto *text = page.page->findChild<QPlainTextEdit *>(u"toml"_s);
        QVERIFY(text->isVisible());
        QCOMPARE(text->toPlainText(), broken);
        QTRY_COMPARE_WITH_TIMEOUT(keptIn(m_file), QStringList{broken}, patience);
    }

    void typingIsKeptUntilItIsSaved()
    {
        QSettings settings(m_file, QSettings::IniFormat);
        const Page page(settings);
        QVERIFY(keptIn(m_file).isEmpty());
        page.name()->setFocus();
        QTest::keyClicks(page.name(), u"-typed"_s);
        QTRY_VERIFY_WITH_TIMEOUT(keptIn(m_file).join(u" "_s).contains(u"-typed\""_s), patience);
        page.editor()->document()->markSaved();
        QTRY_VERIFY_WITH_TIMEOUT(keptIn(m_file).isEmpty(), patience);
    }

private:
    struct Page {
        explicit Page(QSettings &settings)
        {
            page->resize(1300, 800);
            page->show();
            page->newSweep();
            page->keepUnsavedIn(&settings);
        }
        SweepEditor *editor() const { return page->findChild<SweepEditor *>(); }
        NoticeBar *notice() const { return editor()->notice(); }
        QLineEdit *name() const { return page->findChild<QLineEdit *>(u"sweep.name"_s); }
        void click(const QString &button) const
        {
            QTest::mouseClick(page->findChild<QPushButton *>(button), Qt::LeftButton);
        }

        protocol::EngineClient client;
        std::unique_ptr<EditorPage> page = std::make_unique<EditorPage>(&client);
    };

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_file;
};

SWEEPSCOPE_TEST(TestUnsavedWork)
#include "tst_unsavedwork.moc"
