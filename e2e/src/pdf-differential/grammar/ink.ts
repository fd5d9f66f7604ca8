import type { Kind } from './kind.ts'
import { FIRST, form, sheetPdf, stream } from './sheet.ts'
import { COVER, drawSum, HIGH, LOW } from './sums.ts'

const HIGH_PATHS = drawSum(HIGH).replace('0 g ', '')
const COVER_PATH = COVER.replace('1 g ', '')

/** Colors, transparency and fonts. */
export const inkKinds: readonly Kind[] = [
  {
    name: 'an ink of its own',
    make: (chance) =>
      sheetPdf({
        content: `${drawSum(LOW)} /C1 cs ${chance.pick(['0', '1', '0.5', '2', '-1', '0 0'])} sc ${COVER_PATH} 0 g ${chance.pick(['', HIGH_PATHS])}`,
        resources: `/ColorSpace <</C1 ${chance.pick([
          `[/Separation /All /DeviceGray ${FIRST} 0 R]`,
          `[/Separation /None /DeviceGray ${FIRST} 0 R]`,
          `[/Separation /Gold /DeviceGray ${FIRST} 0 R]`,
          `[/Separation /Black /DeviceGray ${FIRST} 0 R]`,
          `[/DeviceN [/None] /DeviceGray ${FIRST} 0 R]`,
          `[/DeviceN [/A] /DeviceGray ${FIRST} 0 R]`,
          '[/Indexed /DeviceGray 1 <ff00>]',
          '[/CalGray <</WhitePoint [0.95 1 1.08] /Gamma 0>>]',
          '[/CalGray <</WhitePoint [0 0 0]>>]',
          `[/ICCBased ${FIRST + 1} 0 R]`,
          '[/Pattern]',
          '/DeviceGray',
          '/Pattern',
        ])}>>`,
        more: [
          `<</FunctionType 2 /Domain [0 1] /C0 [${chance.pick(['0', '1'])}] /C1 [${chance.pick(['0', '1'])}] /N ${chance.pick(['1', '0', '-1'])} ${chance.pick(['', '/Range [0 1]', '/Range [1 1]'])}>>`,
          stream(
            'not a profile',
            `/N ${chance.pick(['1', '3'])} /Alternate /DeviceGray /Range [0 ${chance.pick(['1', '2'])}]`,
          ),
        ],
      }),
  },
  {
    name: 'another meaning of a device color',
    make: (chance) =>
      sheetPdf({
        content: `${drawSum(LOW)} ${chance.pick(['1 g', '1 1 1 rg', '0 0 0 0 k'])} ${COVER_PATH} ${chance.pick(['0 g', '0 0 0 rg', '0 0 0 1 k'])} ${HIGH_PATHS}`,
        resources: `/ColorSpace <<${chance.pick(['/DefaultGray', '/DefaultRGB', '/DefaultCMYK'])} ${chance.pick([`[/Separation /X /DeviceGray ${FIRST} 0 R]`, '[/CalGray <</WhitePoint [0.95 1 1.08] /Gamma 9>>]', '[/Indexed /DeviceGray 1 <ff00>]'])}>>`,
        more: ['<</FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1>>'],
      }),
  },
  {
    name: 'states of the printer',
    make: (chance) =>
      sheetPdf({
        content: `/G1 gs ${drawSum(LOW)} ${chance.pick(['/G1 gs', ''])} ${COVER} ${drawSum(HIGH)}`,
        resources: `/ExtGState <</G1 <<${chance.pick([
          `/TR ${FIRST} 0 R`,
          `/TR2 ${FIRST} 0 R`,
          '/TR /Identity',
          `/BG ${FIRST} 0 R /UCR ${FIRST} 0 R`,
          '/OP true /op true /OPM 1',
          '/HT <</HalftoneType 1 /Frequency 1 /Angle 0 /SpotFunction /Round>>',
          '/SA true /FL 0',
          '/LW 90 /D [[1] 0]',
          '/Font [5 0 R 12]',
          '/RI /Saturation /AIS true /TK false',
        ])}>>>>`,
        more: ['<</FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1>>'],
      }),
  },
  {
    name: 'overprinted inks',
    make: (chance) =>
      sheetPdf({
        content: `0 0 0 1 k ${drawSum(LOW).replace('0 g', '')} /G1 gs ${chance.pick(['0 0 0 0 k', '1 0 0 0 k', '/C1 cs 1 scn', '/C1 cs 0 scn'])} ${COVER_PATH}`,
        resources: `/ExtGState <</G1 <</OP true /op true /OPM ${chance.pick(['0', '1'])}>>>> /ColorSpace <</C1 [/Separation /Gold /DeviceCMYK ${FIRST} 0 R]>>`,
        more: ['<</FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0 0 0] /N 1>>'],
      }),
  },
  {
    name: 'transparency',
    make: (chance) =>
      sheetPdf({
        content: `${drawSum(LOW)} /G1 gs /X1 Do`,
        resources:
          `/XObject <</X1 ${FIRST} 0 R>> /ExtGState <</G1 <<` +
          `/BM ${chance.pick(['/Normal', '/Multiply', '/Difference', '/Compatible', '/Unheard', '[/Unheard /Darken]', '/Luminosity', '/ColorBurn'])} ` +
          `${chance.pick(['', '/ca 0', '/ca 2', '/ca -1', '/CA 0'])} ${chance.pick(['', `/SMask <</S /Luminosity /G ${FIRST + 1} 0 R /BC [${chance.pick(['0', '1'])}]>>`, `/SMask <</S /Alpha /G ${FIRST + 1} 0 R>>`, '/SMask /None'])}>>>>`,
        more: [
          form(
            `${COVER} ${drawSum(HIGH)}`,
            `/Group <</S /Transparency ${chance.pick(['', '/I true', '/K true', '/CS /DeviceGray'])}>>`,
          ),
          form(
            chance.pick(['1 g 0 0 240 160 re f', '0 g 0 0 240 160 re f', '']),
            '/Group <</S /Transparency /CS /DeviceGray>>',
          ),
        ],
      }),
  },
  {
    name: 'a pattern or a shading',
    make: (chance) =>
      sheetPdf({
        content: `${drawSum(LOW)} ${chance.pick(['/Pattern cs /P1 scn 20 30 200 100 re f', '/S1 sh', '/Pattern cs /P2 scn 20 30 200 100 re f'])} ${drawSum(HIGH).slice(0, chance.pick([0, 10_000]))}`,
        resources: `/Pattern <</P1 ${FIRST} 0 R /P2 <</PatternType 2 /Shading ${FIRST + 1} 0 R>>>> /Shading <</S1 ${FIRST + 1} 0 R>>`,
        more: [
          stream(
            `1 g 0 0 10 10 re f`,
            `/PatternType 1 /PaintType ${chance.pick(['1', '2'])} /TilingType 1 /BBox [0 0 10 10] /XStep ${chance.pick(['10', '-10', '0', '1000', '0.001'])} /YStep 10 /Resources <<>>`,
          ),
          `<</ShadingType ${chance.pick(['1', '2', '3', '9'])} /ColorSpace /DeviceGray /Coords [0 0 240 ${chance.pick(['0', '0 0 9', '0 0'])}] /Domain [0 1] /Extend [${chance.pick(['true true', 'false false', 'true'])}] /Function ${FIRST + 2} 0 R ${chance.pick(['', '/BBox [0 0 1 1]', '/Background [1]'])}>>`,
          `<</FunctionType ${chance.pick(['2', '3', '9'])} /Domain [0 1] /C0 [1] /C1 [1] /N 1>>`,
        ],
      }),
  },
  {
    name: 'a font of drawings',
    make: (chance) =>
      sheetPdf({
        content: `${drawSum(LOW)} BT /F1 ${chance.pick(['1', '0', '-1', '1000'])} Tf ${chance.pick(['0', '3', '7', '9'])} Tr (${chance.pick(['a', 'b', 'ab', ''])}) Tj ET ${chance.pick(['', drawSum(LOW)])}`,
        resources: `/Font <</F1 ${FIRST} 0 R>>`,
        more: [
          `<</Type /Font /Subtype /Type3 /FontBBox [${chance.pick(['0 0 240 160', '0 0 0 0', '0 0 1 1'])}] /FontMatrix [${chance.pick(['1 0 0 1 0 0', '0 0 0 0 0 0', '1 0 0 1', '0.001 0 0 0.001 0 0'])}] /FirstChar 97 /LastChar ${chance.pick(['98', '97', '96'])} /Widths [240 240]` +
            ` /Encoding <</Differences [97 /a /b]>> /CharProcs <</a ${FIRST + 1} 0 R>> ${chance.pick(['', '/Resources <<>>'])}>>`,
          stream(`${chance.pick(['240 0 d0', '240 0 0 0 240 160 d1', ''])} ${COVER} ${drawSum(HIGH)}`),
        ],
      }),
  },
  {
    name: 'words in a font of the viewer',
    make: (chance) =>
      sheetPdf({
        content: `BT /F1 30 Tf ${chance.pick(['0', '3', '1', '2', '7'])} Tr 20 60 Td ${chance.pick(['(100 EUR) Tj', '[(1) -200 (00 EUR)] TJ', '<313030> Tj', '(1\\0600) Tj', '(10\\\n0) Tj', '(\\061\\60\\0600) Tj'])} ET`,
        resources: `/Font <</F1 <</Type /Font /Subtype /${chance.pick(['Type1', 'TrueType', 'MMType1'])} /BaseFont /${chance.pick(['Helvetica', 'Arial', 'Courier', 'Symbol', 'ZapfDingbats', 'ArialMT,Bold', 'Unheard'])} ${chance.pick(['', '/Encoding /WinAnsiEncoding', '/Encoding <</Differences [49 /nine]>>', '/Encoding /Unheard', '/FirstChar 48 /LastChar 57 /Widths [900 900 900 900 900 900 900 900 900 900]'])}>>>>`,
      }),
  },
]
