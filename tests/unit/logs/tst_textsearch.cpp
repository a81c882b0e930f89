#include "testprogram.h"

#include "ui/logs/linematches.h"
#include "ui/logs/textsearch.h"

#include <QTest>
#include <QTextBlock>
#include <QTextDocument>

#include <optional>

using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

/// Searching the next hit in a text, and the hits of a line.
class TextSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void emptyMatchesDoNotCount();
    void lastMatchBeforeAPositionIsFoundBackwards();
    void findsTheNextHit();
    void wrapsOnlyIfAllowed();
    void prefixesAreNotSearched();
    void skippedBlocksAreNotSearched();
    void cancelledSearchGivesNoAnswer();
    void slowPatternIsCancelled();

private:
    TextSearch::Request request(const QString &pattern);
    TextSearch::Result run(TextSearch::Request request);

    QTextDocument m_document;
    TextSearch m_search;
};

void TextSearchTest::init()
{
    m_document.setPlainText(u"loss 1\nacc 2\nloss 3"_s);
}

TextSearch::Request TextSearchTest::request(const QString &pattern)
{
    TextSearch::Request request;
    request.pattern = QRegularExpression(pattern);
    request.from = QTextCursor(&m_document);
    request.prefixLength = [](const QString &) { return 0; };
    request.isSkipped = [](int) { return false; };
    return request;
}

TextSearch::Result TextSearchTest::run(TextSearch::Request request)
{
    std::optional<TextSearch::Result> answer;
    request.answer = [&answer](const TextSearch::Result &result) { answer = result; };
    m_search.start(std::move(request));
    if (!QTest::qWaitFor([&answer] { return answer.has_value(); }, 60'000))
        qCritical("no answer");
    return answer.value_or(TextSearch::Result());
}

void TextSearchTest::emptyMatchesDoNotCount()
{
    QCOMPARE(countMatches(QRegularExpression(u"a*"_s), u"baab a"_s), 2);
    QCOMPARE(countMatches(QRegularExpression(u"^"_s), u"abc"_s), 0);
}

void TextSearchTest::lastMatchBeforeAPositionIsFoundBackwards()
{
    const QRegularExpression digit(u"\\d"_s);
    QCOMPARE(findMatch(digit, u"1 2 3"_s, 1, true).captured(), u"2"_s);
    QCOMPARE(findMatch(digit, u"1 2 3"_s, 4, false).captured(), u"2"_s);
    QVERIFY(!findMatch(digit, u"1 2 3"_s, 0, false).hasMatch());
}

void TextSearchTest::findsTheNextHit()
{
    const TextSearch::Result first = run(request(u"loss \\d"_s));
    QCOMPARE(first.hit.selectedText(), u"loss 1"_s);
    TextSearch::Request next = request(u"loss \\d"_s);
    next.from.setPosition(first.hit.selectionEnd());
    QCOMPARE(run(next).hit.selectedText(), u"loss 3"_s);
}

void TextSearchTest::wrapsOnlyIfAllowed()
{
    TextSearch::Request last = request(u"acc"_s);
    last.from.movePosition(QTextCursor::End);
    QVERIFY(run(last).hit.isNull());
    last.mayWrap = true;
    const TextSearch::Result round = run(last);
    QCOMPARE(round.hit.selectedText(), u"acc"_s);
    QVERIFY(round.wrapped);
    TextSearch::Request none = request(u"missing"_s);
    none.mayWrap = true;
    QVERIFY(run(none).hit.isNull());
}

void TextSearchTest::prefixesAreNotSearched()
{
    TextSearch::Request search = request(u"[la]"_s);
    search.prefixLength = [](const QString &text) { return text.startsWith("loss"_L1) ? 5 : 0; };
    QCOMPARE(run(search).hit.blockNumber(), 1);
    search.pattern = QRegularExpression(u"3"_s);
    QCOMPARE(run(search).hit.selectionStart(), m_document.lastBlock().position() + 5);
}

void TextSearchTest::skippedBlocksAreNotSearched()
{
    TextSearch::Request search = request(u"loss"_s);
    search.isSkipped = [](int block) { return block == 0; };
    QCOMPARE(run(search).hit.blockNumber(), 2);
}

void TextSearchTest::cancelledSearchGivesNoAnswer()
{
    m_document.setPlainText(QString(200'000, u'\n'));
    bool answered = false;
    TextSearch::Request search = request(u"missing"_s);
    search.answer = [&answered](const TextSearch::Result &) { answered = true; };
    m_search.start(search);
    QVERIFY(!answered);  // a search of this many lines takes more than one slice
    m_search.cancel();
    m_document.setPlainText(u"x"_s);
    run(request(u"x"_s));
    QCoreApplication::processEvents();
    QVERIFY(!answered);
}

void TextSearchTest::slowPatternIsCancelled()
{
    m_document.setPlainText(QString(40, u'a') + u'b');
    QVERIFY(run(request(u"(a+)+$"_s)).tooSlow);
}

SWEEPSCOPE_TEST(TextSearchTest)
#include "tst_textsearch.moc"
