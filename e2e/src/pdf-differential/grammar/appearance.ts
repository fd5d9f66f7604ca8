import type { Kind } from './kind.ts'
import { FIRST, form, sheetPdf, stream } from './sheet.ts'
import { COVER, drawSum, HIGH, LOW } from './sums.ts'

const high = `${COVER} ${drawSum(HIGH)}`
const NAMED = `/XObject <</X1 ${FIRST} 0 R>>`

/** Layers, annotations and fields. */
export const appearanceKinds: readonly Kind[] = [
  {
    name: 'a layer',
    make: (chance) =>
      sheetPdf({
        content: `${drawSum(LOW)} ${chance.pick(['/OC /L1 BDC', '/OC /L2 BDC', '/OC <</Type /OCG>> BDC', '/Oc /L1 BDC', '/OC BMC'])} ${high} EMC`,
        resources: `/Properties <</L1 ${FIRST} 0 R>>`,
        catalog: chance.pick([
          `/OCProperties <</OCGs [${FIRST} 0 R] /D <</ON [${FIRST} 0 R]>>>>`,
          `/OCProperties <</OCGs [${FIRST} 0 R] /D <</BaseState /Unchanged>>>>`,
          `/OCProperties <</OCGs [${FIRST} 0 R] /D <</OFF []>>>>`,
          `/OCProperties <</OCGs [] /D <<>>>>`,
          '',
        ]),
        more: [
          `<</Type ${chance.pick(['/OCG', '/OCMD /OCGs null', '/OCMD /OCGs [] /P /AllOff', `/OCMD /OCGs ${FIRST} 0 R`])} /Name (L) ${chance.pick(['', '/Intent /Design', '/Intent [/View]', '/Intent []', '/Usage <</Print <</PrintState /ON>>>>'])}>>`,
        ],
      }),
  },
  {
    name: 'a layer of a form, a picture or an annotation',
    make: (chance) =>
      sheetPdf({
        content: `${drawSum(LOW)} /X1 Do`,
        resources: NAMED,
        catalog: chance.pick([`/OCProperties <</OCGs [${FIRST + 1} 0 R] /D <</ON [${FIRST + 1} 0 R]>>>>`, '']),
        more: [
          form(high, `/OC ${FIRST + 1} 0 R`),
          `<</Type ${chance.pick(['/OCG', '/OCMD', `/OCMD /OCGs ${FIRST + 1} 0 R /P /AllOff`])} /Name (L)>>`,
        ],
      }),
  },
  {
    name: 'an annotation',
    make: (chance) =>
      sheetPdf({
        content: drawSum(LOW),
        page: `/Annots [${FIRST} 0 R]`,
        more: [
          `<</Type /Annot /Subtype /${chance.pick(['Stamp', 'Square', 'FreeText', 'Ink', 'Highlight', 'Widget', 'Text', 'Link', 'Popup', 'Watermark', 'PrinterMark', 'TrapNet', 'Redact', 'Unheard'])}` +
            ` /Rect [${chance.pick(['0 0 240 160', '240 160 0 0', '0 0 0 0', '0 0 240', '-10 0 240 160'])}] /F ${chance.pick(['4', '4', '68', '28', '516', '132'])}` +
            ` /AP <<${chance.pick([`/N ${FIRST + 1} 0 R`, `/N <</On ${FIRST + 1} 0 R>> /D ${FIRST + 1} 0 R`, `/R ${FIRST + 1} 0 R`, `/N null /D ${FIRST + 1} 0 R`])}>> ${chance.pick(['', '/AS /On', '/AS /Off', '/AS null'])} ${chance.pick(['', '/CA 0', '/CA 0.0', '/BS <</W 40>>', '/C [1 1 1]'])}>>`,
          form(high, chance.pick(['', '/Matrix [1 0 0 1 500 0]', '/Matrix [0 0 0 0 0 0]', '/Matrix [1 0 0 -1 0 160]'])),
        ],
      }),
  },
  {
    name: 'annotations on top of each other',
    make: (chance) =>
      sheetPdf({
        content: drawSum(LOW),
        page: `/Annots [${chance.pick([`${FIRST} 0 R ${FIRST + 1} 0 R`, `${FIRST + 1} 0 R ${FIRST} 0 R`, `null ${FIRST} 0 R ${FIRST} 0 R`])}]`,
        more: [
          `<</Type /Annot /Subtype /Widget /FT /Btn /Rect [0 0 240 160] /F 4 /AP <</N ${FIRST + 2} 0 R>>>>`,
          `<</Type /Annot /Subtype /Stamp /Rect [0 0 240 160] /F 4 /AP <</N ${FIRST + 3} 0 R>>>>`,
          form(high),
          form(`${COVER} ${drawSum(LOW)}`),
        ],
      }),
  },
  {
    name: 'a field',
    make: (chance) =>
      sheetPdf({
        content: drawSum(LOW),
        catalog: `/AcroForm <</Fields [${FIRST} 0 R] ${chance.pick(['', '/NeedAppearances false', '/NeedAppearances null', '/DA (/Helv 12 Tf)'])}>>`,
        page: `/Annots [${FIRST} 0 R]`,
        more: [
          `<</Type /Annot /Subtype /Widget /T (a) /FT /${chance.pick(['Btn', 'Tx', 'Ch'])} /Ff ${chance.pick(['0', '65536', '8192', '1', '131072'])} /Rect [0 0 240 160] /F 4` +
            ` /V ${chance.pick(['/On', '/Off', '(900)', 'null', '/Other'])} /AS /${chance.pick(['On', 'Off', 'Other'])} /MK <<${chance.pick(['', '/BG [1 1 1]', '/CA (x)', '/R 180'])}>>` +
            ` /AP <</N ${chance.pick([`<</On ${FIRST + 1} 0 R /Off ${FIRST + 2} 0 R>>`, `${FIRST + 1} 0 R`, `<</On ${FIRST + 1} 0 R>>`])}>>>>`,
          form(high),
          form(''),
        ],
      }),
  },
  {
    name: 'the size of the page',
    make: (chance) =>
      sheetPdf({
        content: `${drawSum(LOW)} 1 0 0 1 240 0 cm ${drawSum(HIGH)}`,
        page: chance.pick([
          '/MediaBox [0 0 480 160] /CropBox [0 0 240 160]',
          '/MediaBox [0 0 480 160] /CropBox [240 0 480 160]',
          '/MediaBox [0 0 240 160] /CropBox [0 0 480 160]',
          '/MediaBox [240 160 0 0]',
          '/MediaBox [0 0 480 160] /CropBox [500 0 700 160]',
          '/MediaBox [0 0 480 160] /CropBox [0 0 0 0]',
          '/MediaBox [0 0 480 160] /TrimBox [0 0 240 160] /ArtBox [0 0 240 160]',
          '/MediaBox [0 0 240 160] /UserUnit 2',
          '/MediaBox [0 0 240 160] /UserUnit 0.5',
          '/MediaBox [0 0 240 160] /Rotate -90',
          '/MediaBox [0 0 240 160] /Rotate 450',
          '/MediaBox [0 0 480 160] /CropBox [0 0 240.5 160.5]',
          '/MediaBox [0 0 480 160] /CropBox [0 0 240 160 5]',
          '/MediaBox [0 0 1e2 160]',
        ]),
      }),
  },
  {
    name: 'a picture',
    make(chance) {
      const samples = chance.pick(['\u{0}', '\u{ff}', '\u{0}\u{ff}', ''])
      return sheetPdf({
        content: `${drawSum(HIGH)} q 200 0 0 100 20 30 cm /X1 Do Q ${chance.pick(['', drawSum(LOW)])}`,
        resources: NAMED,
        more: [
          stream(
            samples,
            `/Subtype /Image /Width 1 /Height 1 ${chance.pick([
              '/ColorSpace /DeviceGray /BitsPerComponent 8',
              '/ColorSpace /DeviceGray /BitsPerComponent 8 /Decode [1 0]',
              '/ColorSpace /DeviceGray /BitsPerComponent 8 /Decode [0 2]',
              '/ImageMask true',
              '/ImageMask true /Decode [1 0]',
              '/ImageMask true /BitsPerComponent 8',
              '/ColorSpace [/Indexed /DeviceGray 0 <ff>] /BitsPerComponent 8',
              '/ColorSpace [/Indexed /DeviceGray 300 <ff00>] /BitsPerComponent 8',
              '/ColorSpace /DeviceGray /BitsPerComponent 8 /Mask [255 255]',
              '/ColorSpace /DeviceGray /BitsPerComponent 8 /Mask [0 300]',
              '/ColorSpace /DeviceGray /BitsPerComponent 3',
              '/ColorSpace /DeviceGray /BitsPerComponent 8 /SMaskInData 1',
              `/ColorSpace /DeviceGray /BitsPerComponent 8 /SMask ${FIRST + 1} 0 R`,
              `/ColorSpace /DeviceGray /BitsPerComponent 8 /Mask ${FIRST + 1} 0 R`,
              '/ColorSpace /Unheard /BitsPerComponent 8',
              '/BitsPerComponent 8',
            ])}`,
          ),
          stream(
            chance.pick(['\u{ff}', '\u{0}', '\u{7f}']),
            `/Subtype /Image /Width 1 /Height 1 ${chance.pick(['/ColorSpace /DeviceGray /BitsPerComponent 8 /Matte [1]', '/ColorSpace /DeviceGray /BitsPerComponent 8 /Decode [1 0]', '/ImageMask true', '/ImageMask true /Decode [1 0]'])}`,
          ),
        ],
      })
    },
  },
]
