#include "unit/editor/editordriver.h"

#include <QAbstractButton>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTest>

#include "ui/editor/editabletablemodel.h"

using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

EditorDriver::EditorDriver()
{
    m_editor.resize(1100, 900);
    m_editor.setMachine(sweepscope::sweep::Capacity{0, 2}, u"This machine has 2 CPU cores."_s);
    m_editor.show();
    m_editor.activateWindow();
    (void)QTest::qWaitForWindowActive(&m_editor);
}

QAbstractButton *EditorDriver::start() const
{
    return find<QAbstractButton>(u"start"_s);
}

void EditorDriver::click(const QString &name) const
{
    auto *widget = find(name);
    QVERIFY2(widget, qPrintable(name));
    QTest::mouseClick(widget, Qt::LeftButton);
}

void EditorDriver::typeInto(const QString &name, const QString &text) const
{
    auto *widget = find(name);
    QVERIFY2(widget, qPrintable(name));
    widget->setFocus();
    QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(widget, Qt::Key_Delete);
    QTest::keyClicks(widget, text);
}

void EditorDriver::typeIntoCell(int row, SpaceColumn column, const QString &text) const
{
    const QModelIndex index = space()->model()->index(row, static_cast<int>(column));
    QTest::mouseClick(space()->viewport(), Qt::LeftButton, {}, space()->visualRect(index).center());
    auto *cellEditor = find(u"cellEditor"_s);
    QVERIFY(cellEditor);
    QTest::keyClick(cellEditor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(cellEditor, Qt::Key_Delete);
    QTest::keyClicks(cellEditor, text);
    QTest::keyClick(cellEditor, Qt::Key_Return);
}

QString EditorDriver::cell(int row, SpaceColumn column) const
{
    return space()->model()->index(row, static_cast<int>(column)).data().toString();
}

QString EditorDriver::cellProblem(int row, SpaceColumn column) const
{
    return space()->model()->index(row, static_cast<int>(column)).data(EditableTableModel::ProblemRole).toString();
}

QString EditorDriver::trials() const
{
    return find<QLabel>(u"summary.trials"_s)->text();
}

QString EditorDriver::problem(const QString &field) const
{
    const auto *label = find<QLabel>(field + u".problem"_s);
    return label && label->isVisible() ? label->text() : QString();
}

int EditorDriver::problemCount() const
{
    return find<QListWidget>(u"problems"_s)->count();
}

QString EditorDriver::toml() const
{
    return find<QPlainTextEdit>(u"toml"_s)->toPlainText();
}
