#include "testprogram.h"
#include "unit/engine/samplevalues.h"

// Removes the folders of deleted sweeps, and reports why a folder cannot be removed.
#include "engine/folderremoval.h"

#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <mutex>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::engine;
using namespace Qt::StringLiterals;

namespace {

/// Collects the messages, which arrive from another thread.
class Problems {
public:
    FolderRemoval::Report reporter()
    {
        return [this](const std::string &problem) {
            const std::lock_guard lock(m_mutex);
            m_problems << QString::fromStdString(problem);
        };
    }
    QStringList list() const
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
    void foldersAreRemovedSilently()
    {
        const QTemporaryDir parent;
        QDir files(parent.path());
        QVERIFY(files.mkpath(u".deleted-0001-one/trials/0001/1"_s));
        Problems problems;
        FolderRemoval removal(parent.path().toStdString(), problems.reporter());
        removal.remove(removal.placeFor("0001-one"));
        QTRY_VERIFY_WITH_TIMEOUT(!files.exists(u".deleted-0001-one"_s), patience);
        QCOMPARE(problems.list(), QStringList());
    }

    void linkInPlaceOfTheFolderIsRemovedWithoutItsTarget()
    {
        const QTemporaryDir parent;
        QDir files(parent.path());
        QVERIFY(files.mkpath(u"elsewhere/kept"_s));
        QVERIFY(QFile::link(files.filePath(u"elsewhere"_s), files.filePath(u".deleted-0001-one"_s)));
        Problems problems;
        FolderRemoval removal(parent.path().toStdString(), problems.reporter());
        removal.recover([](const std::string &) { return false; });
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo(files.filePath(u".deleted-0001-one"_s)).isSymLink(), patience);
        QVERIFY(files.exists(u"elsewhere/kept"_s));
        QCOMPARE(problems.list(), QStringList());
    }

    void folderClosedToItsOwnerIsRemoved()
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
        Problems problems;
        ::setfsuid(nobody);
        FolderRemoval removal(parent.path().toStdString(), problems.reporter());
        ::setfsuid(::geteuid());
        removal.remove(removal.placeFor("0001-one"));
        QTRY_VERIFY_WITH_TIMEOUT(!files.exists(u".deleted-0001-one"_s), patience);
        QCOMPARE(problems.list(), QStringList());
    }

    void failedRemovalIsReportedWithReasonAndPath()
    {
        const QTemporaryDir parent;
        QDir files(parent.path());
        QVERIFY(files.mkpath(u".deleted-0002-two/trials/0001/1"_s));
        QVERIFY(files.mkpath(u".deleted-0003-three"_s));
        const QByteArray kept = files.filePath(u".deleted-0002-two/trials/0001"_s).toLocal8Bit();
        QCOMPARE(::chmod(kept.constData(), 0555), 0);
        QCOMPARE(::chmod(parent.path().toLocal8Bit().constData(), 0777), 0);
        const auto mend = qScopeGuard([&kept] { ::chmod(kept.constData(), 0755); });
        Problems problems;
        // The removal thread inherits the rights that this thread has now; with root's it could remove everything.
        ::setfsuid(nobody);
        FolderRemoval removal(parent.path().toStdString(), problems.reporter());
        ::setfsuid(::geteuid());
        removal.remove(removal.placeFor("0002-two"));
        QTRY_COMPARE_WITH_TIMEOUT(problems.list().size(), 1, patience);
        const QString problem = problems.list().front();
        QVERIFY2(problem.contains(u"0002-two are still in "_s + files.filePath(u".deleted-0002-two"_s)),
                 qPrintable(problem));
        QVERIFY2(problem.contains(u"ermi"_s), qPrintable(problem));  // "Permission denied" or "Operation not permitted"
        QVERIFY(files.exists(u".deleted-0002-two"_s));
    }
};

SWEEPSCOPE_TEST(FolderRemovalTest)
#include "tst_folderremoval.moc"
