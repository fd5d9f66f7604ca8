import { PDF_LIMITS } from '../limits.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isDict, isName, isStream, type PdfDict, type PdfObject } from '../reader/objects.ts'
import { ambiguous } from '../refusal.ts'
import { componentsOf } from './color-components.ts'
import { endsAtItsWord } from './inline-image.ts'
import { nameOf, type Operand, type Operator } from './operands.ts'
import { faultOf } from './operator-rules.ts'
import type { ScanBudget } from './scan-budget.ts'
import { Tokenizer } from './tokenizer.ts'
import { UnreadableContent } from './unreadable.ts'

/** The lists of resources that operators name. */
const LISTS: Readonly<Record<string, string>> = {
  Do: 'XObject',
  gs: 'ExtGState',
  Tf: 'Font',
  sh: 'Shading',
  BDC: 'Properties',
  DP: 'Properties',
}
const DEVICE_SPACES: Readonly<Record<string, number>> = { DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4, Pattern: 0 }
const NOT_IN_TEXT = new Set(['q', 'Q', 'cm', 'BT', 'Do', 'sh', 'BI', 'm', 're'])
const ONLY_IN_TEXT = new Set(['ET', 'Td', 'TD', 'Tm', 'T*', 'Tj', 'TJ', "'", '"'])

interface Colors {
  readonly fill: number
  readonly stroke: number
}

/**
 * [Note: strict contents] Viewers guess in different ways what a broken content means: numbers such as `3-0`, missing or
 * additional operands, unknown operators, names that are not in the resources. A content is accepted if it has nothing
 * to guess.
 */
export class StrictContent {
  readonly #document: PdfDocument
  readonly #budget: ScanBudget
  readonly #resources: PdfDict | null
  readonly #saved: Colors[] = []
  #colors: Colors = { fill: 1, stroke: 1 }
  #isInText = false

  constructor(document: PdfDocument, budget: ScanBudget, resources: PdfDict | null) {
    this.#document = document
    this.#budget = budget
    this.#resources = resources
  }

  /** The contents of a page are one: an operator may have its operands in the one before, a token may not. */
  read(parts: readonly Uint8Array[]): void {
    const content = joined(parts)
    const borders = bordersOf(parts)
    try {
      const tokenizer = new Tokenizer(content, this.#budget, (reason) => {
        throw ambiguous(reason)
      })
      for (let operator = tokenizer.next(); operator !== null; operator = tokenizer.next())
        this.#check(operator, content, borders)
    } catch (error) {
      throw error instanceof UnreadableContent ? ambiguous(error.message) : error
    }
    if (this.#isInText) throw ambiguous('text without an end')
  }

  #check(operator: Operator, content: Uint8Array, borders: readonly number[]): void {
    const isSplit = (operand: Operand): boolean => borders.some((at) => operand.start < at && at < operand.end)
    if (borders.length > 0 && operator.operands.some(isSplit)) throw ambiguous('a value in two contents')
    const fault = faultOf(operator)
    if (fault !== null) throw ambiguous(fault)
    this.#checkPlace(operator.name)
    this.#checkNames(operator)
    this.#checkColor(operator)
    if (operator.image !== undefined && !endsAtItsWord(content, operator.image, PDF_LIMITS.streamBytes))
      throw ambiguous('a picture whose end cannot be told')
  }

  #checkPlace(name: string): void {
    if (this.#isInText ? NOT_IN_TEXT.has(name) : ONLY_IN_TEXT.has(name)) throw ambiguous(`${name} at another place`)
    if (name === 'BT') this.#isInText = true
    if (name === 'ET') this.#isInText = false
    if (name === 'q') this.#saved.push(this.#colors)
    if (name !== 'Q') return
    const saved = this.#saved.pop()
    if (saved === undefined) throw ambiguous('a state that was not saved')
    this.#colors = saved
  }

  #checkNames({ name, operands }: Operator): void {
    const list = LISTS[name]
    const named = nameOf(operands[name === 'BDC' || name === 'DP' ? 1 : 0])
    if (list !== undefined && named !== null) this.#resource(list, named)
  }

  #resource(list: string, name: string): PdfObject {
    const dict = this.#resources === null ? null : this.#document.get(this.#resources, list)
    const found = isDict(dict) ? this.#document.get(dict, name) : null
    if (found === null) throw ambiguous(`a name that is not in ${list}`)
    return found
  }

  #checkColor({ name, operands }: Operator): void {
    const change = (kind: keyof Colors, components: number): void => {
      this.#colors = { ...this.#colors, [kind]: components }
    }
    switch (name) {
      case 'g':
      case 'rg':
      case 'k':
        return change('fill', operands.length)
      case 'G':
      case 'RG':
      case 'K':
        return change('stroke', operands.length)
      case 'cs':
        return change('fill', this.#componentsOf(nameOf(operands[0]) ?? ''))
      case 'CS':
        return change('stroke', this.#componentsOf(nameOf(operands[0]) ?? ''))
      case 'sc':
      case 'scn':
        return this.#requireComponents(operands, this.#colors.fill)
      case 'SC':
      case 'SCN':
        return this.#requireComponents(operands, this.#colors.stroke)
    }
  }

  #componentsOf(name: string): number {
    return DEVICE_SPACES[name] ?? componentsOf(this.#document, this.#resource('ColorSpace', name))
  }

  /** A pattern has a name; a colored one nothing else. */
  #requireComponents(operands: Operator['operands'], components: number): void {
    const pattern = nameOf(operands.at(-1))
    if (pattern === null) {
      if (operands.length !== components) throw ambiguous('a color with another number of components')
      return
    }
    const found = this.#resource('Pattern', pattern)
    if (!isDict(found) && !isStream(found)) throw ambiguous('a pattern that is none')
  }
}

/** Where one part ends and the next begins. */
function bordersOf(parts: readonly Uint8Array[]): readonly number[] {
  let at = 0
  return parts.slice(0, -1).map((part) => (at += part.length + 1))
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length + 1, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    whole[at + part.length] = 0x0a
    at += part.length + 1
  }
  return whole
}

/** A resource dictionary, as viewers take it. */
export function resourcesOf(document: PdfDocument, dict: PdfDict): PdfDict | null {
  const own = document.get(dict, 'Resources')
  if (own !== null && !isDict(own)) throw ambiguous('resources that are none')
  return own
}

export function isNamed(document: PdfDocument, dict: PdfDict, key: string, name: string): boolean {
  return isName(document.get(dict, key), name)
}
