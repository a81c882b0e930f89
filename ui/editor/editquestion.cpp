#include "ui/editor/editquestion.h"

#include "ui/theme/problemmark.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct EditQuestionWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::EditQuestion)
};

}  // namespace

QMessageBox *editQuestion(const QString &sweep, bool isUndo, const QString &consequence, QWidget *parent)
{
    auto *box = new QMessageBox(parent);
    box->setObjectName(u"editDialog"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Question);
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(isUndo ? EditQuestionWords::tr("Undo last edit") : EditQuestionWords::tr("Apply changes"));
    box->setText(
        (isUndo ? EditQuestionWords::tr("Undo last edit of %1?") : EditQuestionWords::tr("Apply changes to %1?"))
            .arg(sweep));
    box->setInformativeText(consequence);
    QPushButton *confirm = box->addButton(isUndo ? EditQuestionWords::tr("Undo edit") : EditQuestionWords::tr("Apply"),
                                          QMessageBox::AcceptRole);
    confirm->setObjectName(u"confirmEditButton"_s);
    markPrimary(confirm);
    QPushButton *cancel = box->addButton(QMessageBox::Cancel);
    cancel->setObjectName(u"cancelEditButton"_s);
    box->setDefaultButton(confirm);
    box->setEscapeButton(cancel);
    return box;
}

}  // namespace sweepscope::ui
