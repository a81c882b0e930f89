#include "exporting/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <utf8.h>

namespace sweepscope::exporting {

namespace {

template <typename Number>
void writeNumber(std::ostream &out, Number value)
{
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    out.write(buffer.data(), end - buffer.data());
}

/// Line ends and tabs are a text's own; others (colours of a terminal, NUL) would come back out of a table as commands.
bool isControl(char c)
{
    return (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == '\x7f';
}

/// What programs that read CSV as UTF-8 take, whatever a rank has named its series.
std::string readable(std::string_view text)
{
    constexpr char32_t replacement = 0xFFFD;
    std::string valid;
    utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(valid), replacement);
    std::string result;
    for (const char c : valid) {
        if (isControl(c))
            utf8::append(replacement, std::back_inserter(result));
        else
            result += c;
    }
    return result;
}

bool isReadable(std::string_view text)
{
    return utf8::is_valid(text.begin(), text.end()) && std::none_of(text.begin(), text.end(), isControl);
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
    if (!isReadable(text))
        return field(std::string_view(readable(text)));
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
