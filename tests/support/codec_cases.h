// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTest>

#include "core/io/json_codec.h"

namespace tracedeck::test {

/// Sets (or with the text `delete`, removes) the value at a JSON pointer; an empty pointer changes nothing.
inline Json changed(Json json, const QString& pointer, const QString& value)
{
    if (pointer.isEmpty()) return json;
    const Json::json_pointer place(pointer.toStdString());
    if (value == "delete") {
        Json& parent = json[place.parent_pointer()];
        parent.erase(place.back());
    } else {
        json[place] = *parseJson(value.toStdString());
    }
    return json;
}

/// Columns of a test that changes one value of something small and complete.
inline void addChangeColumns()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("field");   // of the error; empty: accepted
}

/// "field: reason" of a refusal; empty when it was accepted.
template <class Value>
QString outcome(const Result<Decoded<Value>>& decoded)
{
    return decoded ? QString() : QString::fromStdString(decoded.error().field + ": " + decoded.error().reason);
}

/// Field of a refusal; empty when it was accepted.
template <class Value>
QString fieldOf(const Result<Decoded<Value>>& decoded)
{
    return decoded ? QString() : QString::fromStdString(decoded.error().field);
}

}  // namespace tracedeck::test
