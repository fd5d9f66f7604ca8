import { buildPdf, pageObjects } from '../build-pdf.ts'
import { hostile, type HostileFile, streamBody } from './hostile-file.ts'

/** Objects from 4 on are the content and what follows. */
const drawn = (content: string, resources = '', ...more: readonly string[]) =>
  buildPdf(
    pageObjects({
      page: `/Contents 4 0 R /Resources <<${resources}>>`,
      more: [streamBody('', content), ...more],
    }),
  )
const parts = (...contents: readonly string[]) =>
  buildPdf(
    pageObjects({
      page: `/Contents [${contents.map((_, index) => `${index + 4} 0 R`).join(' ')}]`,
      more: contents.map((content) => streamBody('', content)),
    }),
  )
const filtered = (members: string, data: string) =>
  buildPdf(pageObjects({ page: '/Contents 4 0 R', more: [streamBody(members, data)] }))
const picture = (members: string, data = 'x') =>
  drawn('/X Do', '/XObject <</X 5 0 R>>', streamBody(`/Subtype /Image /Width 1 /Height 1 ${members}`, data))
const form = (content: string, members = '', resources = '/XObject <</X 5 0 R>>') =>
  drawn('/X Do', resources, streamBody(`/Subtype /Form /BBox [0 0 9 9] ${members}`, content))
const fields = (...annotations: readonly string[]) =>
  buildPdf(
    pageObjects({
      page: '/Annots [4 0 R 5 0 R]',
      more: [
        ...annotations.map((one) => `<</Type /Annot /Rect [0 0 9 9] /F 4 ${one}>>`),
        streamBody('/Subtype /Form /BBox [0 0 9 9]', ''),
      ],
    }),
  )
const GLYPHS = '/FirstChar 0 /LastChar 0 /Widths [1] /CharProcs <<>>'
const of = (name: string, bytes: Uint8Array) => hostile(name, 'ambiguous_content', bytes)

/** Files that viewers draw in different ways: each was seen to differ, or is of a class of which a member was. */
export function ambiguousFiles(): readonly HostileFile[] {
  return [...tokens(), ...operators(), ...names(), ...filters(), ...pictures(), ...objects(), ...looks()]
}

function tokens(): readonly HostileFile[] {
  return [
    ...['3-0', '--3', '1.2.3', '3e1', '.', '-', '0x1e', '9999999999'].map((number) =>
      of(`the number ${number}`, drawn(`${number} 0 m`)),
    ),
    of('a string in two contents', parts('BT (a', 'b) Tj ET')),
    of('an array in two contents', parts('BT [(a)', '(b)] TJ ET')),
    of('a hexadecimal string with other characters', drawn('BT <4x1> Tj ET')),
    of('a name with a broken escape', drawn('/A#4 gs')),
    of('a delimiter without a meaning', drawn('0 0 m ] S')),
    of('a word in an array', drawn('BT [(a) b] TJ ET')),
    of('operands at the end', drawn('0 0 m S 1')),
  ]
}

function operators(): readonly HostileFile[] {
  return [
    of('an unknown operator', drawn('foo')),
    of('an unknown operator that may be ignored', drawn('BX foo EX')),
    of('a missing operand', drawn('1 2 3 re')),
    of('an operand too many', drawn('9 1 2 3 4 re')),
    of('an operand of another kind', drawn('(1) 2 3 4 re')),
    of('a color with another number of components', drawn('/DeviceRGB cs 1 sc')),
    of('a state that was not saved', drawn('Q')),
    of('a saved state in a text', drawn('BT q ET')),
    of('a text in a text', drawn('BT BT ET')),
    of('a text outside of a text', drawn('(a) Tj')),
    of('a text without an end', drawn('BT')),
  ]
}

function names(): readonly HostileFile[] {
  return [
    of('a form that is not in the resources', drawn('/X Do')),
    of('a font that is not in the resources', drawn('BT /F 9 Tf ET')),
    of('a state that is not in the resources', drawn('/G gs')),
    of('a layer that is not in the resources', drawn('/OC /L BDC EMC')),
    of('a form that uses the resources of its page', form('/G gs', '', '/XObject <</X 5 0 R>> /ExtGState <</G <<>>>>')),
    of('resources that are a number', buildPdf(pageObjects({ page: '/Resources 1' }))),
    of('an unknown color space', drawn('/C cs', '/ColorSpace <</C /Other>>')),
    of('a color of a table', drawn('/C cs 0 sc', '/ColorSpace <</C [/Indexed /DeviceGray 0 <00>]>>')),
  ]
}

function filters(): readonly HostileFile[] {
  return [
    of('a content with an unknown filter', filtered('/Filter /Other', 'n')),
    of('a content with a short name of a filter', filtered('/Filter /AHx', '6E>')),
    of('hexadecimal data with other characters', filtered('/Filter /ASCIIHexDecode', '6xE>')),
    of('hexadecimal data without an end', filtered('/Filter /ASCIIHexDecode', '6E')),
    of('data behind the end', filtered('/Filter /ASCIIHexDecode', '6E>6E6E6E')),
    of('a content with a predictor', filtered('/DecodeParms <</Predictor 2>>', 'n')),
    of('a content of runs', filtered('/Filter /RunLengthDecode', '\u{0}n\u{80}')),
    of('parameters for other filters', filtered('/DecodeParms [null null]', 'n')),
    of('compressed data without its checksum', filtered('/Filter /FlateDecode', '\u{78}\u{9c}\u{3}\u{0}')),
  ]
}

