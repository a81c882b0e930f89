#include "testprogram.h"
#include "ui/logs/sweephitsmodel.h"
#include "ui/logs/sweepsearch.h"
#include "ui/logs/sweepsearchjob.h"
#include "ui/logs/sweepsearchpanel.h"

#include "base/workspacelayout.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

const std::string sweepFolder = "0001-many";

/// A workspace with logs of ranks.
struct Workspace {
    QTemporaryDir dir;
    WorkspaceLayout layout{dir.path().toStdString()};

    void write(int trial, int attempt, int rank, const std::string &text) const
    {
        const AttemptLayout files = layout.attempt(sweepFolder, trial, attempt);
        std::filesystem::create_directories(files.folder);
        std::ofstream(files.rankLog(rank), std::ios::binary) << text;
    }
    SweepSearch search(const QString &pattern, std::vector<SweepSearch::Trial> trials) const
    {
        SweepSearch search;
        search.workspace = layout.root;
        search.sweepFolder = sweepFolder;
        search.trials = std::move(trials);
        search.pattern = QRegularExpression(pattern);
        return search;
    }
};

struct Found {
    std::vector<SweepHit> hits;
    SweepSearchState state;
};

Found run(const SweepSearch &search)
{
    Found found;
    const std::atomic<bool> cancelled{false};
    searchSweep(search, cancelled, [&found](const std::vector<SweepHit> &hits, const SweepSearchState &state) {
        found.hits.insert(found.hits.end(), hits.begin(), hits.end());
        found.state = state;
    });
    return found;
}

/// "trial/attempt/rank:line text"
QStringList namesOf(const std::vector<SweepHit> &hits)
{
    QStringList names;
    for (const SweepHit &hit : hits)
        names << u"%1/%2/%3:%4 %5"_s.arg(hit.trial).arg(hit.attempt).arg(hit.rank).arg(hit.line).arg(hit.text);
    return names;
}

}  // namespace

class SweepSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesOfAllTrialsAttemptsAndRanksAreFound()
    {
        const Workspace workspace;
        workspace.write(1, 1, 0, "a\nhit one\n");
        workspace.write(2, 1, 0, "a\nb\n");
        workspace.write(2, 1, 1, "\x1b[31mhit\x1b[0m two\n10%\rhit three");
        workspace.write(2, 2, 0, "hit four\nhit five\n");
        const Found found = run(workspace.search(u"hit"_s, {{1, 1, 1}, {2, 2, 2}, {3, 1, 1}}));
        QCOMPARE(namesOf(found.hits), (QStringList{u"1/1/0:2 hit one"_s, u"2/1/1:1 hit two"_s, u"2/1/1:2 hit three"_s,
                                                   u"2/2/0:1 hit four"_s, u"2/2/0:2 hit five"_s}));
        QCOMPARE(found.hits[0].offset, 2);
        QCOMPARE(found.state.lines, 5);
        QCOMPARE(found.state.trials, 3);
        QCOMPARE(found.state.trialsWithHits, 2);
        QCOMPARE(found.state.logs, 4);
    }

    void plainTextIsFoundAsAnExpressionWouldFindIt_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("case") << u"KISS"_s << QByteArray("a kiss");
        QTest::newRow("letters beyond ASCII") << u"kiss"_s << QByteArray("a \xe2\x84\xaai\xc5\xbfs");
        QTest::newRow("signs") << u"a.b (c)[0]* \\d"_s << QByteArray("A.B (C)[0]* \\D");
        QTest::newRow("invalid text") << u"kiss"_s << QByteArray("\xff\xfekiss\xc3");
        QTest::newRow("colour") << u"kiss"_s << QByteArray("ki\x1b[31mss");
        QTest::newRow("overwritten") << u"kiss"_s << QByteArray("10%\rki\rkiss");
        QTest::newRow("partly overwritten") << u"kiss"_s << QByteArray("kiss 10%\r20%");
        QTest::newRow("not ASCII") << u"größe"_s << QByteArray("GRÖSSE GRÖßE");
    }
    void plainTextIsFoundAsAnExpressionWouldFindIt()
    {
        QFETCH(QString, text);
        QFETCH(QByteArray, line);
        const Workspace workspace;
        workspace.write(1, 1, 0, "other\n" + line.toStdString() + "\n");
        SweepSearch search = workspace.search({}, {{1, 1, 1}});
        search.pattern =
            QRegularExpression(QRegularExpression::escape(text), QRegularExpression::CaseInsensitiveOption);
        const Found found = run(search);
        QCOMPARE(found.hits.size(), std::size_t(1));
        QCOMPARE(found.hits[0].line, 2);
        search.pattern =
            QRegularExpression(QRegularExpression::escape(text + u"!"_s), QRegularExpression::CaseInsensitiveOption);
        QVERIFY(run(search).hits.empty());
    }

    void fewLinesOfEachLogAreListedAndAllAreCounted()
    {
        const Workspace workspace;
        std::string text;
        for (int line = 0; line < 100; ++line)
            text += "hit\n";
        workspace.write(1, 1, 0, text);
        workspace.write(2, 1, 0, "hit\n");
        SweepSearch search = workspace.search(u"hit"_s, {{1, 1, 1}, {2, 1, 1}});
        Found found = run(search);
        QCOMPARE(found.hits.size(), std::size_t(21));
        QCOMPARE(found.state.lines, 101);
        QVERIFY(found.state.isShortened);
        search.linesOfAll = 20;
        found = run(search);
        QCOMPARE(found.hits.size(), std::size_t(20));
        QVERIFY(found.state.isFull);
    }

    void hitInALongLineIsShownWithItsSurroundings()
    {
        const Workspace workspace;
        workspace.write(1, 1, 0, "a\n" + std::string(1'000'000, 'x') + "needle" + std::string(100'000, 'x') + "\n");
        const Found found = run(workspace.search(u"needle"_s, {{1, 1, 1}}));
        QCOMPARE(found.hits.size(), std::size_t(1));
        const SweepHit &hit = found.hits[0];
        QVERIFY(hit.text.size() < 600);
        QCOMPARE(hit.text.mid(hit.start, hit.length), u"needle"_s);
        QCOMPARE((hit.offset - 2) % (16 * 1024), 0);
        QVERIFY(hit.offset > 900'000);
    }

    void filesOfRanksThatAreNoLogsAreNotOpened()
    {
        const Workspace workspace;
        workspace.write(1, 1, 0, "hit\n");
        const AttemptLayout files = workspace.layout.attempt(sweepFolder, 2, 1);
        std::filesystem::create_directories(files.folder);
        QCOMPARE(::mkfifo(files.rankLog(0).c_str(), 0600), 0);
        QCOMPARE(run(workspace.search(u"hit"_s, {{1, 1, 1}, {2, 1, 1}})).state.lines, 1);
    }

    void searchEndsWhenItIsCancelled()
    {
        const Workspace workspace;
        workspace.write(1, 1, 0, "hit\n");
        const std::atomic<bool> cancelled{true};
        int lines = 0;
        searchSweep(workspace.search(u"hit"_s, {{1, 1, 1}}), cancelled,
                    [&lines](const std::vector<SweepHit> &hits, const SweepSearchState &) {
                        lines += static_cast<int>(hits.size());
                    });
        QCOMPARE(lines, 0);
    }

    void panelListsWhatIsFoundAndSaysWhatWasSearched()
    {
        const Workspace workspace;
        workspace.write(7, 1, 0, "a\nhit one\n");
        workspace.write(8, 1, 0, "a\n");
        SweepSearchPanel panel;
        panel.resize(800, 300);
        auto *table = panel.findChild<QTableView *>(u"sweepHits"_s);
        const QAbstractItemModelTester tester(table->model());
        auto *state = panel.findChild<QLabel *>(u"sweepSearchState"_s);
        panel.search(workspace.search(u"hit"_s, {{7, 1, 1}, {8, 1, 1}}), false);
        QTRY_COMPARE(state->text(), u"1 line in 1 of 2 trials, all attempts"_s);
        QCOMPARE(table->model()->index(0, SweepHitsModel::Trial).data().toString(), u"Trial 7"_s);
        QCOMPARE(table->model()->index(0, SweepHitsModel::Line).data().toString(), u"2"_s);
        QCOMPARE(table->model()->index(0, SweepHitsModel::Text).data().toString(), u"hit one"_s);

        int chosen = 0;
        connect(&panel, &SweepSearchPanel::hitChosen, &panel, [&chosen](const SweepHit &hit) { chosen = hit.trial; });
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(chosen, 7);
        panel.search(workspace.search(u"nowhere"_s, {{7, 1, 1}, {8, 1, 1}}), true);
        QTRY_COMPARE(state->text(), u"Not found in the logs of 2 trials, all attempts · searched the 2 logs "
                                    "that were copied to this machine"_s);
        QTest::keyClick(table, Qt::Key_Escape);
        QVERIFY(panel.isHidden());
    }
};

SWEEPSCOPE_TEST(SweepSearchTest)
#include "tst_sweepsearch.moc"
