import type { Chance } from '../chance.ts'
import type { Kind } from './kind.ts'
import { FIRST, form, NONE, sheetPdf, stream } from './sheet.ts'
import { COVER, drawSum, HIGH, LOW } from './sums.ts'

const page = (content: string, resources = '', more: readonly string[] = []): Uint8Array =>
  sheetPdf({ content, resources, more })

/** Operators, operands and how streams are joined. */
export const contentKinds: readonly Kind[] = [
  {
    name: 'two sums, one of them covered',
    make: (chance) => page(chance.pick([`${drawSum(HIGH)} ${COVER} ${drawSum(LOW)}`, drawSum(LOW)])),
  },
  {
    name: 'a token that two contents share',
    make(chance) {
      const [head, tail] = splitAt(`${drawSum(LOW)} `, chance)
      const gap = chance.pick(['', ' ', '\n', '%\n', '/'])
      return sheetPdf({
        content: head,
        page: `/Contents [4 0 R ${FIRST} 0 R]`,
        more: [stream(gap + tail)],
      })
    },
  },
  {
    name: 'numbers that are not quite numbers',
    make(chance) {
      const odd = chance.pick([
        '3-0',
        '--30',
        '+30',
        '30.',
        '.3e2',
        '3e1',
        '30.0.5',
        '-.',
        '0x1e',
        '3 0',
        '30-',
        '1.-5',
      ])
      return page(`q 1 0 0 1 ${odd} 0 cm ${drawSum(LOW, 0)} Q ${chance.pick(['', COVER])}`)
    },
  },
  {
    name: 'too many or too few operands',
    make: (chance) =>
      page(
        `${drawSum(LOW)} ${chance.pick([
          '1 g 9 9 20 30 200 100 re f',
          '1 g 30 200 100 re f',
          '1 1 1 1 g 20 30 200 100 re f',
          '1 g (x) 20 30 200 100 re f',
          '1 g 20 30 200 /N re f',
          '[1] 0 g 20 30 200 100 re f',
          '1 0 0 1 0 cm 1 g 20 30 200 100 re f',
        ])} ${drawSum(chance.pick([LOW, HIGH]))}`,
      ),
  },
  {
    name: 'unknown operators and compatibility sections',
    make: (chance) =>
      page(
        `${chance.pick(['BX', '', 'EX', 'BX BX EX'])} ${chance.pick(['qq', 'foo', 'true', 'null', 're2', 'R'])} ${drawSum(LOW)} ` +
          `${chance.pick(['EX', ''])} ${chance.pick(['', `f1 ${COVER}`, `1 2 bar ${COVER} ${drawSum(HIGH)}`])}`,
      ),
  },
  {
    name: 'unbalanced states',
    make: (chance) =>
      page(
        `${chance.pick(['Q', 'Q Q Q', 'q q', 'ET', 'BT BT', 'BT q'])} ${drawSum(LOW)} ` +
          `${chance.pick(['q 0 0 0 0 0 0 cm', 'Q', 'q 1 0 0 1 500 0 cm', 'W n'])} ${chance.pick(['Q', '', 'ET'])} ${drawSum(chance.pick([LOW, HIGH]))}`,
      ),
  },
  {
    name: 'clipping without a path',
    make: (chance) =>
      page(
        `q ${chance.pick(['W n', '0 0 0 0 re W n', '20 30 0 100 re W n', '300 300 1 1 re W* n', '20 30 200 100 re W'])} ` +
          `${drawSum(HIGH)} Q ${chance.pick(['', drawSum(LOW)])}`,
      ),
  },
  {
    name: 'an inline picture that hides operators',
    make(chance) {
      const length = chance.pick(['', '/L 1 ', '/Length 30 ', '/L 3000 '])
      const fake = chance.pick([' EI ', '\nEI\n', ' EI\u{0}', 'EI', ' EI Q '])
      return page(
        `${drawSum(LOW)} q 1 0 0 1 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ${length}ID \u{ff}${fake}${drawSum(HIGH)}\nEI Q ${chance.pick(['', COVER + drawSum(LOW)])}`,
      )
    },
  },
  {
    name: 'resources that a form or page does not have itself',
    make(chance) {
      const drawn = form(`/X2 Do ${chance.pick(['', COVER])}`, chance.pick(['', '/Resources <<>>', '/Resources null']))
      const inner = form(drawSum(HIGH))
      const names = `/XObject <</X1 ${FIRST} 0 R /X2 ${FIRST + 1} 0 R>>`
      const isInherited = chance.below(2) === 0
      return sheetPdf({
        content: `${drawSum(LOW)} /X1 Do`,
        resources: isInherited ? NONE : names,
        tree: isInherited ? `/Resources <<${names}>>` : '',
        more: [drawn, inner],
      })
    },
  },
  {
    name: 'names that are missing or written in two ways',
    make: (chance) =>
      page(
        `${drawSum(LOW)} ${chance.pick(['/X1 Do', '/X#31 Do', '/x1 Do', '/X1# Do', '/X Do', '(X1) Do'])}`,
        `/XObject <<${chance.pick(['/X1', '/X#31', '/X#1', '/X'])} ${FIRST} 0 R>>`,
        [form(`${COVER} ${drawSum(HIGH)}`)],
      ),
  },
  {
    name: 'a form with odd members',
    make: (chance) =>
      page(`${drawSum(LOW)} /X1 Do`, `/XObject <</X1 ${FIRST} 0 R>>`, [
        stream(
          `${COVER} ${drawSum(HIGH)}`,
          chance.pick([
            '/Subtype /Form',
            '/Subtype /Form /BBox [0 0 0 0]',
            '/Subtype /Form /BBox [240 160 0 0]',
            '/Subtype /Form /BBox [0 0 240]',
            '/Subtype /Form /BBox [0 0 240 160] /Matrix [1 0 0 1]',
            '/Subtype /Form /BBox [0 0 240 160] /Matrix [0 0 0 0 0 0]',
            '/Subtype /Form /BBox [0 0 240 160] /FormType 2',
            '/BBox [0 0 240 160]',
            '/Subtype /PS /BBox [0 0 240 160]',
            '/Subtype /Form /Subtype2 /PS /BBox [0 0 240 160]',
            '/Type /Font /Subtype /Form /BBox [0 0 240 160]',
          ]),
        ),
      ]),
  },
  {
    name: 'comments and white space of other kinds',
    make: (chance) =>
      page(
        `${drawSum(LOW)} %${chance.pick(['\r', '\f', '\u{0}', '\u{85}', '\u{b}', '\u{2028}'])}${COVER} ${drawSum(HIGH)}${chance.pick(['\n', ''])}`,
      ),
  },
]

function splitAt(text: string, chance: Chance): readonly [string, string] {
  const at = 3 + chance.below(text.length - 6)
  return [text.slice(0, at), text.slice(at)]
}
