import type { Glyph } from '../content/glyph.ts'
import type { Operand, Operator } from '../content/operands.ts'

/** What becomes of a glyph; those without a fate stay. */
export type Fate =
  | { readonly type: 'shift'; readonly by: number }
  | { readonly type: 'remove' }
  | { readonly type: 'value'; readonly value: DrawnValue }

/** Operators that draw a value from the current position on, and leave the text state as it was. */
export interface DrawnValue {
  readonly operators: string
  /** From the start of the glyph to that of the value, along the line, on the page. */
  readonly offset: number
  /** On the page. */
  readonly width: number
}

/**
 * An operator that shows text, written again. It begins and ends at the same places as before, so that all other
 * operators can stay as they are. Latin-1 text, one character per byte.
 */
export function writeShow(
  operator: Operator,
  glyphs: readonly Glyph[],
  fateOf: (glyph: Glyph) => Fate | undefined,
): string {
  const writer = new ShowWriter(glyphs[0])
  let next = 0
  for (const item of itemsOf(operator)) {
    if (item.kind === 'number') writer.number(item.value)
    for (; item.kind === 'string' && glyphs[next]?.show.string === item; next += 1) {
      const glyph = glyphs[next]
      if (glyph !== undefined) writer.glyph(glyph, fateOf(glyph))
    }
  }
  return ` ${beginning(operator)}${writer.finish()} `
}

function itemsOf({ name, operands }: Operator): readonly Operand[] {
  if (name !== 'TJ') return operands.slice(-1)
  return operands[0]?.kind === 'array' ? operands[0].items : []
}

/** `'` and `"` move to the next line first. */
function beginning({ name, operands }: Operator): string {
  if (name === "'") return 'T* '
  if (name !== '"') return ''
  const [word, character] = operands
  const spacing = (operand: Operand | undefined): string =>
    formatNumber(operand?.kind === 'number' ? operand.value : 0)
  return `${spacing(word)} Tw ${spacing(character)} Tc T* `
}

class ShowWriter {
  /** Distance on the page that a thousand of a `TJ` number go along the line. */
  readonly #unit: number
  readonly #parts: string[] = []
  #array = ''
  #codes = ''
  /** How far the position is from where it was before the change, along the line, on the page. */
  #offset = 0

  constructor(first: Glyph | undefined) {
    const { unit, font } = first?.show ?? { unit: 0, font: { isVertical: false } }
    this.#unit = font.isVertical ? unit : -unit
  }

  number(value: number): void {
    this.#endCodes()
    this.#array += ` ${formatNumber(value)} `
  }

  glyph(glyph: Glyph, fate: Fate | undefined): void {
    const { show, codeStart, codeEnd } = glyph
    if (fate === undefined || fate.type === 'shift') {
      this.#moveTo(fate?.by ?? 0)
      for (const byte of show.string.bytes.subarray(codeStart, codeEnd)) this.#codes += byte.toString(16).padStart(2, '0')
      return
    }
    if (fate.type === 'value') this.#value(fate.value)
    this.#offset -= advanceOf(glyph)
  }

  finish(): string {
    this.#moveTo(0)
    this.#endArray()
    return this.#parts.join(' ')
  }

  #value({ operators, offset, width }: DrawnValue): void {
    this.#moveTo(offset)
    this.#endArray()
    this.#parts.push(operators)
    this.#offset += width
  }

  #moveTo(offset: number): void {
    const rounded = this.#unit === 0 ? 0 : Math.round(((offset - this.#offset) / this.#unit) * 1e5) / 100
    if (rounded === 0 || !Number.isFinite(rounded)) return
    this.#endCodes()
    this.#array += ` ${formatNumber(rounded)} `
    this.#offset += (rounded * this.#unit) / 1000
  }

  #endCodes(): void {
    if (this.#codes !== '') this.#array += `<${this.#codes}>`
    this.#codes = ''
  }

  #endArray(): void {
    this.#endCodes()
    if (this.#array !== '') this.#parts.push(`[${this.#array}]TJ`)
    this.#array = ''
  }
}

/** On the page, with spacing. */
function advanceOf({ show, codeStart }: Glyph): number {
  const { font, state, string, unit } = show
  const code = font.codeAt(string.bytes, codeStart)
  const spacing = state.characterSpacing + (code.isWordSpace ? state.wordSpacing : 0)
  if (state.size === 0) return 0
  return (code.width + (font.isVertical ? -spacing : spacing) / state.size) * unit
}

const LARGEST = 1e9

/** Without exponents, which contents do not have. */
export function formatNumber(value: number): string {
  const bounded = Math.max(-LARGEST, Math.min(LARGEST, Number.isNaN(value) ? 0 : value))
  return bounded
    .toFixed(4)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0')
}
