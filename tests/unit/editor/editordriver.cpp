#include "unit/editor/editordriver.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTest>

#include "ui/editor/editabletablemodel.h"

using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

bool writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    return file.open(QFile::WriteOnly) && file.write(content) == content.size() && file.flush();
}

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

QWidget *EditorDriver::cellEditor() const
{
    QWidget *focus = QApplication::focusWidget();
    return focus && focus->objectName() == u"cellEditor"_s ? focus : nullptr;
}

void EditorDriver::typeKeys(const QString &text) const
{
    QVERIFY(cellEditor());
    QTest::keyClicks(cellEditor(), text);
}

void EditorDriver::press(Qt::Key key) const
{
    // An open completion list gets the keys first, as from a window system.
    QWidget *popup = QApplication::activePopupWidget();
    QWidget *target = popup ? popup : QApplication::focusWidget();
    QVERIFY(target);
    QTest::keyClick(target, key);
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
    QVERIFY(cellEditor());
    QTest::keyClick(cellEditor(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(cellEditor(), Qt::Key_Delete);
    typeKeys(text);
    press(Qt::Key_Return);
    QTRY_VERIFY(!cellEditor());
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
