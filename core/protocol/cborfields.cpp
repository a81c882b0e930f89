#include "protocol/cborfields.h"

#include <QCborValue>
#include <QJsonDocument>
#include <QJsonObject>

namespace sweepscope::protocol {

QCborMap toCbor(const facts::Fact &fact)
{
    return fact ? QCborMap::fromJsonObject(
               QJsonDocument::fromJson(QByteArray::fromStdString(facts::toJson(fact))).object())
                : QCborMap();
}

QCborArray toCbor(const facts::Facts &facts)
{
    QCborArray array;
    for (const facts::Fact &fact : facts)
        array.append(toCbor(fact));
    return array;
}

facts::Fact CborFields::fact(const char *key)
{
    const QCborValue untrusted = value(key);
    if (untrusted.isUndefined())
        return {};
    if (!untrusted.isMap()) {
        fail(std::string("has no fact in '") + key + "'");
        return {};
    }
    if (untrusted.toMap().isEmpty())
        return {};
    Expected<facts::Fact> fact =
        facts::fromJson(QJsonDocument(untrusted.toMap().toJsonObject()).toJson(QJsonDocument::Compact).toStdString());
    if (!fact) {
        fail(std::string("has a bad fact in '") + key + "': " + fact.error().message);
        return {};
    }
    return std::move(*fact);
}

facts::Facts CborFields::facts(const char *key)
{
    facts::Facts facts;
    for (const QCborValue &untrusted : optionalArray(key)) {
        CborFields item(QCborMap{{QLatin1String("fact"), untrusted}}, "a fact");
        facts.push_back(item.fact("fact"));
        if (item.error()) {
            fail(item.error()->message);
            break;
        }
    }
    return facts;
}

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

QCborArray texts(const std::vector<std::string> &list)
{
    QCborArray array;
    for (const std::string &item : list)
        array.append(text(item));
    return array;
}

CborFields::CborFields(const QCborValue &untrusted, const char *what) : m_map(untrusted.toMap()), m_what(what)
{
    if (!untrusted.isMap())
        fail("is not a map");
}

QCborValue CborFields::value(const char *key) const
{
    return m_map.value(QLatin1String(key));
}

void CborFields::fail(const std::string &problem)
{
    if (!m_error)
        m_error = Error{ErrorCode::Corrupt, "invalid message: " + m_what + " " + problem};
}

qint64 CborFields::integer(const char *key, qint64 low, qint64 high)
{
    const QCborValue untrusted = value(key);
    if (!untrusted.isInteger() || untrusted.toInteger() < low || untrusted.toInteger() > high) {
        fail(std::string("has no valid integer '") + key + "'");
        return low > 0 ? low : 0;
    }
    return untrusted.toInteger();
}

std::optional<qint64> CborFields::optionalInteger(const char *key)
{
    const QCborValue untrusted = value(key);
    if (untrusted.isUndefined() || untrusted.isNull())
        return std::nullopt;
    if (!untrusted.isInteger()) {
        fail(std::string("has no valid integer '") + key + "'");
        return std::nullopt;
    }
    return untrusted.toInteger();
}

double CborFields::number(const char *key)
{
    const QCborValue untrusted = value(key);
    if (!untrusted.isDouble() && !untrusted.isInteger())
        fail(std::string("has no number '") + key + "'");
    return untrusted.toDouble();
}

bool CborFields::boolean(const char *key)
{
    const QCborValue untrusted = value(key);
    if (!untrusted.isBool())
        fail(std::string("has no boolean '") + key + "'");
    return untrusted.toBool();
}

QString CborFields::text(const char *key)
{
    const QCborValue untrusted = value(key);
    if (!untrusted.isString())
        fail(std::string("has no string '") + key + "'");
    return untrusted.toString();
}

QCborArray CborFields::optionalArray(const char *key)
{
    const QCborValue untrusted = value(key);
    if (!untrusted.isUndefined() && !untrusted.isArray())
        fail(std::string("has no list '") + key + "'");
    return untrusted.toArray();
}

std::vector<std::string> CborFields::optionalTexts(const char *key)
{
    std::vector<std::string> texts;
    const QCborArray untrusted = optionalArray(key);
    texts.reserve(static_cast<std::size_t>(untrusted.size()));
    for (const QCborValue &item : untrusted) {
        if (!item.isString())
            fail(std::string("has an element other than a string in '") + key + "'");
        texts.push_back(item.toString().toStdString());
    }
    return texts;
}

}  // namespace sweepscope::protocol
