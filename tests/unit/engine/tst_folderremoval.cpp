// Folders of deleted sweeps go, and where they cannot it is told why.
#include "engine/folderremoval.h"

#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <mutex>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace sweepscope::engine;
using namespace Qt::StringLiterals;

namespace {

constexpr int patience = 20'000;
constexpr uid_t nobody = 65534;

/// What was told, from another thread.
class Told {
public:
    FolderRemoval::Tell take()
    {
        return [this](const std::string &problem) {
            const std::lock_guard lock(m_mutex);
            m_problems << QString::fromStdString(problem);
        };
    }
    QStringList problems() const
    {
        const std::lock_guard lock(m_mutex);
        return m_problems;
    }

private:
    mutable std::mutex m_mutex;
    QStringList m_problems;
};

}  // namespace

class FolderRemovalTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatCanBeRemovedGoesWithoutAWord()
    {
        const QTemporaryDir parent;
        QDir files(parent.path());
        QVERIFY(files.mkpath(u".deleted-0001-one/trials/0001/1"_s));
        Told told;
        FolderRemoval removal(parent.path().toStdString(), told.take());
        removal.remove(removal.placeFor("0001-one"));
        QTRY_VERIFY_WITH_TIMEOUT(!files.exists(u".deleted-0001-one"_s), patience);
        QCOMPARE(told.problems(), QStringList());
    }

    void linkInTheFoldersPlaceGoesAndLeavesItsTarget()
    {
        const QTemporaryDir parent;
        QDir files(parent.path());
        QVERIFY(files.mkpath(u"elsewhere/kept"_s));
        QVERIFY(QFile::link(files.filePath(u"elsewhere"_s), files.filePath(u".deleted-0001-one"_s)));
        Told told;
        FolderRemoval removal(parent.path().toStdString(), told.take());
        removal.takeUp([](const std::string &) { return false; });
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo(files.filePath(u".deleted-0001-one"_s)).isSymLink(), patience);
        QVERIFY(files.exists(u"elsewhere/kept"_s));
        QCOMPARE(told.problems(), QStringList());
    }

    void folderThatIsClosedToItsOwnerIsRemoved()
    {
        const QTemporaryDir parent;
        QDir files(parent.path());
        QString path = u".deleted-0001-one"_s;
        QVERIFY(files.mkpath(path + u"/trials/0001/closed/inner"_s));
        for (const QString &part : {u""_s, u"/trials"_s, u"/0001"_s, u"/closed"_s, u"/inner"_s}) {
            path += part;
            const QByteArray folder = files.filePath(path).toLocal8Bit();
            if (::geteuid() == 0)
                QCOMPARE(::chown(folder.constData(), nobody, nobody), 0);
        }
        const QByteArray closed = files.filePath(u".deleted-0001-one/trials/0001/closed"_s).toLocal8Bit();
        QCOMPARE(::chmod(closed.constData(), 0), 0);
        QCOMPARE(::chmod(parent.path().toLocal8Bit().constData(), 0777), 0);
        Told told;
        ::setfsuid(nobody);
        FolderRemoval removal(parent.path().toStdString(), told.take());
        ::setfsuid(::geteuid());
        removal.remove(removal.placeFor("0001-one"));
        QTRY_VERIFY_WITH_TIMEOUT(!files.exists(u".deleted-0001-one"_s), patience);
        QCOMPARE(told.problems(), QStringList());
    }

    void whatCannotBeRemovedIsToldWithItsReasonAndPlace()
    {
        const QTemporaryDir parent;
        QDir files(parent.path());
        QVERIFY(files.mkpath(u".deleted-0002-two/trials/0001/1"_s));
        QVERIFY(files.mkpath(u".deleted-0003-three"_s));
        const QByteArray kept = files.filePath(u".deleted-0002-two/trials/0001"_s).toLocal8Bit();
        QCOMPARE(::chmod(kept.constData(), 0555), 0);
        QCOMPARE(::chmod(parent.path().toLocal8Bit().constData(), 0777), 0);
        const auto mend = qScopeGuard([&kept] { ::chmod(kept.constData(), 0755); });
        Told told;
        // Its thread has the rights of this one at that moment: root's would remove everything.
        ::setfsuid(nobody);
        FolderRemoval removal(parent.path().toStdString(), told.take());
        ::setfsuid(::geteuid());
        removal.remove(removal.placeFor("0002-two"));
        QTRY_COMPARE_WITH_TIMEOUT(told.problems().size(), 1, patience);
        const QString problem = told.problems().front();
        QVERIFY2(problem.contains(u"0002-two are still in "_s + files.filePath(u".deleted-0002-two"_s)),
                 qPrintable(problem));
        QVERIFY2(problem.contains(u"ermi"_s), qPrintable(problem));  // Permission denied, Operation not permitted
        QVERIFY(files.exists(u".deleted-0002-two"_s));
    }
};

QTEST_APPLESS_MAIN(FolderRemovalTest)
#include "tst_folderremoval.moc"
