import { buildPdf, pageObjects } from '../build-pdf.ts'
import { hostile, type HostileFile, streamBody } from './hostile-file.ts'

const catalog = (members: string, ...more: readonly string[]) => buildPdf(pageObjects({ catalog: members, more }))
const annotation = (members: string, ...more: readonly string[]) =>
  buildPdf(pageObjects({ page: '/Annots [4 0 R]', more: [`<</Type /Annot /Rect [0 0 9 9] ${members}>>`, ...more] }))
const link = (action: string) => annotation(`/Subtype /Link /A <<${action}>>`)

/** Files that act, that show content of others, or that were signed before. */
export function contentFiles(): readonly HostileFile[] {
  return [...actions(), ...foreignContent(), ...screenAndPaper(), ...addresses()]
}

function actions(): readonly HostileFile[] {
  return [
    hostile(
      'a script that runs when opened',
      'javascript',
      catalog('/OpenAction <</S /JavaScript /JS (app.alert(1))>>'),
    ),
    hostile(
      'a script with a name',
      'javascript',
      catalog('/Names <</JavaScript <</Names [(a) 4 0 R]>>>>', '<</S /JavaScript>>'),
    ),
    hostile('a script under an escaped name', 'javascript', catalog('/OpenAction <</S /Java#53cript /J#53 (1)>>')),
    hostile('a script in an object that nothing uses', 'javascript', catalog('', '<</S /JavaScript /JS (1)>>')),
    hostile(
      'a script in a stream',
      'javascript',
      catalog('/OpenAction <</S /URI /JS 4 0 R>>', streamBody('', 'app.alert(1)')),
    ),
    hostile('a program that is started', 'action', link('/S /Launch /F (calc.exe)')),
    hostile('a form that is sent', 'action', link('/S /SubmitForm /F (https://example.com)')),
    hostile('data that is imported', 'action', link('/S /ImportData /F (a.fdf)')),
    hostile('a layer that is switched', 'action', link('/S /SetOCGState /State [/OFF 4 0 R]')),
    hostile('a field that is hidden', 'action', link('/S /Hide /T (a)')),
    hostile('a link into another file', 'action', link('/S /GoToR /F (other.pdf)')),
    hostile('an action of a page', 'action', buildPdf(pageObjects({ page: '/AA <</O <</S /Named /N /Print>>>>' }))),
  ]
}

function foreignContent(): readonly HostileFile[] {
  return [
    hostile(
      'an attached file',
      'attachment',
      catalog('/Names <</EmbeddedFiles <</Names [(a) 4 0 R]>>>>', '<</Type /Filespec>>'),
    ),
    hostile(
      'a file in a specification',
      'attachment',
      catalog('', '<</Type /Filespec /EF <</F 5 0 R>>>>', streamBody('', 'x')),
    ),
    hostile('an associated file', 'attachment', catalog('/AF [4 0 R]', '<</Type /Filespec>>')),
    hostile('a portfolio', 'attachment', catalog('/Collection <</View /D>>')),
    hostile('a note with a file', 'attachment', annotation('/Subtype /FileAttachment')),
    hostile('a film', 'multimedia', annotation('/Subtype /Movie')),
    hostile('a sound', 'multimedia', link('/S /Sound')),
    hostile('a screen', 'multimedia', annotation('/Subtype /Screen')),
    hostile('a model in 3D', 'multimedia', annotation('/Subtype /3D')),
    hostile('rich media', 'multimedia', annotation('/Subtype /RichMedia')),
    hostile('data in another file', 'external_content', catalog('', streamBody('/F (/etc/passwd)', ''))),
    hostile(
      'a page of another file',
      'external_content',
      catalog('', streamBody('/Subtype /Form /Ref <</F (a.pdf) /Page 0>>', '')),
    ),
    hostile('an XFA form', 'xfa', catalog('/AcroForm <</Fields [] /XFA 4 0 R>>', streamBody('', '<xdp/>'))),
    hostile('a dynamic XFA form', 'xfa', catalog('/NeedsRendering true')),
    hostile(
      'fields without appearance',
      'form_without_appearance',
      catalog('/AcroForm <</Fields [4 0 R] /NeedAppearances true>>', '<</FT /Tx /T (a)>>'),
    ),
    hostile('a signature', 'signed', catalog('', '<</Type /Sig /ByteRange [0 1 2 3] /Contents <00>>>')),
    hostile('a signature without a type', 'signed', catalog('', '<</Filter /Adobe.PPKLite /ByteRange [0 1 2 3]>>')),
    hostile('a time-stamp of the document', 'signed', catalog('', '<</Type /DocTimeStamp /Contents <00>>>')),
    hostile('a form that says it is signed', 'signed', catalog('/AcroForm <</Fields [] /SigFlags 1>>')),
    hostile('validation data of signatures', 'signed', catalog('/DSS <</Certs []>>')),
    hostile('a certification', 'signed', catalog('/Perms <</DocMDP 4 0 R>>', '<</Filter /Adobe.PPKLite>>')),
  ]
}

