#include "ui/theme/breezeicons.h"

#include <QFile>
#include <QHash>
#include <QIcon>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int smallest = 16;
constexpr int larger = 22;

/// Names from the freedesktop.org icon naming specification if possible, else from Breeze. Live, compare, findings,
/// devices and the states are missing, because Breeze's drawings mean something else.
const QHash<QString, QString> &breezeNames()
{
    static const QHash<QString, QString> names{
        {u"about"_s, u"help-about"_s},
        {u"add"_s, u"list-add"_s},
        {u"best"_s, u"games-highscores"_s},
        {u"clear"_s, u"edit-clear"_s},
        {u"close"_s, u"window-close"_s},
        {u"columns"_s, u"view-file-columns"_s},
        {u"copy"_s, u"edit-copy"_s},
        {u"delete"_s, u"edit-delete"_s},
        {u"down"_s, u"go-down"_s},
        {u"duplicate"_s, u"edit-duplicate"_s},
        {u"export"_s, u"document-export"_s},
        {u"filter"_s, u"view-filter"_s},
        {u"fit"_s, u"zoom-fit-best"_s},
        {u"folder"_s, u"document-open-folder"_s},
        {u"follow-end"_s, u"go-bottom"_s},
        {u"group"_s, u"object-group"_s},
        {u"home"_s, u"go-home"_s},
        {u"image"_s, u"viewimage"_s},
        {u"left"_s, u"go-previous"_s},
        {u"logs"_s, u"view-list-text"_s},
        {u"new"_s, u"document-new"_s},
        {u"note"_s, u"note"_s},
        {u"open"_s, u"document-open"_s},
        {u"pause"_s, u"media-playback-pause"_s},
        {u"pin"_s, u"pin"_s},
        {u"quit"_s, u"application-exit"_s},
        {u"redo"_s, u"edit-redo"_s},
        {u"remove"_s, u"list-remove"_s},
        {u"rename"_s, u"edit-rename"_s},
        {u"retry"_s, u"view-refresh"_s},
        {u"right"_s, u"go-next"_s},
        {u"save"_s, u"document-save"_s},
        {u"search"_s, u"edit-find"_s},
        {u"settings"_s, u"configure"_s},
        {u"show"_s, u"view-visible"_s},
        {u"start"_s, u"media-playback-start"_s},
        {u"stop"_s, u"media-playback-stop"_s},
        {u"sweep"_s, u"view-media-equalizer"_s},
        {u"time"_s, u"chronometer"_s},
        {u"timeline"_s, u"view-calendar-timeline"_s},
        {u"undo"_s, u"edit-undo"_s},
        {u"up"_s, u"go-up"_s},
        {u"zoom-in"_s, u"zoom-in"_s},
        {u"zoom-out"_s, u"zoom-out"_s},
    };
    return names;
}

}  // namespace

QString breezeIconFile(const QString &name, int pixels)
{
    const QString breeze = breezeNames().value(name);
    if (breeze.isEmpty())
        return {};
    const int size = pixels < larger ? smallest : larger;
    for (const QString &folder : QIcon::themeSearchPaths()) {
        const QString file = u"%1/breeze/actions/%2/%3.svg"_s.arg(folder).arg(size).arg(breeze);
        if (QFile::exists(file))
            return file;
    }
    return {};
}

}  // namespace sweepscope::ui
