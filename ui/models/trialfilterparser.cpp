#include "ui/models/trialfilterparser.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using Node = TrialFilter::Node;
using NodePtr = std::shared_ptr<Node>;

struct TrialFilterWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::TrialFilter)
};

enum class Kind { Word, Quoted, Sign, And, Or, Not, Open, Close };

struct Token {
    Kind kind;
    QString text;
};

constexpr QLatin1StringView titleBeginnings[] = {"best"_L1, "min"_L1, "max"_L1};
constexpr int deepest = 60;  ///< parentheses in parentheses: what is parsed by calls must end

bool isSign(QChar c)
{
    return c == u'=' || c == u'<' || c == u'>' || c == u'!';
}

/// Where a word ends. A single & or | belongs to it: file names and commands have them.
bool endsWord(const QString &text, qsizetype at)
{
    const QChar c = text[at];
    const bool doubled = at + 1 < text.size() && text[at + 1] == c && (c == u'&' || c == u'|');
    return c.isSpace() || isSign(c) || c == u'(' || c == u')' || doubled;
}

class Tokenizer {
public:
    explicit Tokenizer(const QString &text) : m_text(text) {}

    std::vector<Token> tokens()
    {
        std::vector<Token> found;
        while (m_at < m_text.size() && m_problem.isEmpty()) {
            if (m_text[m_at].isSpace())
                ++m_at;
            else
                found.push_back(next());
        }
        return found;
    }
    const QString &problem() const { return m_problem; }

private:
    Token next()
    {
        const QChar c = m_text[m_at];
        const QChar after = m_at + 1 < m_text.size() ? m_text[m_at + 1] : QChar();
        if (c == u'(' || c == u')')
            return take(c == u'(' ? Kind::Open : Kind::Close, 1);
        if ((c == u'&' || c == u'|') && after == c)
            return take(c == u'&' ? Kind::And : Kind::Or, 2);
        if (isSign(c)) {
            const bool isLong = after == u'=';
            if (c == u'!' && !isLong)
                return take(Kind::Not, 1);
            return take(Kind::Sign, isLong ? 2 : 1);
        }
        if (c == u'"' || c == u'\'')
            return quoted(c);
        const qsizetype begin = m_at;
        while (m_at < m_text.size() && !endsWord(m_text, m_at))
            ++m_at;
        const QString word = m_text.sliced(begin, m_at - begin);
        for (const auto &[name, kind] : {std::pair("and", Kind::And), {"or", Kind::Or}, {"not", Kind::Not}}) {
            if (word.compare(QLatin1String(name), Qt::CaseInsensitive) == 0)
                return {kind, word};
        }
        return {Kind::Word, word};
    }

    Token take(Kind kind, int length)
    {
        m_at += length;
        return {kind, m_text.sliced(m_at - length, length)};
    }

    Token quoted(QChar mark)
    {
        QString found;
        for (++m_at; m_at < m_text.size() && m_text[m_at] != mark; ++m_at) {
            const QChar escaped = mark == u'"' && m_text[m_at] == u'\\' ? escapedAt(m_at + 1) : QChar();
            m_at += escaped.isNull() ? 0 : 1;
            found += escaped.isNull() ? m_text[m_at] : escaped;
        }
        if (m_at >= m_text.size())
            m_problem = TrialFilterWords::tr("A quotation mark is missing at the end");
        else
            ++m_at;
        return {Kind::Quoted, found};
    }

    /// What a backslash before it makes of it; null: nothing, the backslash is one.
    QChar escapedAt(qsizetype at) const
    {
        const QChar c = at < m_text.size() ? m_text[at] : QChar();
        return c == u'"' || c == u'\\' ? c
               : c == u'n'             ? QChar(u'\n')
               : c == u't'             ? QChar(u'\t')
               : c == u'r'             ? QChar(u'\r')
                                       : QChar();
    }

    const QString &m_text;
    qsizetype m_at = 0;
    QString m_problem;
};

class Parser {
public:
    explicit Parser(std::vector<Token> tokens) : m_tokens(std::move(tokens)) {}

    ParsedFilter parse()
    {
        NodePtr root = m_tokens.empty() ? nullptr : any();
        if (m_problem.isEmpty() && m_at < m_tokens.size())
            fail(TrialFilterWords::tr("A closing parenthesis has no opening one"));
        return {m_problem.isEmpty() ? std::move(root) : nullptr, m_problem};
    }

private:
    bool is(Kind kind) const { return m_at < m_tokens.size() && m_tokens[m_at].kind == kind; }
    bool accept(Kind kind)
    {
        const bool found = is(kind);
        m_at += found ? 1 : 0;
        return found;
    }
    void fail(const QString &problem)
    {
        if (m_problem.isEmpty())
            m_problem = problem;
        m_at = m_tokens.size();
    }

    static NodePtr group(Node::Kind kind, std::vector<NodePtr> parts)
    {
        if (parts.size() == 1)
            return parts.front();
        auto node = std::make_shared<Node>();
        node->kind = kind;
        node->parts = std::move(parts);
        return node;
    }

