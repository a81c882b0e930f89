#include "ui/editor/folderline.h"

#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

FolderLine::FolderLine(const QString &dialogTitle, QWidget *parent)
    : QWidget(parent), m_title(dialogTitle), m_line(new QLineEdit(this))
{
    auto *button = new QToolButton(this);
    button->setIcon(symbolIcon(u"folder"_s));
    button->setToolTip(dialogTitle);
    button->setAccessibleName(dialogTitle);
    button->setFocusPolicy(Qt::StrongFocus);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addWidget(m_line);
    layout->addWidget(button);
    connect(button, &QToolButton::clicked, this, &FolderLine::pick);
}

void FolderLine::pick()
{
    auto *dialog = new QFileDialog(this, m_title, QDir(m_baseFolder).absoluteFilePath(m_line->text()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &folder) {
        m_line->setText(folder);
        Q_EMIT m_line->textEdited(folder);
    });
    dialog->open();
}

}  // namespace sweepscope::ui
