#include "exporting/csv.h"

#include "exporting/fieldtext.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sweepscope::exporting {

namespace {

/// Line ends and tabs are a text's own; others (colours of a terminal, NUL) would come back out of a table as commands.
bool isControl(char c)
{
    return (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == '\x7f';
}

/// Without what would come out of a table as a command.
std::string withoutControls(std::string_view text)
{
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    std::string result;
    for (const char c : text) {
        if (isControl(c))
            result += replacement;
        else
            result += c;
    }
    return result;
}

}  // namespace

void CsvWriter::separate()
{
    if (!m_atRowStart)
        m_out.put(',');
    m_atRowStart = false;
}

void CsvWriter::field(std::string_view text)
{
    std::string repaired;
    text = asUtf8(text, repaired);  // whatever a rank has named its series
    if (std::any_of(text.begin(), text.end(), isControl))
        return field(std::string_view(withoutControls(text)));
    separate();
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        m_out.write(text.data(), static_cast<std::streamsize>(text.size()));
        return;
    }
    m_out.put('"');
    for (const char c : text) {
        if (c == '"')
            m_out.put('"');
        m_out.put(c);
    }
    m_out.put('"');
}

void CsvWriter::field(double value)
{
    separate();
    if (std::isnan(value))
        m_out.write("nan", 3);  // whatever its sign bit
    else
        writeNumber(m_out, value);
}

void CsvWriter::field(std::int64_t value)
{
    separate();
    writeNumber(m_out, value);
}

void CsvWriter::field(std::uint64_t value)
{
    separate();
    writeNumber(m_out, value);
}

void CsvWriter::emptyField()
{
    separate();
}

void CsvWriter::endRow()
{
    m_out.write("\r\n", 2);
    m_atRowStart = true;
}

}  // namespace sweepscope::exporting
