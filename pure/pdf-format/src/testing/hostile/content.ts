import { buildPdf, pageObjects } from '../build-pdf.ts'
import { hostile, type HostileFile, streamBody } from './hostile-file.ts'

const catalog = (members: string, ...more: readonly string[]) => buildPdf(pageObjects({ catalog: members, more }))
const annotation = (members: string, ...more: readonly string[]) =>
  buildPdf(pageObjects({ page: '/Annots [4 0 R]', more: [`<</Type /Annot /Rect [0 0 9 9] ${members}>>`, ...more] }))
const link = (action: string) => annotation(`/Subtype /Link /A <<${action}>>`)

/** Files that act, that show content of others, or that were signed before. */
export function contentFiles(): readonly HostileFile[] {
  return [...actions(), ...foreignContent()]
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
