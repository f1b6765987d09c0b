// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/python_source.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tracedeck {

namespace {

bool isLineEnd(char c)
{
    return c == '\n' || c == '\r';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\f';
}

std::string atLine(std::string_view source, std::size_t position)
{
    const auto line = 1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(position), '\n');
    return " (line " + std::to_string(line) + " of the Python text)";
}

/// Walks over Python text and reports the characters that are code: neither in a comment nor in a string (of a string
/// only its first quote is reported). Returns what does not close.
template <class OnCode>
std::optional<std::string> scanPython(std::string_view source, OnCode onCode)
{
    std::vector<std::pair<char, std::size_t>> open;   // closing bracket that is awaited, position of its opening one
    std::size_t i = 0;
    while (i < source.size()) {
        const char c = source[i];
        if (c == '#') {
            while (i < source.size() && !isLineEnd(source[i])) ++i;
            continue;
        }
        if (c == '"' || c == '\'') {
            onCode(i, c, open.size());
            const std::size_t start = i;
            const bool isTriple = source.size() - i >= 3 && source[i + 1] == c && source[i + 2] == c;
            const std::size_t quoteLength = isTriple ? 3 : 1;
            i += quoteLength;
            bool isClosed = false;
            while (i < source.size()) {
                if (source[i] == '\\') {
                    // An escaped CR LF is one line end.
                    i += source.substr(i, 3) == "\\\r\n" ? std::size_t{3} : std::size_t{2};
                    continue;
                }
                if (!isTriple && isLineEnd(source[i])) break;
                if (source.substr(i, quoteLength) == source.substr(start, quoteLength)) {
                    i += quoteLength;
                    isClosed = true;
                    break;
                }
                ++i;
            }
            if (!isClosed) return "a string is not terminated" + atLine(source, start);
            continue;
        }
        if (c == '(' || c == '[' || c == '{') {
            onCode(i, c, open.size());
            open.emplace_back(c == '(' ? ')' : c == '[' ? ']' : '}', i);
        } else if (c == ')' || c == ']' || c == '}') {
            if (open.empty() || open.back().first != c) {
                return std::string("a '") + c + "' closes nothing" + atLine(source, i);
            }
            open.pop_back();
            onCode(i, c, open.size());
        } else {
            onCode(i, c, open.size());
        }
        ++i;
    }
    if (!open.empty()) {
        return std::string("a '") + source[open.back().second] + "' is not closed" + atLine(source, open.back().second);
    }
    return std::nullopt;
}

/// Position of the `(` or `[` after `def <function>` when such a definition starts at `position`.
std::optional<std::size_t> plainDefinitionAt(std::string_view source, std::size_t position, std::string_view function)
{
    std::string_view rest = source.substr(position);
    const auto skipBlanks = [&rest] {
        const std::size_t before = rest.size();
        while (!rest.empty() && isBlank(rest.front())) rest.remove_prefix(1);
        return before != rest.size();
    };
    if (!rest.starts_with("def")) return std::nullopt;
    rest.remove_prefix(3);
    if (!skipBlanks() || !rest.starts_with(function)) return std::nullopt;
    rest.remove_prefix(function.size());
    skipBlanks();
    if (rest.empty() || (rest.front() != '(' && rest.front() != '[')) return std::nullopt;
    return source.size() - rest.size();
}

struct FoundFunction {
    std::optional<std::size_t> parameters;   ///< position of the bracket after the name of the last such function
    std::optional<std::string> problem;
};

FoundFunction findModuleFunction(std::string_view source, std::string_view function)
{
    FoundFunction found;
    found.problem = scanPython(source, [&](std::size_t position, char, std::size_t depth) {
        if (depth != 0 || (position != 0 && !isLineEnd(source[position - 1]))) return;
        if (const auto bracket = plainDefinitionAt(source, position, function)) found.parameters = bracket;
    });
    return found;
}

}  // namespace

std::optional<std::string> referenceProblem(std::string_view source)
{
    const FoundFunction found = findModuleFunction(source, "run");
    if (found.problem) return "not valid Python: " + *found.problem;
    if (!found.parameters) {
        return "the reference must define a function named 'run' at module level (def run(...):, not async, not nested)";
    }
    return std::nullopt;
}

