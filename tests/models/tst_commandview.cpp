#include "testprogram.h"

#include "ui/trial/commandview.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::CommandView;

namespace {

const QString command = u"python3 train.py --learning-rate 0.001 --weight-decay 1e-05 --output runs/long-name/of-it"_s;

/// As shown, without the spaces at their ends.
QStringList linesOf(const CommandView &view)
{
    QStringList lines;
    const QTextBlock block = view.document()->firstBlock();
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
        const QTextLine line = block.layout()->lineAt(i);
        lines << block.text().mid(line.textStart(), line.textLength()).remove(QChar(0x2060)).trimmed();
    }
    return lines;
}

}  // namespace

class CommandViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wrapsBetweenArguments()
    {
        CommandView view;
        view.setCommand(command);
        view.show();
        const int wide = view.fontMetrics().horizontalAdvance(command);
        for (int width = wide / 3; width < wide; width += 3) {
            view.resize(width, view.height());
            const QStringList lines = linesOf(view);
            QVERIFY(lines.size() > 1);
            QCOMPARE(lines.join(u' '), command);  // nothing is divided
            QTRY_VERIFY(view.viewport()->height()
                        >= std::min(lines.size(), qsizetype(4)) * view.fontMetrics().height());
            QCOMPARE(view.verticalScrollBar()->maximum() > 0, linesOf(view).size() > 4);
        }
    }

    void argumentLongerThanALineWraps()
    {
        CommandView view;
        view.setCommand(u"train "_s + QString(200, u'x'));
        view.show();
        view.resize(300, view.height());
        QVERIFY(linesOf(view).size() > 3);
        for (const QString &line : linesOf(view))
            QVERIFY(view.fontMetrics().horizontalAdvance(line) <= view.viewport()->width());
    }

    void copyIsTheCommandItself()
    {
        CommandView view;
        view.setCommand(command);
        view.selectAll();
        view.copy();
        QCOMPARE(QGuiApplication::clipboard()->text(), command);
    }
};

SWEEPSCOPE_TEST(CommandViewTest)
#include "tst_commandview.moc"
