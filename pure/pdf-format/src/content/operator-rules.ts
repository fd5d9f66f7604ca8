import type { Operand, Operator } from './operands.ts'

/** The operands of each operator: n number, / name, s string, a array, d dictionary or name; `*` any number of numbers. */
const OPERANDS: Readonly<Record<string, string>> = {
  ...rule('', 'b B b* B* f F f* n s S h W W* q Q BT ET T* EMC BX EX BI'),
  ...rule('n', 'w J j M i G g Tc Tw Tz TL Ts Tr'),
  ...rule('nn', 'm l Td TD d0'),
  ...rule('nnn', 'rg RG'),
  ...rule('nnnn', 'v y re k K'),
  ...rule('nnnnnn', 'c cm Tm d1'),
  ...rule('/', 'ri gs cs CS sh Do BMC MP'),
  ...rule('/d', 'BDC DP'),
  ...rule('/n', 'Tf'),
  ...rule('an', 'd'),
  ...rule('s', "Tj '"),
  ...rule('nns', '"'),
  ...rule('a', 'TJ'),
  ...rule('*', 'sc SC scn SCN'),
}

function rule(operands: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, operands]))
}

const LETTERS: Readonly<Record<Operand['kind'], string>> = {
  number: 'n',
  name: '/',
  string: 's',
  array: 'a',
  dict: 'd',
  constant: '-',
}

/** Why viewers may read an operator in different ways; null if they do not. */
export function faultOf({ name, operands }: Operator): string | null {
  const rules = OPERANDS[name]
  if (rules === undefined) return 'an unknown operator'
  const given = operands.map(({ kind }) => LETTERS[kind]).join('')
  if (rules === '*') return /^n*\/?$/.test(given) ? null : 'a color that is none'
  if (given !== rules && !(rules === '/d' && given === '//')) return `operands that ${name} does not have`
  const [first] = operands
  if (
    name === 'TJ' &&
    first?.kind === 'array' &&
    first.items.some(({ kind }) => kind !== 'string' && kind !== 'number')
  )
    return 'other values among strings'
  if (name === 'd' && first?.kind === 'array' && first.items.some(({ kind }) => kind !== 'number'))
    return 'other values among dashes'
  return null
}
