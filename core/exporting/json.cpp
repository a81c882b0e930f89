#include "exporting/json.h"

#include "exporting/fieldtext.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace sweepscope::exporting {

void JsonWriter::separate()
{
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (!m_hasItems.empty()) {
        if (m_hasItems.back())
            m_out.put(',');
        m_hasItems.back() = true;
    }
    if (m_newLine)
        m_out.put('\n');
    m_newLine = false;
}

void JsonWriter::open(char bracket)
{
    separate();
    m_out.put(bracket);
    m_hasItems.push_back(false);
}

void JsonWriter::close(char bracket)
{
    m_hasItems.pop_back();
    if (m_newLine)
        m_out.put('\n');
    m_newLine = false;
    m_out.put(bracket);
}

void JsonWriter::key(std::string_view name)
{
    separate();
    quoted(name);
    m_out.put(':');
    m_afterKey = true;
}

void JsonWriter::quoted(std::string_view text)
{
    std::string repaired;
    text = asUtf8(text, repaired);
    m_out.put('"');
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            m_out.put('\\');
            m_out.put(c);
        } else if (c == '\n') {
            m_out << "\\n";
        } else if ((c >= 0 && c < ' ') || c == '\x7f') {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
            m_out << escape.data();
        } else {
            m_out.put(c);
        }
    }
    m_out.put('"');
}

void JsonWriter::value(std::string_view text)
{
    separate();
    quoted(text);
}

void JsonWriter::value(double number)
{
    if (std::isnan(number)) {
        value("nan");
    } else if (std::isinf(number)) {
        value(number > 0 ? "inf" : "-inf");
    } else {
        separate();
        writeNumber(m_out, number);
    }
}

void JsonWriter::value(std::int64_t number)
{
    separate();
    writeNumber(m_out, number);
}

void JsonWriter::value(std::uint64_t number)
{
    separate();
    writeNumber(m_out, number);
}

void JsonWriter::value(bool flag)
{
    separate();
    m_out << (flag ? "true" : "false");
}

void JsonWriter::null()
{
    separate();
    m_out << "null";
}

}  // namespace sweepscope::exporting
