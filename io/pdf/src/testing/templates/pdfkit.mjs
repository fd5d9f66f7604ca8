// Run by make-templates.ts beside the installed library.
import { createWriteStream } from 'node:fs'
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
