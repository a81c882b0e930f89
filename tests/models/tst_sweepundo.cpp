#include "testprogram.h"

#include "ui/actions/sweepundo.h"

#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using facts::Code;
using facts::Fact;
using facts::Field;
using Action = sweep::Control::Action;

class SweepUndoTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void repliesAboutSeveralSweepsAreCounted();
    void sweepsThatDidNotChangeAreNotCounted();
    void marksAndArchivingAreUndone();
    void whatChangesNothingOrCannotBeUndoneIsNot();
};

namespace {

facts::Facts starred(const char *sweep)
{
    return {Fact(Code::SweepMarked).with(Field::Sweep, std::string(sweep)).dueTo(Code::Starred)};
}

facts::Facts deleted(const char *sweep, int trials)
{
    return {Fact(Code::SweepDeleted).with(Field::Count, trials).with(Field::Sweep, std::string(sweep))};
}

sweep::Control command(Action action)
{
    sweep::Control control;
    control.action = action;
    return control;
}

}  // namespace

void SweepUndoTest::repliesAboutSeveralSweepsAreCounted()
{
    QCOMPARE(ui::repliesText({starred("a")}), u"Starred a."_s);
    QCOMPARE(ui::repliesText({starred("a"), starred("b"), starred("c")}), u"Starred 3 sweeps."_s);
    QCOMPARE(ui::repliesText({deleted("a", 2), deleted("b", 40)}),
             u"Deleted 2 sweeps with 42 trials; the files are being removed."_s);
}

void SweepUndoTest::sweepsThatDidNotChangeAreNotCounted()
{
    QCOMPARE(ui::repliesText({starred("a"), {Code::NothingChanged}, starred("b")}), u"Starred 2 sweeps."_s);
    QCOMPARE(ui::repliesText({{Code::NothingChanged}, {Code::NothingChanged}}), u"Nothing changed."_s);
    QCOMPARE(ui::repliesText({}), QString());
}

void SweepUndoTest::marksAndArchivingAreUndone()
{
    sweep::SweepRecord sweep;
    sweep.mark.tags = {"old"};
    sweep::Control mark = command(Action::Mark);
    mark.mark.starred = true;
    mark.mark.addedTags = {"new", "old"};
    const auto back = ui::takingBack(mark, sweep);
    QVERIFY(back);
    QCOMPARE(back->mark.starred, std::optional(false));
    QVERIFY(back->mark.removedTags == std::vector<std::string>{"new"});
    QVERIFY(ui::takingBack(command(Action::Archive), sweep)->action == Action::Unarchive);
    sweep.archived = true;
    QVERIFY(ui::takingBack(command(Action::Unarchive), sweep)->action == Action::Archive);
}

void SweepUndoTest::whatChangesNothingOrCannotBeUndoneIsNot()
{
    sweep::SweepRecord sweep;
    sweep.mark.starred = true;
    sweep::Control star = command(Action::Mark);
    star.mark.starred = true;
    QVERIFY(!ui::takingBack(star, sweep));
    QVERIFY(!ui::takingBack(command(Action::Unarchive), sweep));
    QVERIFY(!ui::takingBack(command(Action::Delete), sweep));
}

SWEEPSCOPE_TEST(SweepUndoTest)
#include "tst_sweepundo.moc"
