// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/report_pdf.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QImage>
#include <QMarginsF>
#include <QPageSize>
#include <QPaintDevice>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QTextFormat>
#include <QTextObjectInterface>
#include <QTextOption>
#include <memory>

#include "core/io/trace_writer.h"

namespace tracedeck::ui {
namespace {

/// Draws what the page's <img> elements name.
class PicturePainter : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    explicit PicturePainter(const std::vector<PagePicture>& pictures)
    {
        for (const PagePicture& picture : pictures) {
            m_renderers.insert(QString::fromStdString(picture.name), std::make_shared<QSvgRenderer>(QByteArray::fromStdString(picture.svg)));
        }
    }
    QSizeF intrinsicSize(QTextDocument* document, int /*position*/, const QTextFormat& format) override
    {
        const auto renderer = m_renderers.value(format.toImageFormat().name());
        if (!renderer || renderer->defaultSize().isEmpty())
            return {1, 1};
        // As wide as the page within print()'s margins at most, and never higher than two thirds of it.
        constexpr qreal kShareOfWidth = 0.8;
        const QPaintDevice* device = document->documentLayout()->paintDevice();
        constexpr qreal kScreenDotsPerInch = 96;
        const QSizeF size = QSizeF(renderer->defaultSize()) * (device != nullptr ? device->logicalDpiX() / kScreenDotsPerInch : 1.0);
        const qreal room = kShareOfWidth * document->pageSize().width();
        qreal scale = room > 0 ? qMin(1.0, room / size.width()) : 1.0;
        if (document->pageSize().height() > 0)
            scale = qMin(scale, document->pageSize().height() * 0.66 / size.height());
        return size * scale;
    }
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* /*document*/, int /*position*/, const QTextFormat& format) override
    {
        if (const auto renderer = m_renderers.value(format.toImageFormat().name()))
            renderer->render(painter, rect);
    }

private:
    QHash<QString, std::shared_ptr<QSvgRenderer>> m_renderers;
};

/// A picture of the same file name with the suffix png beside an SVG file, twice its size.
Result<void> writePngBeside(const QString& svgPath)
{
    QSvgRenderer renderer(svgPath);
    if (!renderer.isValid() || renderer.defaultSize().isEmpty())
        return Error{ErrorCode::InvalidInput, "this is no SVG picture", svgPath.toStdString(), 0, {}};
    QImage image(renderer.defaultSize() * 2, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    const QFileInfo file(svgPath);
    return writeFileAtomically((file.path() + QLatin1Char('/') + file.completeBaseName() + QStringLiteral(".png")).toStdString(), bytes.toStdString());
}

}  // namespace

Result<void> writeReportPdf(const HtmlReport& report, const QString& path)
{
    constexpr int kDotsPerInch = 300;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    PicturePainter pictures(report.pictures);
    QTextDocument document;
    document.documentLayout()->registerHandler(QTextFormat::ImageObject, &pictures);
    QTextOption option = document.defaultTextOption();
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document.setDefaultTextOption(option);
    document.setHtml(QString::fromStdString(report.html));
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(document.metaInformation(QTextDocument::DocumentTitle));
        writer.setCreator(QStringLiteral("Tracedeck"));
        writer.setResolution(kDotsPerInch);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF());   // print() leaves two centimetres, and numbers the pages
        document.print(&writer);
    }
    return writeFileAtomically(path.toStdString(), bytes.toStdString());
}

Result<void> printReportFolder(const QString& folder, const QString& path)
{
    const QDir place(folder);
    QFile page(place.filePath(QStringLiteral("report.html")));
    if (!page.open(QIODevice::ReadOnly))
        return Error{ErrorCode::NotFound, "there is no report.html: " + page.errorString().toStdString(), folder.toStdString(), 0, {}};
    HtmlReport report{page.readAll().toStdString(), {}};
    for (const QString& name : place.entryList({QStringLiteral("*.svg")}, QDir::Files)) {
        QFile picture(place.filePath(name));
        if (picture.open(QIODevice::ReadOnly))
            report.pictures.push_back({name.toStdString(), {}, picture.readAll().toStdString()});
    }
    return writeReportPdf(report, path);
}

Result<void> rasterizeFolder(const QString& folder)
{
    const QDir place(folder);
    for (const QString& name : place.entryList({QStringLiteral("*.svg")}, QDir::Files)) {
        if (const auto written = writePngBeside(place.filePath(name)); !written)
            return written;
    }
    return {};
}

}  // namespace tracedeck::ui

#include "report_pdf.moc"
