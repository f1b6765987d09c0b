// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/about_dialog.h"

#include <Qsci/qsciglobal.h>
#include <qcustomplot.h>

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kLogoSize = 64;
constexpr int kTextWidth = 420;

}  // namespace

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("About Tracedeck"));
    auto* logo = new QLabel(this);
    logo->setPixmap(applicationIcon().pixmap(kLogoSize, kLogoSize));
    auto* title = new QLabel(tr("Tracedeck %1").arg(QCoreApplication::applicationVersion()), this);
    title->setFont(headingFont());
    auto* what = new QLabel(tr("Explorer and runner for FlashInfer-Trace datasets."), this);
    auto* details = new MutedLabel(tr("Free software under the GNU General Public License, version 3 or later, without any warranty.\n\n"
                                      "Built with Qt %1, QCustomPlot %2, QScintilla %3, nlohmann/json, simdjson, fmt and yaml-cpp.")
                                       .arg(QString::fromLatin1(qVersion()), QStringLiteral(QCUSTOMPLOT_VERSION_STR),
                                            QStringLiteral(QSCINTILLA_VERSION_STR)),
                                   this);
    details->setWordWrap(true);
    details->setMinimumWidth(kTextWidth);
    auto* words = new QVBoxLayout;
    words->addWidget(title);
    words->addWidget(what);
    words->addWidget(details);
    auto* top = new QHBoxLayout;
    top->setSpacing(Space::kPage);
    top->addWidget(logo, 0, Qt::AlignTop);
    top->addLayout(words, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Space::kPage, Space::kPage, Space::kPage, Space::kPage);
    layout->setSpacing(Space::kPage);
    layout->addLayout(top);
    layout->addWidget(buttons);
}

}  // namespace tracedeck::ui