function pictures(): readonly HostileFile[] {
  const gray = '/ColorSpace /DeviceGray /BitsPerComponent 8'
  return [
    of('a picture that hides operators', drawn('BI /W 1 /H 1 /BPC 8 /CS /G ID x EI 0 0 m S\nEI')),
    of('a picture whose end cannot be told', drawn('BI /W 1 /H 1 /BPC 8 /CS /G /F /DCT ID x EI')),
    of('a picture without colors', picture('/BitsPerComponent 8')),
    of('a picture of three bits', picture('/ColorSpace /DeviceGray /BitsPerComponent 3')),
    of('a picture of an unknown color space', picture('/ColorSpace /Other /BitsPerComponent 8')),
    of('a table of 301 colors', picture('/ColorSpace [/Indexed /DeviceGray 300 <00>] /BitsPerComponent 8')),
    of('a stencil of eight bits', picture('/ImageMask true /BitsPerComponent 8')),
    of('a picture without its data', picture(gray, '')),
    of('a mask in the data', picture(`${gray} /SMaskInData 1`)),
    of('a color that is not in the table', picture('/ColorSpace [/Indexed /DeviceGray 0 <00>] /BitsPerComponent 8')),
    of('a mask that is no stencil', picture(`${gray} /Mask 5 0 R`)),
    of('a soft mask that is a stencil', picture(`${gray} /SMask 4 0 R`)),
    of('two masks', picture(`${gray} /Mask [0 0] /SMask 4 0 R`)),
  ]
}

function objects(): readonly HostileFile[] {
  const pattern = (members: string) =>
    drawn('/Pattern cs /P scn', '/Pattern <</P 5 0 R>>', streamBody(`/PatternType 1 ${members}`, ''))
  const shading = (members: string) => drawn('/S sh', `/Shading <</S <<${members} /ColorSpace /DeviceGray>>>>`)
  return [
    of('a printer that changes colors', drawn('/G gs', '/ExtGState <</G <</TR <</FunctionType 4>>>>>>')),
    of('another meaning of a device color', drawn('', '/ColorSpace <</DefaultRGB [/Separation /X /DeviceGray 1]>>')),
    of('a form without a place', form('', '/Matrix [0 0 0 0 0 0]')),
    of('a form with half a matrix', form('', '/Matrix [1 0 0 1]')),
    of('a pattern without a step', pattern('/PaintType 1 /BBox [0 0 9 9] /XStep 0 /YStep 9')),
    of('a pattern without a box', pattern('/PaintType 1 /XStep 9 /YStep 9')),
    of('an unknown shading', shading('/ShadingType 9')),
    of('a shading with five coordinates', shading('/ShadingType 2 /Coords [0 0 9 0 0]')),
    of('a shading that is extended once', shading('/ShadingType 2 /Coords [0 0 9 0] /Extend [true]')),
    of('an unknown function', drawn('', '', '<</FunctionType 9>>')),
    of('a function with a negative exponent', drawn('', '', '<</FunctionType 2 /N -1>>')),
    of('a function of functions without them', drawn('', '', '<</FunctionType 3>>')),
    of('a function with an empty range', drawn('', '', '<</FunctionType 2 /N 1 /Range [1 1]>>')),
    of('an opacity of -1', drawn('/G gs', '/ExtGState <</G <</ca -1>>>>')),
    of('a font without a size', drawn('', '', `<</Subtype /Type3 /FontMatrix [0 0 0 0 0 0] ${GLYPHS}>>`)),
    of(
      'a font without its widths',
      drawn('', '', `<</Subtype /Type3 /FontMatrix [1 0 0 1 0 0] ${GLYPHS} /LastChar 9>>`.replace('/LastChar 0', '')),
    ),
    of('an ink that is not printed', drawn('/C cs', '/ColorSpace <</C [/Separation /None /DeviceGray 1]>>')),
    of('inks that are not printed', drawn('/C cs', '/ColorSpace <</C [/DeviceN [/None] /DeviceGray 1]>>')),
    of(
      'a color space without a white',
      drawn('/C cs', '/ColorSpace <</C [/CalGray <</WhitePoint [1 1 1] /Gamma 0>>]>>'),
    ),
    of(
      'a glyph with an unknown operator',
      drawn(
        '',
        '',
        '<</Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FirstChar 0 /LastChar 0 /Widths [1] /CharProcs <</a 6 0 R>>>>',
        streamBody('', 'foo'),
      ),
    ),
  ]
}

function looks(): readonly HostileFile[] {
  const stamp = '/Subtype /Stamp /AP <</N 6 0 R>>'
  const box = '/Subtype /Widget /FT /Btn'
  return [
    of('a comment above a field', fields(`${box} /Ff 65536 /AP <</N 6 0 R>>`, stamp)),
    of('a check box with one look', fields(`${box} /AP <</N 6 0 R>>`, '/Subtype /Link')),
    of('a check box in an unknown state', fields(`${box} /AS /Other /AP <</N <</On 6 0 R>>>>`, '/Subtype /Link')),
    of('a stamp with states and none chosen', fields('/Subtype /Stamp /AP <</N <</On 6 0 R>>>>', '/Subtype /Link')),
    of(
      'a text field with states',
      fields('/Subtype /Widget /FT /Tx /AS /On /AP <</N <</On 6 0 R>>>>', '/Subtype /Link'),
    ),
  ]
}