const FORM = streamBody('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '0 0 9 9 re f')
const drawn = (members: string) => annotation(`${members} /AP <</N 5 0 R>>`, FORM)
const layered = (usual: string, group = '', more = '') =>
  catalog(`/OCProperties <</OCGs [4 0 R] /D <<${usual}>> ${more}>>`, `<</Type /OCG /Name (a) ${group}>>`)

/** Files that look different on a screen and on paper, or in two viewers. */
function screenAndPaper(): readonly HostileFile[] {
  return [
    hostile('a stamp on paper only', 'annotation_flags', drawn('/Subtype /Stamp /F 36')),
    hostile('a stamp on the screen only', 'annotation_flags', drawn('/Subtype /Stamp /F 0')),
    hostile('a stamp without flags', 'annotation_flags', drawn('/Subtype /Stamp')),
    hostile('a stamp that is hidden', 'annotation_flags', drawn('/Subtype /Stamp /F 6')),
    hostile('a stamp that appears under the mouse', 'annotation_flags', drawn('/Subtype /Stamp /F 260')),
    hostile('a stamp that some viewers do not show', 'annotation_flags', drawn('/Subtype /Stamp /F 5')),
    hostile('a link that covers text on the screen', 'annotation_flags', drawn('/Subtype /Link')),
    hostile('a field that covers text on paper', 'annotation_flags', drawn('/Subtype /Widget /F 36')),
    hostile('a text that each viewer draws', 'annotation_without_appearance', annotation('/Subtype /FreeText /F 4')),
    hostile(
      'an appearance without states',
      'annotation_without_appearance',
      annotation('/Subtype /Stamp /F 4 /AP <</N <<>>>>'),
    ),
    hostile('a note that is open', 'annotation_open', drawn('/Subtype /Text /F 4 /Open true')),
    hostile('the window of a note that is open', 'annotation_open', annotation('/Subtype /Popup /Open true')),
    hostile(
      'a value that each viewer draws',
      'form_without_appearance',
      annotation('/Subtype /Widget /FT /Tx /V (900000)'),
    ),
    hostile(
      'the value of a group of fields',
      'form_without_appearance',
      annotation('/Subtype /Widget /Parent 5 0 R', '<</FT /Ch /V [(900000)]>>'),
    ),
    hostile('a layer that is off', 'layers', layered('/OFF [4 0 R]')),
    hostile('layers that are off', 'layers', layered('/BaseState /OFF /ON [4 0 R]')),
    hostile(
      'a layer for paper',
      'layers',
      layered('', '/Usage <</View <</ViewState /OFF>> /Print <</PrintState /ON>>>>'),
    ),
    hostile('a layer for the screen', 'layers', layered('', '/Usage <</Print <</PrintState /OFF>>>>')),
    hostile('a layer for exports', 'layers', layered('', '/Usage <</Export <</ExportState /OFF>>>>')),
    hostile('a layer for one size', 'layers', layered('', '/Usage <</Zoom <</min 2>>>>')),
    hostile('another choice of layers', 'layers', layered('', '', '/Configs [<</OFF [4 0 R]>>]')),
    hostile('content for a layer that is off', 'layers', catalog('', '<</Type /OCMD /OCGs 5 0 R /P /AnyOff>>')),
    hostile('content by a formula', 'layers', catalog('', '<</Type /OCMD /VE [/Not 5 0 R]>>')),
    hostile(
      'a picture for printing',
      'alternate_image',
      catalog('', streamBody('/Subtype /Image /Alternates [<</Image 4 0 R /DefaultForPrinting true>>]', '')),
    ),
  ]
}

function addresses(): readonly HostileFile[] {
  return [
    hostile(
      'an address that is opened with the file',
      'open_action',
      catalog('/OpenAction <</S /URI /URI (https://a.example)>>'),
    ),
    hostile('printing when opened', 'open_action', catalog('/OpenAction <</S /Named /N /Print>>')),
    hostile(
      'an action after the place that is shown',
      'open_action',
      catalog('/OpenAction <</S /GoTo /D [3 0 R /Fit] /Next <</S /Named /N /Print>>>>'),
    ),
    hostile('a link that is a script', 'link_address', link('/S /URI /URI (javascript:alert\\(1\\))')),
    hostile('a link to a file', 'link_address', link('/S /URI /URI (file:///etc/passwd)')),
    hostile('a link without a scheme', 'link_address', link('/S /URI /URI (other.exe)')),
  ]
}
