// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/code_colors.h"

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerjson.h>
#include <Qsci/qscilexerpython.h>

#include <initializer_list>

#include "ui/pages/code_view.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// C++ with the words that CUDA adds.
class CudaLexer final : public QsciLexerCPP {
public:
    using QsciLexerCPP::QsciLexerCPP;
    const char* keywords(int set) const override
    {
        constexpr int kSecondaryKeywords = 2;
        if (set == kSecondaryKeywords)
            return "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __launch_bounds__ __forceinline__ "
                   "__noinline__ __grid_constant__ threadIdx blockIdx blockDim gridDim warpSize dim3 half half2 float2 float4 int2 int4 "
                   "uint4 nv_bfloat16 __half __nv_bfloat16 __syncthreads __syncwarp cudaStream_t cudaError_t";
        return QsciLexerCPP::keywords(set);
    }
};

void paint(QsciLexer& lexer, const QColor& color, std::initializer_list<int> styles)
{
    for (const int style : styles)
        lexer.setColor(color, style);
}

void colorPython(QsciLexer& lexer, const CodeColors& colors)
{
    using P = QsciLexerPython;
    paint(lexer, colors.comment, {P::Comment, P::CommentBlock});
    paint(lexer, colors.keyword, {P::Keyword});
    paint(lexer, colors.text,
          {P::DoubleQuotedString, P::SingleQuotedString, P::TripleDoubleQuotedString, P::TripleSingleQuotedString, P::UnclosedString,
           P::DoubleQuotedFString, P::SingleQuotedFString, P::TripleDoubleQuotedFString, P::TripleSingleQuotedFString});
    paint(lexer, colors.number, {P::Number});
    paint(lexer, colors.function, {P::FunctionMethodName});
    paint(lexer, colors.type, {P::ClassName, P::HighlightedIdentifier});
    paint(lexer, colors.decorator, {P::Decorator});
}

void colorCpp(QsciLexer& lexer, const CodeColors& colors)
{
    using C = QsciLexerCPP;
    paint(lexer, colors.comment,
          {C::Comment, C::CommentLine, C::CommentDoc, C::CommentLineDoc, C::CommentDocKeyword, C::CommentDocKeywordError,
           C::PreProcessorComment, C::PreProcessorCommentLineDoc});
    paint(lexer, colors.keyword, {C::Keyword});
    paint(lexer, colors.text, {C::DoubleQuotedString, C::SingleQuotedString, C::RawString, C::UnclosedString, C::VerbatimString});
    paint(lexer, colors.number, {C::Number, C::UserLiteral});
    paint(lexer, colors.type, {C::KeywordSet2, C::GlobalClass});
    paint(lexer, colors.decorator, {C::PreProcessor});
}

void colorJson(QsciLexer& lexer, const CodeColors& colors)
{
    using J = QsciLexerJSON;
    paint(lexer, colors.function, {J::Property});
    paint(lexer, colors.text, {J::String, J::UnclosedString, J::EscapeSequence});
    paint(lexer, colors.number, {J::Number});
    paint(lexer, colors.keyword, {J::Keyword, J::KeywordLD});
    paint(lexer, colors.comment, {J::CommentLine, J::CommentBlock});
}

}  // namespace

const CodeColors& codeColors(bool dark)
{
    const auto rgb = [](QRgb value) { return QColor::fromRgb(value); };
    static const CodeColors light{rgb(0x5B6470), rgb(0x7C3AED), rgb(0x157A4C), rgb(0xB3451E), rgb(0x2563D8), rgb(0x00798C), rgb(0xA8347E)};
    static const CodeColors night{rgb(0x9AA3AD), rgb(0xB79CF7), rgb(0x7BD88F), rgb(0xF2B077), rgb(0x7FA8FF), rgb(0x4DD0D9), rgb(0xE58FCB)};
    return dark ? night : light;
}

QsciLexer* makeLexer(CodeLanguage language, QObject* parent)
{
    switch (language) {
    case CodeLanguage::Python: return new QsciLexerPython(parent);
    case CodeLanguage::Cpp: return new QsciLexerCPP(parent);
    case CodeLanguage::Cuda: return new CudaLexer(parent);
    case CodeLanguage::Json: return new QsciLexerJSON(parent);
    case CodeLanguage::PlainText: break;
    }
    return nullptr;
}

void colorLexer(QsciLexer& lexer, CodeLanguage language, bool dark)
{
    const ThemeColors& theme = themeColors(dark);
    lexer.setDefaultPaper(theme.base);
    lexer.setDefaultColor(theme.text);
    lexer.setDefaultFont(monospacedFont());
    lexer.setPaper(theme.base);
    lexer.setColor(theme.text);
    lexer.setFont(monospacedFont());
    for (int style = 0; style < 128; ++style)
        lexer.setEolFill(false, style);
    const CodeColors& colors = codeColors(dark);
    switch (language) {
    case CodeLanguage::Python: colorPython(lexer, colors); break;
    case CodeLanguage::Cpp:
    case CodeLanguage::Cuda: colorCpp(lexer, colors); break;
    case CodeLanguage::Json: colorJson(lexer, colors); break;
    case CodeLanguage::PlainText: break;
    }
}

}  // namespace tracedeck::ui
