#include "ui/editor/keyfield.h"

#include "sweep/keytext.h"
#include "ui/editor/folderline.h"
#include "ui/editor/formsection.h"
#include "ui/editor/keydraft.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QSpinBox>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

constexpr double mostWithSpinButtons = 100'000;  ///< larger numbers have no spin buttons

QString translated(const std::string &text)
{
    if (text.empty())
        return {};
    return QCoreApplication::translate("SweepKeys", text.c_str());
}

QString labelOf(const sweep::Key &key)
{
    if (!key.label.empty())
        return translated(key.label);
    QString label = QString::fromStdString(key.name).replace(u'_', u' ');
    label.front() = label.front().toUpper();
    return label;
}

bool hasSpinButtons(const sweep::Key &key)
{
    return key.type == sweep::KeyType::Integer && !key.isSetting() && key.maximum
           && *key.maximum <= mostWithSpinButtons;
}

QWidget *makeEditor(const sweep::Key &key)
{
    if (key.type == sweep::KeyType::Choice || key.type == sweep::KeyType::Boolean)
        return new QComboBox;
    if (hasSpinButtons(key)) {
        auto *spin = new QSpinBox;
        spin->setRange(key.zeroWord.empty() ? static_cast<int>(key.minimum.value_or(0)) : 0,
                       static_cast<int>(*key.maximum));
        spin->setSpecialValueText(translated(key.zero));
        return spin;
    }
    return new QLineEdit;
}

/// Returns the default, or an example if the key is required.
QString placeholderOf(const sweep::Key &key)
{
    if (key.isRequired)
        return KeyField::tr("e.g. %1").arg(QString::fromStdString(key.example).remove(u'"'));
    if (!key.absent.empty())
        return translated(key.absent).remove(u'`');
    const QString standard = typedText(key, sweep::defaultOf(key));
    return standard.isEmpty() ? standard : KeyField::tr("%1 (default)").arg(standard);
}

}  // namespace

KeyField::KeyField(const sweep::Key &key, QWidget *parent)
    : KeyField(key, isFolder(key) ? nullptr : makeEditor(key),
               isFolder(key) ? new FolderLine(labelOf(key).remove(u'&')) : nullptr, parent)
{}

KeyField::KeyField(const sweep::Key &key, QWidget *editor, FolderLine *folder, QWidget *parent)
    : FormField(QString::fromStdString(key.path()), labelOf(key), folder ? folder->line() : editor,
                folder ? static_cast<QWidget *>(folder) : editor, parent),
      m_key(key),
      m_default(typedText(key, sweep::defaultOf(key))),
      m_line(folder ? folder->line() : qobject_cast<QLineEdit *>(editor)),
      m_box(qobject_cast<QComboBox *>(editor)),
      m_spin(qobject_cast<QSpinBox *>(editor)),
      m_folder(folder)
{
    setHelp(QString::fromStdString(sweep::descriptionOf(key)));
    if (m_line) {
        m_line->setPlaceholderText(placeholderOf(key));
        connect(m_line, &QLineEdit::textEdited, this, &KeyField::edited);
    } else if (m_box) {
        m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_box->setMinimumContentsLength(8);
        fillBox();
        connect(m_box, &QComboBox::currentIndexChanged, this, &KeyField::edited);
    } else {
        connect(m_spin, &QSpinBox::valueChanged, this, &KeyField::edited);
    }
}

void KeyField::fillBox()
{
    if (m_key.isSetting())
        addNone(tr("%1 (default)").arg(m_default));
    if (m_key.type == sweep::KeyType::Boolean) {
        m_box->addItem(u"true"_s, u"true"_s);
        m_box->addItem(u"false"_s, u"false"_s);
    }
    for (std::size_t i = 0; i < m_key.choices.size(); ++i) {
        const QString word = QString::fromStdString(m_key.choices[i]);
        m_box->addItem(i < m_key.choiceLabels.size() ? translated(m_key.choiceLabels[i]) : word, word);
    }
}

void KeyField::addNone(const QString &label)
{
    const QSignalBlocker blocker(m_box);
    m_hasNone = true;
    m_box->insertItem(0, label, QString());
    m_box->setCurrentIndex(0);
}

bool KeyField::isFolder(const sweep::Key &key)
{
    return key.type == sweep::KeyType::String && key.name.ends_with("folder");
}

QString KeyField::text() const
{
    if (m_line)
        return m_line->text();
    const QString text = m_spin ? QString::number(m_spin->value()) : m_box->currentData().toString();
    return text == m_default && !m_hasNone ? QString() : text;
}

void KeyField::show(const QString &text)
{
    if (m_line)
        showText(m_line, text);
    else if (m_spin)
        showValue(m_spin, (text.isEmpty() ? m_default : text).toInt());
    else
        chooseData(m_box, text.isEmpty() && !m_hasNone ? m_default : text);
}

}  // namespace sweepscope::ui
