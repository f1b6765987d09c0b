// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tracedeck {

/// What kind of thing went wrong; decides the exit code and the advice shown.
enum class ErrorCode {
    InvalidInput,   ///< text or data that breaks a rule of the format
    NotFound,       ///< a file, folder or name that is not there
    Io,             ///< the operating system refused to read or write
    Conflict,       ///< something exists already, or a name is used twice
    Unsupported,    ///< valid, but not something that this build or machine can do
    Cancelled,      ///< a stop token was set
    Usage,          ///< arguments that make no sense together
    ProcessFailed,  ///< a child process failed, was killed or spoke nonsense
    TimedOut,
    ReaderGone      ///< who reads our output has gone away
};

/// The one error type of the core: what happened, and the place (empty or 0 where there is none).
struct Error {
    ErrorCode code = ErrorCode::InvalidInput;
    std::string reason;       ///< one plain English sentence, without the place
    std::string file;         ///< path as it was opened
    std::int64_t line = 0;    ///< 1-based
    std::string field;        ///< dotted path, for example `evaluation.performance.latency_ms`

    /// "file:line: field: reason", leaving out what is empty.
    [[nodiscard]] std::string toString() const;
    bool operator==(const Error&) const = default;
};

/// A value or an Error. The names follow std::expected, which GCC 12 lacks in C++20 mode.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return m_state.index() == 0; }
    explicit operator bool() const { return has_value(); }
    T& value() & { return std::get<0>(m_state); }
    const T& value() const& { return std::get<0>(m_state); }
    T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    [[nodiscard]] bool has_value() const { return !m_error.has_value(); }
    explicit operator bool() const { return has_value(); }
    [[nodiscard]] const Error& error() const { return *m_error; }

private:
    std::optional<Error> m_error;
};

/// How serious a problem found in a dataset is. `Error`: the item was left out. `Warning`: it was read.
enum class Severity { Warning, Error };

/// Something wrong in a dataset that did not stop the rest from loading.
struct Problem {
    Severity severity = Severity::Error;
    Error error;
    bool isRepair = false;         ///< of a warning: what was read is not quite what the file says
    std::size_t occurrences = 1;   ///< how many lines or items it stands for
    bool operator==(const Problem&) const = default;
};

}  // namespace tracedeck