    NodePtr any()
    {
        std::vector<NodePtr> parts{all()};
        while (accept(Kind::Or))
            parts.push_back(all());
        return group(Node::Kind::Or, std::move(parts));
    }

    NodePtr all()
    {
        std::vector<NodePtr> parts{one()};
        while (m_at < m_tokens.size() && !is(Kind::Or) && !is(Kind::Close)) {
            accept(Kind::And);
            parts.push_back(one());
        }
        return group(Node::Kind::And, std::move(parts));
    }

    NodePtr one()
    {
        if (m_at >= m_tokens.size()) {
            fail(TrialFilterWords::tr("Something is missing at the end"));
            return std::make_shared<Node>();
        }
        if (++m_depth > deepest)
            fail(TrialFilterWords::tr("Too many parentheses"));
        NodePtr node = accept(Kind::Not) ? negated() : accept(Kind::Open) ? inParentheses() : word();
        --m_depth;
        return node;
    }

    NodePtr negated()
    {
        auto node = std::make_shared<Node>();
        node->kind = Node::Kind::Not;
        node->parts.push_back(one());
        return node;
    }

    NodePtr inParentheses()
    {
        NodePtr node = is(Kind::Close) ? nullptr : any();
        if (!node)
            fail(TrialFilterWords::tr("There is nothing between the parentheses"));
        else if (!accept(Kind::Close))
            fail(TrialFilterWords::tr("A closing parenthesis is missing"));
        return node ? node : std::make_shared<Node>();
    }

    NodePtr word()
    {
        auto node = std::make_shared<Node>();
        if (!is(Kind::Word) && !is(Kind::Quoted)) {
            fail(m_at < m_tokens.size()
                     ? TrialFilterWords::tr("Something is missing before “%1”").arg(m_tokens[m_at].text)
                     : TrialFilterWords::tr("Something is missing at the end"));
            return node;
        }
        const Token first = nameFromHere();
        if (!is(Kind::Sign)) {
            node->text = first.text.toLower();
            return node;
        }
        const QString sign = m_tokens[m_at++].text;
        if (!is(Kind::Word) && !is(Kind::Quoted)) {
            fail(TrialFilterWords::tr("A value is missing after “%1 %2”").arg(first.text, sign));
            return node;
        }
        compare(*node, first.text, sign, m_tokens[m_at++]);
        return node;
    }

    /// The next token; or a column's title of two words, as its name: "Max loss > 3" asks for max.loss.
    Token nameFromHere()
    {
        const Token first = m_tokens[m_at++];
        const bool begins = std::ranges::any_of(titleBeginnings, [&first](QLatin1StringView word) {
            return first.kind == Kind::Word && first.text.compare(word, Qt::CaseInsensitive) == 0;
        });
        const bool hasSign = m_at + 1 < m_tokens.size() && m_tokens[m_at + 1].kind == Kind::Sign;
        if (!begins || !hasSign || (!is(Kind::Word) && !is(Kind::Quoted)))
            return first;
        return {Kind::Word, first.text.toLower() + u'.' + m_tokens[m_at++].text};
    }

    void compare(Node &node, const QString &name, const QString &sign, const Token &value)
    {
        node.kind = Node::Kind::Comparison;
        node.name = name;
        node.text = value.text;
        node.isQuoted = value.kind == Kind::Quoted;
        node.isExact = sign == "=="_L1;
        node.asTyped = (name + sign + value.text).toLower();
        node.op = sign == "!="_L1   ? Node::Operator::Unequal
                  : sign == "<"_L1  ? Node::Operator::Less
                  : sign == "<="_L1 ? Node::Operator::LessOrEqual
                  : sign == ">"_L1  ? Node::Operator::Greater
                  : sign == ">="_L1 ? Node::Operator::GreaterOrEqual
                                    : Node::Operator::Equal;
        const auto numberIn = [](const QString &text) {
            bool is = false;
            const double number = text.toDouble(&is);
            return is ? std::optional(number) : std::nullopt;
        };
        node.number = numberIn(value.text);
        const qsizetype dots = value.kind == Kind::Word ? value.text.indexOf(".."_L1) : -1;
        if (dots > 0 && (node.op == Node::Operator::Equal || node.op == Node::Operator::Unequal)) {
            node.number = numberIn(value.text.first(dots));
            node.upTo = numberIn(value.text.sliced(dots + 2));
            if (!node.number || !node.upTo)
                fail(TrialFilterWords::tr("“%1” is no range of numbers, as in 0.001..0.1").arg(value.text));
        }
    }

    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0;
    QString m_problem;
};

}  // namespace

ParsedFilter parseFilter(const QString &text)
{
    Tokenizer tokenizer(text);
    std::vector<Token> tokens = tokenizer.tokens();
    if (!tokenizer.problem().isEmpty())
        return {nullptr, tokenizer.problem()};
    return Parser(std::move(tokens)).parse();
}

}  // namespace sweepscope::ui
