/** The sources of the templates: tags as people write them, and such that are none. */
export const PAGE = `<!doctype html><meta charset="utf-8"><title>Agreement</title>
<style>
  body { font: 12pt "DejaVu Sans" } .serif { font-family: "DejaVu Serif" } .wide { letter-spacing: 1px }
  .turned { transform: rotate(-90deg); position: absolute; left: 400px; top: 300px }
  .narrow { width: 60px; word-break: break-all } .next { page-break-before: always }
</style>
<h1>Agreement {{contract_number}}</h1>
<p>Between <b>{{company_name}}</b> and <i>{{ client_name }}</i>, dated {{Start_Date}}.</p>
<p class="serif">AVATAR To {{office_fi_fl_ffi}} WA</p>
<p class="wide">{{spaced_out}}</p>
<p>{{half_<b>bold</b>}}, {{plugin.output}}, {{<span style="color: red">colour</span>}}</p>
<p dir="rtl">שלום {{rtl_name}} עולם</p>
<table border="1"><tr><td>{{cell_a}}</td><td>{{cell_b}}</td></tr></table>
<p>{{First Name}} {{}} {{9x}} {single}</p>
<div class="narrow">{{a_name_that_wraps}}</div>
<div class="turned">{{turned}}</div>
<p class="next">{{second_page}} 中文 {{after_cjk}}</p>`

/** Lines of seven scripts, in the fonts whose style sheets are given: a tag between words, and one at an end. */
export const scriptsPage = (styleSheets: readonly string[]): string => `<!doctype html><meta charset="utf-8">
<title>{{contract_number}}</title>
${styleSheets.map((address) => `<link rel="stylesheet" href="${address}">`).join('\n')}
<style>
  body { font: 12pt "Noto Sans Variable", "Noto Sans Devanagari Variable", "Noto Sans Hebrew Variable",
    "Vazirmatn Variable", "Noto Sans SC Variable" }
  h1 { text-align: center } .end { text-align: right } .full { text-align: justify; width: 300px }
  td { border: 1px solid; padding: 4px 8px } td.end { width: 140px }
</style>
<h1>Contract {{contract_number}}</h1>
<p>Between {{latin_a}} and {{latin_b}}, the parties.</p>
<p>Договор между {{cyrillic_a}} и заказчиком, {{cyrillic_b}}</p>
<p>Σύμβαση μεταξύ {{greek_a}} και του πελάτη, {{greek_b}}</p>
<p dir="rtl" lang="ar">عقد بين {{arabic_a}} والعميل {{arabic_b}}</p>
<p dir="rtl" lang="he">חוזה בין {{hebrew_a}} לבין הלקוח {{hebrew_b}}</p>
<p lang="hi">अनुबंध {{devanagari_a}} और ग्राहक के बीच {{devanagari_b}}</p>
<p lang="zh">合同由 {{han_a}} 与客户签订 {{han_b}}</p>
<p class="end">Total: {{total}}</p>
<table><tr><td>Item</td><td class="end">Amount</td></tr>
<tr><td>{{item}}</td><td class="end">{{amount}} EUR</td></tr></table>
<p class="full">The parties agree that {{latin_a}} delivers on working days, and that {{latin_b}} pays within a month.</p>`

/** A contract as companies write it, two pages long. */
export const CONTRACT = `<!doctype html><meta charset="utf-8"><title>Service agreement {{contract_number}}</title>
<style>
  @page { size: A4; margin: 22mm } body { font: 10.5pt/1.5 "DejaVu Serif"; text-align: justify }
  h1 { font-size: 18pt; text-align: center; margin: 0 } h2 { font: bold 12pt "DejaVu Sans"; margin-top: 18pt }
  .center { text-align: center } .end { text-align: right } table { border-collapse: collapse; width: 100% }
  td, th { border: 0.5pt solid #888; padding: 4pt 8pt } th { background: #eee; font: bold 9pt "DejaVu Sans" }
  .places { display: grid; grid-template-columns: 1fr 1fr; gap: 30pt; margin-top: 60pt; font: 9pt "DejaVu Sans" }
  .places div { border-top: 0.5pt solid; padding-top: 4pt } .next { page-break-before: always }
</style>
<h1>Service agreement</h1><p class="center">No. {{contract_number}} of {{contract_date}}</p>
<p>This agreement is made between <b>{{company_name}}</b>, {{company_address}}, hereinafter the provider, and
<b>{{client_name}}</b>, {{client_address}}, hereinafter the client.</p>
<h2>1. Services</h2>
<p>The provider delivers the services of the table below from {{start_date}} on. Either party may end this agreement
with a notice of {{notice_weeks}} weeks. Changes of this agreement are made in writing.</p>
<table><tr><th>Service</th><th class="end">Price per month</th></tr>
<tr><td>{{service_a}}</td><td class="end">{{price_a}}</td></tr>
<tr><td>{{service_b}}</td><td class="end">{{price_b}}</td></tr>
<tr><td><b>Total</b></td><td class="end"><b>{{price_total}}</b></td></tr></table>
<h2>2. Payment</h2>
<p>Invoices are sent to {{client_email}} and are paid within 30 days to the account {{iban}}. A reminder costs
{{reminder_fee}}.</p>
<div class="places"><div>{{company_name}}</div><div>{{client_name}}</div></div>
<p class="next end">{{contract_number}}</p><h2>Annex: {{annex_title}}</h2><p>{{annex_text}}</p>`

const style = (name: string, members: string): string =>
  `<style:style style:name="${name}" style:family="text"><style:text-properties ${members}/></style:style>`

const NAMESPACES = ['office', 'style', 'text', 'table']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')

