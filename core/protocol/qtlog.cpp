#include "protocol/qtlog.h"

#include "base/log.h"

#include <QString>
#include <QtGlobal>

#include <string_view>

namespace sweepscope::protocol {

namespace {

LogLevel levelOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg:
        return LogLevel::Debug;
    case QtInfoMsg:
        return LogLevel::Info;
    case QtWarningMsg:
        return LogLevel::Warning;
    case QtCriticalMsg:
    case QtFatalMsg:
        return LogLevel::Error;
    }
    return LogLevel::Error;
}

void write(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    const std::string_view category = context.category != nullptr ? context.category : "qt";
    log(levelOf(type), category == "default" ? "qt" : category, message.toStdString());
}

}  // namespace

void logQtMessages()
{
    qInstallMessageHandler(write);
}

}  // namespace sweepscope::protocol
