#include "ui/actions/trialclipboard.h"

#include "ui/models/trialtablemodel.h"
#include "ui/models/valuetext.h"

#include <QAbstractItemModel>
#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

/// QJsonObject would sort the names.
QString quoted(const QString &text)
{
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(array.sliced(1, array.size() - 2));
}

QString jsonValue(const sweep::ParameterValue &value)
{
    if (const auto *text = std::get_if<std::string>(&value))
        return quoted(QString::fromStdString(*text));
    if (const auto *number = std::get_if<double>(&value); number && !std::isfinite(*number))
        return u"null"_s;
    return exactText(value);
}

}  // namespace

QString parametersAsJson(const sweep::TrialRecord &trial)
{
    QStringList members;
    for (const auto &[name, value] : trial.parameters)
        members << quoted(QString::fromStdString(name)) + u": "_s + jsonValue(value);
    return u"{"_s + members.join(u", "_s) + u"}"_s;
}

QString rowsAsText(const QAbstractItemModel &model, const QList<int> &rows, const QList<int> &sections)
{
    QList<int> columns = sections;
    for (int section = 0; sections.isEmpty() && section < model.columnCount(); ++section)
        columns << section;
    const auto cell = [](QString text) {
        return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
    };
    QStringList lines;
    QStringList titles;
    for (const int section : columns)
        titles << cell(model.headerData(section, Qt::Horizontal).toString());
    lines << titles.join(QLatin1Char('\t'));
    for (const int row : rows) {
        QStringList cells;
        for (const int section : columns)
            cells << cell(model.index(row, section).data().toString());
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace sweepscope::ui