export const OFFICE = `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${NAMESPACES} xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
  office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:automatic-styles>
${style('Bold', 'fo:font-weight="bold"')}
${style('Kerned', 'style:letter-kerning="true" fo:font-family="DejaVu Serif" fo:font-size="14pt"')}
<style:style style:name="Rtl" style:family="paragraph"><style:paragraph-properties style:writing-mode="rl-tb"/></style:style>
<style:style style:name="Full" style:family="paragraph"><style:paragraph-properties fo:text-align="justify"/></style:style>
<style:style style:name="Next" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>
</office:automatic-styles>
<office:body><office:text>
<text:p>Agreement {{contract_number}} of {{ client_name }}</text:p>
<text:p><text:span text:style-name="Kerned">AVATAR {{office_fi_ffl}} To WA</text:span></text:p>
<text:p>{{half_<text:span text:style-name="Bold">bold</text:span>}} and {{plugin.output}}</text:p>
<text:p text:style-name="Full">${'A line that is stretched from one margin to the other one, with {{justified}} words in it. '.repeat(2)}</text:p>
<text:p text:style-name="Rtl">שלום {{rtl_name}} עולם</text:p>
<table:table><table:table-column table:number-columns-repeated="2"/><table:table-row>
<table:table-cell><text:p>{{cell_a}}</text:p></table:table-cell><table:table-cell><text:p>{{cell_b}}</text:p></table:table-cell>
</table:table-row></table:table>
<text:p>{{First Name}}, {{</text:p>
<text:p>apart}}</text:p>
<text:p text:style-name="Next">{{second_page}}</text:p>
</office:text></office:body></office:document>`

export const DRAWING = `%!PS
/Helvetica findfont 20 scalefont setfont 72 700 moveto (Agreement {{contract_number}}) show
/Times-Roman findfont 12 scalefont setfont 72 660 moveto (With {{client_name}} and \\(all\\) others) show
72 640 moveto 2 0 (Spread {{widened}}) ashow
72 620 moveto (A{{kerned}}V) {1 string dup 0 4 -1 roll put show -0.4 0 rmoveto} forall
gsave 300 300 translate 30 rotate 0 0 moveto (Turned {{turned}}) show grestore
72 580 moveto (Broken {{not a key}}) show
showpage
`

/** OT1 takes braces from a font of symbols and draws the underscore as a rule, so that the text has none. */
export const LATEX = `\\documentclass{article}\\begin{document}
\\section{Agreement \\{\\{number\\}\\}}
Between \\textbf{\\{\\{client\\}\\}} and the office, AVATAR To \\{\\{office\\}\\}, \\{\\{client\\_name\\}\\}.
\\emph{\\{\\{italic\\}\\}} and {\\Large \\{\\{large\\}\\}} and $x^2$ \\{\\{9x\\}\\}
\\newpage \\{\\{second\\}\\}
\\end{document}
`

/** T1 without scalable fonts is made of bitmaps, which do not say what they show. */
export const LATEX_WITH_BITMAPS = `\\documentclass{article}\\usepackage[T1]{fontenc}\\begin{document}
\\{\\{number\\}\\}
\\end{document}
`

/** Programs that are run beside the installed library. */
export const PDFKIT = `import { createWriteStream } from 'node:fs'
import PDFDocument from 'pdfkit'

const document = new PDFDocument({ size: 'A4', info: { CreationDate: new Date(1777627800000) } })
document.pipe(createWriteStream(process.argv[2]))
document.fontSize(18).text('Agreement {{contract_number}}')
document.font('Times-Roman').fontSize(12).text('AVATAR To {{client_name}} WAVE')
document.font('Helvetica-Bold').text('{{bold}}', { characterSpacing: 1 })
document.font('/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf').text('Łódź {{office_fi_ffl}} AV')
document.text('Justified words around {{justified}} and more of them. '.repeat(3), { align: 'justify' })
document
  .save()
  .rotate(90, { origin: [300, 400] })
  .text('{{turned}}', 300, 400)
  .restore()
document.text('{{client name}}', 72, 600)
document.addPage({ layout: 'landscape' }).text('{{second_page}}')
document.end()
`

export const PDF_LIB = `import { writeFileSync } from 'node:fs'
import { degrees, PDFDocument, StandardFonts } from 'pdf-lib'

const at = new Date(1777627800000)
const inner = await PDFDocument.create()
inner.addPage([200, 50]).drawText('{{embedded}}', { x: 5, y: 20, size: 10 })

const document = await PDFDocument.create()
document.setCreationDate(at)
document.setModificationDate(at)
const page = document.addPage([595, 842])
page.setRotation(degrees(90))
page.drawText('Agreement {{contract_number}}', { x: 50, y: 700, size: 18 })
page.drawText('Turned {{turned}}', { x: 300, y: 300, size: 12, rotate: degrees(45) })
page.drawText('{{wrong-key}}', { x: 50, y: 500, size: 12, font: await document.embedFont(StandardFonts.Courier) })
const [form] = await document.embedPdf(await inner.save())
page.drawPage(form, { x: 100, y: 100 })
document.addPage([595, 842]).drawPage(form, { x: 10, y: 10, xScale: 2, yScale: 2 })

const fields = document.getForm()
fields.createTextField('client_name').addToPage(page, { x: 50, y: 400, width: 200, height: 20 })
fields.createTextField('plugin.output').addToPage(page, { x: 50, y: 360, width: 200, height: 20 })
fields.createCheckBox('{{agreed}}').addToPage(page, { x: 50, y: 330, width: 12, height: 12 })
fields.createTextField('Not A Key').addToPage(page, { x: 50, y: 300, width: 200, height: 20 })
writeFileSync(process.argv[2], await document.save())
`
