import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Operand, Operator } from './operands.ts'
import { ScanBudget } from './scan-budget.ts'
import { Tokenizer } from './tokenizer.ts'
import { UnreadableContent } from './unreadable.ts'

function operatorsOf(content: string): readonly Operator[] {
  const tokenizer = new Tokenizer(Buffer.from(content, 'latin1'), new ScanBudget(content.length))
  const operators: Operator[] = []
  for (let operator = tokenizer.next(); operator !== null; operator = tokenizer.next()) operators.push(operator)
  return operators
}

test('every operator and operand knows its bytes', () => {
  const content = 'q % a comment\n/F1 12 Tf [(a\\)b) -3.5 <61 6>]TJ/P<</MCID 1>>BDC\rtrue (x) "'
  const slice = ({ start, end }: { start: number; end: number }): string => content.slice(start, end)
  const operators = operatorsOf(content)
  expect(operators.map(slice)).toEqual(['q', '/F1 12 Tf', '[(a\\)b) -3.5 <61 6>]TJ', '/P<</MCID 1>>BDC', 'true (x) "'])
  const [list] = operators[2]?.operands ?? []
  const items: readonly Operand[] = list?.kind === 'array' ? list.items : []
  expect(items.map(slice)).toEqual(['(a\\)b)', '-3.5', '<61 6>'])
  expect(items.map((item) => (item.kind === 'string' ? Buffer.from(item.bytes).toString() : null))).toEqual([
    'a)b',
    null,
    'a`',
  ])
})

test('numbers as producers write them', () => {
  const numbers = operatorsOf('1 -2 +3 .5 -.5 4. 00.250 --6 1.2.3 7-8 1e5 - w')[0]?.operands
  expect(numbers?.map((number) => (number.kind === 'number' ? number.value : null))).toEqual([
    1, -2, 3, 0.5, -0.5, 4, 0.25, -6, 1.2, 7, 1, -0,
  ])
})

test('an inline image is one operator, whatever its data', () => {
  const content = 'BI /W 2 /F /A85 ID q EIx (\u{0}\u{ff} EI \u{1} Q\nEI Q'
  expect(operatorsOf(content).map(({ name, start, end }) => [name, start, end])).toEqual([
    ['BI', 0, content.length - 2],
    ['Q', content.length - 1, content.length],
  ])
})

test('stray delimiters are skipped, operands without an operator are dropped', () => {
  expect(operatorsOf(') > ] } q 1 2 3').map(({ name }) => name)).toEqual(['q'])
})

describe('unreadable', () => {
  test.each(['(open', '[1 2', '<41', '<</A 1', 'BI /W 1', 'BI ID data', 'x'.repeat(200), `/${'x'.repeat(2_000)}`])(
    '%.20s',
    (content) => {
      expect(() => operatorsOf(content)).toThrow(UnreadableContent)
    },
  )
})

test('what is between the operators is whitespace, comments and stray delimiters', propertyLimits, () => {
  const piece = fc.constantFrom(
    'q',
    'Q',
    '1',
    '-.5',
    '/F1',
    '(a(b)\\))',
    '<41>',
    '[(a) 2]',
    'Tj',
    'true',
    ' ',
    '\n',
    '%c\n',
    ')',
    'BT',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const content = `${pieces.join(' ')} END`
      let at = 0
      for (const { start, end, name } of operatorsOf(content)) {
        expect(content.slice(at, start)).toMatch(/^(\s|%c\n|\))*$/)
        expect(content.slice(start, end).endsWith(name)).toBe(true)
        at = end
      }
      expect(at).toBe(content.length)
    }),
    propertySettings,
  )
})
