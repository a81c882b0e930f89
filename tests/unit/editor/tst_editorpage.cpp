#include "testprogram.h"

#include "e2e/workspaceengine.h"
#include "ui/editor/editorpage.h"

#include <QAbstractButton>
#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;
using ui::EditorPage;

namespace {

struct PageDesk {
    WorkspaceEngine engine;
    std::unique_ptr<EditorPage> page = std::make_unique<EditorPage>(&engine.client());

    void show()
    {
        page->resize(1000, 800);
        page->show();
    }
    QAbstractButton *start() const { return page->findChild<QAbstractButton *>(u"start"_s); }
    QString label(const QString &name) const
    {
        const auto *found = page->findChild<QLabel *>(name);
        return found->isVisible() ? found->text() : QString();
    }
    /// A program in the sweep's own folder.
    QString writeProgram() const
    {
        QFile file(engine.path(u"rank.sh"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\nexit 0\n") < 0)
            qFatal("cannot write %s", qUtf8Printable(file.fileName()));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }
};

}  // namespace

class EditorPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void startWaitsForTheEngineAndItsDevices();
    void sweepIsStartedOnTheEngine();
    void refusalOfTheEngineIsShownAtItsField();
};

void EditorPageTest::init()
{
    // The offscreen platform itself warns about features that it lacks.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void EditorPageTest::startWaitsForTheEngineAndItsDevices()
{
    PageDesk desk;
    desk.show();
    QTRY_COMPARE(desk.label(u"summary.trials"_s), u"4 trials"_s);
    QVERIFY(!desk.start()->isEnabled());
    QVERIFY(desk.label(u"summary.reason"_s).contains(u"engine"_s));
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    QTRY_VERIFY_WITH_TIMEOUT(desk.start()->isEnabled(), patience);
    QTRY_VERIFY(desk.label(u"devices.machine"_s).startsWith(u"This machine has"_s));
}

void EditorPageTest::sweepIsStartedOnTheEngine()
{
    PageDesk desk;
    desk.show();
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    const QString program = desk.writeProgram();
    QVERIFY(desk.page->openFile(desk.engine.writeSweep(u"mine"_s, {program, u"{n}"_s}, 2)));
    QSignalSpy launched(desk.page.get(), &EditorPage::sweepLaunched);
    QTRY_VERIFY_WITH_TIMEOUT(desk.start()->isEnabled(), patience);
    QTest::mouseClick(desk.start(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(launched.count(), 1, patience);
    QVERIFY(desk.start()->isEnabled());
    const qint64 id = launched[0][0].toLongLong();
    const auto record = [&desk, id] { return desk.engine.client().sweep(id); };
    QTRY_VERIFY_WITH_TIMEOUT(record(), patience);
    QCOMPARE(record()->name, std::string("mine"));
    QCOMPARE(record()->trialsTotal, 2);
    QTRY_VERIFY_WITH_TIMEOUT(record()->state == sweep::SweepState::Completed, patience);
    // Nothing was edited: the end of the sweep is enough to estimate how long it takes again.
    QTRY_VERIFY_WITH_TIMEOUT(desk.label(u"summary.details"_s).contains(u"about "_s), patience);
}

void EditorPageTest::refusalOfTheEngineIsShownAtItsField()
{
    PageDesk desk;
    desk.show();
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    const QString program = desk.writeProgram();
    QVERIFY(desk.page->openFile(desk.engine.writeSweep(u"mine"_s, {program, u"{n}"_s}, 2)));
    QSignalSpy launched(desk.page.get(), &EditorPage::sweepLaunched);
    QTRY_VERIFY_WITH_TIMEOUT(desk.start()->isEnabled(), patience);
    QVERIFY(QFile::remove(program));  // after the form has checked it
    QTest::mouseClick(desk.start(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.label(u"run.command.problem"_s).isEmpty(), patience);
    QVERIFY(!desk.start()->isEnabled());
    QCOMPARE(launched.count(), 0);
}

SWEEPSCOPE_TEST(EditorPageTest)
#include "tst_editorpage.moc"