std::optional<std::string> constraintProblem(std::string_view expression)
{
    if (expression.empty()) return "the constraint is empty";
    if (isBlank(expression.front())) return "a constraint must not start with a blank";
    std::optional<std::string> problem;
    bool hasCode = false;
    bool lineEnded = false;
    const auto unclosed = scanPython(expression, [&](std::size_t i, char c, std::size_t depth) {
        if (isLineEnd(c)) {
            lineEnded = lineEnded || (depth == 0 && hasCode);
            return;
        }
        if (isBlank(c)) return;
        hasCode = true;
        if (problem || depth != 0) return;
        if (lineEnded || c == ';') {
            problem = "a constraint must be one expression on one line";
            return;
        }
        if (c != '=') return;
        const char before = i > 0 ? expression[i - 1] : '\0';
        const char after = i + 1 < expression.size() ? expression[i + 1] : '\0';
        const bool isShift = i > 1 && (before == '<' || before == '>') && expression[i - 2] == before;
        const bool isComparison =
            after == '=' || before == '=' || before == '!' || ((before == '<' || before == '>') && !isShift);
        if (!isComparison) problem = "a constraint must be an expression, not an assignment (write == to compare)";
    });
    if (unclosed) return "not a Python expression: " + *unclosed;
    if (!hasCode) return "the constraint has no expression";
    return problem;
}

std::optional<int> parameterCount(std::string_view source, std::string_view function)
{
    const FoundFunction found = findModuleFunction(source, function);
    if (!found.parameters || source[*found.parameters] != '(') return std::nullopt;
    const std::string_view list = source.substr(*found.parameters);
    int count = 0;
    bool hasName = false;
    bool isVariadic = false;
    bool isSeparator = false;
    std::size_t end = 0;
    const auto finishParameter = [&] {
        if (hasName && !isSeparator) ++count;
        hasName = false;
        isSeparator = false;
    };
    // What follows the list is scanned too, but cannot change the result.
    (void)scanPython(list, [&](std::size_t i, char c, std::size_t depth) {
        if (end != 0) return;
        if (depth == 0 && i != 0) {
            finishParameter();
            end = i;
            return;
        }
        if (depth != 1 || isBlank(c) || isLineEnd(c) || c == '\\') return;
        if (c == ',') {
            finishParameter();
        } else if (!hasName) {
            hasName = true;
            if (c == '/') isSeparator = true;
            if (c == '*') {
                // A lone star separates; `*args` and `**kwargs` take any number.
                const std::size_t next = list.find_first_not_of(" \t\r\n", i + 1);
                isSeparator = next != std::string_view::npos && list[next] == ',';
                isVariadic = isVariadic || !isSeparator;
            }
        }
    });
    if (end == 0 || isVariadic) return std::nullopt;
    return count;
}

std::optional<std::vector<std::string>> positionalParameters(std::string_view source, std::string_view function)
{
    const FoundFunction found = findModuleFunction(source, function);
    if (!found.parameters || source[*found.parameters] != '(') return std::nullopt;
    const std::string_view list = source.substr(*found.parameters);
    std::vector<std::string> names;
    std::string name;
    bool isInName = true;    // before the `:` or `=` of the parameter
    bool isPositional = true;
    std::size_t end = 0;
    const auto finishParameter = [&] {
        if (name.starts_with('*')) isPositional = false;
        else if (isPositional && !name.empty() && name != "/") names.push_back(name);
        name.clear();
        isInName = true;
    };
    (void)scanPython(list, [&](std::size_t i, char c, std::size_t depth) {
        if (end != 0) return;
        if (depth == 0 && i != 0) {
            finishParameter();
            end = i;
            return;
        }
        if (i == 0 || depth != 1 || isBlank(c) || isLineEnd(c) || c == '\\') return;
        if (c == ',') finishParameter();
        else if (c == ':' || c == '=') isInName = false;
        else if (isInName) name += c;
    });
    if (end == 0) return std::nullopt;
    return names;
}

bool isPythonIdentifier(std::string_view text)
{
    constexpr std::array<std::string_view, 35> kKeywords{
        "False", "None",   "True",  "and",    "as",   "assert", "async",  "await",    "break", "class",  "continue", "def",
        "del",   "elif",   "else",  "except", "finally", "for", "from",   "global",   "if",    "import", "in",       "is",
        "lambda", "nonlocal", "not", "or",    "pass", "raise",  "return", "try",      "while", "with",   "yield"};
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto isLetterOrDigit = [&isLetter](char c) { return isLetter(c) || (c >= '0' && c <= '9'); };
    return !text.empty() && isLetter(text.front()) && std::all_of(text.begin(), text.end(), isLetterOrDigit) &&
           std::find(kKeywords.begin(), kKeywords.end(), text) == kKeywords.end();
}

}  // namespace tracedeck
