// Run by make-templates.ts beside the installed library.
import { writeFileSync } from 'node:fs'
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
