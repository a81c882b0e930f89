#include "testprogram.h"

#include "ui/theme/fittingbuttons.h"
#include "ui/theme/icons.h"
#include "ui/theme/wraplayout.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QVBoxLayout>

using namespace sweepscope;
using namespace Qt::StringLiterals;

class FittingButtonsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsAreHiddenWhileThereIsNoRoom()
    {
        QWidget widget;
        auto *row = new QHBoxLayout(&widget);
        row->setSizeConstraint(QLayout::SetNoConstraint);
        auto *first = new QPushButton(ui::symbolIcon(u"export"_s), u"Export everything"_s);
        auto *second = new QPushButton(ui::symbolIcon(u"stop"_s), u"Stop"_s);
        row->addWidget(new QLabel(u"name"_s));
        row->addWidget(first);
        row->addWidget(second);
        ui::FittingButtons fitting(&widget, row, {first, second});
        widget.resize(600, 40);
        widget.show();
        QTRY_COMPARE(first->text(), u"Export everything"_s);
        const int needed = widget.minimumSizeHint().width();
        widget.resize(needed / 2, 40);
        QTRY_COMPARE(first->text(), QString());
        QCOMPARE(second->text(), QString());
        QCOMPARE(first->accessibleName(), u"Export everything"_s);
        // A text that changes meanwhile is shown as soon as there is room.
        fitting.setText(second, u"Resume"_s);
        QCOMPARE(second->text(), QString());
        widget.resize(600, 40);
        QTRY_COMPARE(second->text(), u"Resume"_s);
        // The layout comes to rest.
        int requests = 0;
        for (int i = 0; i < 20; ++i) {
            QCoreApplication::sendPostedEvents();
            requests += first->text().isEmpty() ? 1 : 0;
        }
        QCOMPARE(requests, 0);
    }

    void textsAreHiddenBeforeTheRowWraps()
    {
        QWidget widget;
        auto *outer = new QVBoxLayout(&widget);
        auto *row = new ui::WrapLayout;
        outer->addLayout(row);
        QList<QAbstractButton *> buttons;
        for (const QString &text : {u"First error"_s, u"Times"_s, u"Wrap"_s}) {
            buttons << new QPushButton(ui::symbolIcon(u"stop"_s), text);
            row->addWidget(buttons.back());
        }
        ui::FittingButtons fitting(&widget, row, buttons.first(2));
        fitting.add(buttons.back());
        widget.resize(800, 80);
        widget.show();
        QTRY_COMPARE(buttons.back()->text(), u"Wrap"_s);
        widget.resize(row->widthOfOneRow() - 1, 80);
        QTRY_COMPARE(buttons.back()->text(), QString());
        QTRY_COMPARE(buttons.front()->y(), buttons.back()->y());
    }
};

SWEEPSCOPE_TEST(FittingButtonsTest)
#include "tst_fittingbuttons.moc"
