import { missingFont } from '../font/font.ts'
import type { FontReader } from '../font/read-font.ts'
import { PDF_LIMITS } from '../limits.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, isStream, type PdfDict, type PdfStream } from '../reader/objects.ts'
import type { ContentSource, Glyph, Mark } from './glyph.ts'
import { type GraphicsState, initialPosition, type TextPosition } from './graphics-state.ts'
import { readMark } from './marks.ts'
import { type Box, IDENTITY, type Matrix, multiply } from './matrix.ts'
import { nameOf, numberOf, type Operand, type Operator } from './operands.ts'
import { PathReader } from './path-reader.ts'
import type { ScanBudget } from './scan-budget.ts'
import { moveBack, showText, unitOf } from './show-text.ts'
import type { StreamReader } from './stream-reader.ts'
import { Tokenizer } from './tokenizer.ts'
import { UnreadableContent } from './unreadable.ts'

export interface InterpreterNeeds {
  readonly document: PdfDocument
  readonly fonts: FontReader
  readonly budget: ScanBudget
  readonly streams: StreamReader
}

/** What the contents of one page show. */
export interface Shown {
  readonly glyphs: Glyph[]
  hasPicture: boolean
  /** Drawn lines, such as borders of tables. */
  readonly rules: Box[]
}

export function nothingShown(): Shown {
  return { glyphs: [], hasPicture: false, rules: [] }
}

/** Where a content is drawn. */
export interface Drawing {
  readonly source: ContentSource
  /** That of the place where it is drawn. */
  readonly state: GraphicsState
  /** The forms that are being drawn: one that draws itself is left out, as viewers do. */
  readonly within: readonly PdfStream[]
  /** That of the place where it is drawn. */
  readonly mark: Mark | null
}

/** Starting a form costs about as much as this many operators. */
const FORM_COST = 50

/** Follows the operators of a content and of the forms it draws, as far as they place text. */
export class Interpreter {
  readonly #needs: InterpreterNeeds
  readonly #shown: Shown
  readonly #drawing: Drawing
  readonly #saved: GraphicsState[] = []
  readonly #marks: (Mark | null)[] = []
  readonly #path: PathReader
  #extraRestores = 0
  #state: GraphicsState
  #position: TextPosition = initialPosition()

  constructor(needs: InterpreterNeeds, shown: Shown, drawing: Drawing) {
    this.#needs = needs
    this.#shown = shown
    this.#drawing = drawing
    this.#state = drawing.state
    this.#path = new PathReader(shown.rules)
  }

  /** How many `Q` are missing at the end, and how many had no `q`. */
  get balance(): { readonly missing: number; readonly extra: number } {
    return { missing: this.#saved.length, extra: this.#extraRestores }
  }

  run(content: Uint8Array): void {
    const tokenizer = new Tokenizer(content, this.#needs.budget)
    for (let operator = tokenizer.next(); operator !== null; operator = tokenizer.next()) this.#operate(operator)
  }

  #operate(operator: Operator): void {
    const { name, operands } = operator
    if (this.#path.read(name, operands, this.#state.ctm)) return
    if (!this.#setText(name, operands) && !this.#moveText(name, operands)) this.#drawOrShow(operator)
  }

  #drawOrShow(operator: Operator): void {
    const { name, operands } = operator
    switch (name) {
      case 'q':
        if (this.#saved.length >= PDF_LIMITS.savedStates) throw new UnreadableContent('too many saved states')
        this.#saved.push(this.#state)
        break
      case 'Q':
        if (this.#saved.length === 0) this.#extraRestores += 1
        this.#state = this.#saved.pop() ?? this.#state
        break
      case 'BMC':
      case 'BDC':
        this.#marks.push(this.#markOf(operator) ?? this.#mark)
        break
      case 'EMC':
        this.#marks.pop()
        break
      case 'cm':
        this.#set({ ctm: multiply(matrixOf(operands), this.#state.ctm) })
        break
      case 'gs':
        this.#useExtendedState(nameOf(operands[0]))
        break
      case 'Tj':
        this.#show(operator, operands.slice(-1))
        break
      case 'TJ':
        this.#show(operator, operands[0]?.kind === 'array' ? operands[0].items : [])
        break
      case "'":
        this.#nextLine()
        this.#show(operator, operands.slice(-1))
        break
      case '"':
        this.#set({ wordSpacing: numberOf(operands[0]), characterSpacing: numberOf(operands[1]) })
        this.#nextLine()
        this.#show(operator, operands.slice(-1))
        break
      case 'Do':
        this.#draw(nameOf(operands[0]))
        break
      case 'BI':
        this.#shown.hasPicture = true
        break
    }
  }

  /** Whether the operator sets a text parameter. */
  #setText(name: string, operands: readonly Operand[]): boolean {
    const value = numberOf(operands[0])
    switch (name) {
      case 'Tf':
        this.#set({ ...this.#font(nameOf(operands[0]) ?? ''), size: numberOf(operands[1]) })
        return true
      case 'Tc':
        this.#set({ characterSpacing: value })
        return true
      case 'Tw':
        this.#set({ wordSpacing: value })
        return true
      case 'Tz':
        this.#set({ scale: value / 100 })
        return true
      case 'TL':
        this.#set({ leading: value })
        return true
      case 'Ts':
        this.#set({ rise: value })
        return true
      case 'Tr':
        this.#set({ mode: value })
        return true
      default:
        return false
    }
  }

  /** Whether the operator moves the position. */
  #moveText(name: string, operands: readonly Operand[]): boolean {
    const [x, y] = [numberOf(operands[0]), numberOf(operands[1])]
    switch (name) {
      case 'BT':
        this.#position = initialPosition()
        return true
      case 'Td':
        this.#moveLine(x, y)
        return true
      case 'TD':
        this.#set({ leading: -y })
        this.#moveLine(x, y)
        return true
      case 'Tm': {
        const matrix = matrixOf(operands)
        this.#position = { matrix, line: matrix }
        return true
      }
      case 'T*':
        this.#nextLine()
        return true
      default:
        return false
    }
  }

  #set(change: Partial<GraphicsState>): void {
    this.#state = { ...this.#state, ...change }
  }

  #nextLine(): void {
    this.#moveLine(0, -this.#state.leading)
  }

  #moveLine(x: number, y: number): void {
    const line = multiply([1, 0, 0, 1, x, y], this.#position.line)
    this.#position = { matrix: line, line }
  }

  /** The strings of a `TJ` and the numbers between them, or the one string of another operator. */
  #show(operator: Operator, items: readonly Operand[]): void {
    const state = this.#state
    const font = state.font ?? missingFont('none')
    const { budget } = this.#needs
    const { glyphs } = this.#shown
    const unit = unitOf(state, this.#position.matrix, font.isVertical)
    const common = { source: this.#drawing.source, operator, font, state, unit, mark: this.#mark }
    for (const item of items) {
      if (item.kind === 'number') moveBack(this.#position, state, font.isVertical, item.value)
      else if (item.kind === 'string') {
        showText({ ...common, string: item }, { state, position: this.#position, budget, glyphs })
      }
    }
  }

  #font(name: string): Pick<GraphicsState, 'font' | 'fontDict' | 'fontName'> {
    const found = this.#resource('Font', name)
    return isDict(found)
      ? { font: this.#needs.fonts.read(found), fontDict: found, fontName: name }
      : { font: missingFont(name.slice(0, 100)), fontDict: null, fontName: name }
  }

  get #mark(): Mark | null {
    return this.#marks.at(-1) ?? this.#drawing.mark
  }

  #markOf(operator: Operator): Mark | null {
    const named = nameOf(operator.operands[1])
    const stated = named === null ? null : this.#resource('Properties', named)
    return readMark(this.#needs.document, this.#drawing.source, operator, isDict(stated) ? stated : null)
  }

  #useExtendedState(name: string | null): void {
    const state = name === null ? null : this.#resource('ExtGState', name)
    const font = isDict(state) ? this.#needs.document.get(state, 'Font') : null
    if (!isArray(font)) return
    const [dict, size] = font.items.map((item) => this.#needs.document.resolve(item))
    if (isDict(dict) && typeof size === 'number')
      this.#set({ font: this.#needs.fonts.read(dict), fontDict: dict, fontName: null, size })
  }

  #resource(kind: string, name: string) {
    const { document } = this.#needs
    const { resources } = this.#drawing.source
    const list = resources === null ? null : document.get(resources, kind)
    return isDict(list) ? document.get(list, name) : null
  }

  #draw(name: string | null): void {
    const stream = name === null ? null : this.#resource('XObject', name)
    if (!isStream(stream)) return
    const subtype = this.#needs.document.get(stream.dict, 'Subtype')
    if (isName(subtype, 'Image')) this.#shown.hasPicture = true
    if (!isName(subtype, 'Form')) return
    const { source, within } = this.#drawing
    drawForm(this.#needs, this.#shown, stream, { resources: source.resources, state: this.#state, within, mark: this.#mark })
  }
}

interface OuterDrawing extends Omit<Drawing, 'source'> {
  readonly resources: PdfDict | null
}

/** Draws a form with its own matrix and resources; older files rely on those of the page. */
export function drawForm(needs: InterpreterNeeds, shown: Shown, form: PdfStream, outer: OuterDrawing): void {
  const { document, budget, streams } = needs
  budget.takeTokens(FORM_COST)
  if (outer.within.includes(form)) return
  if (outer.within.length >= PDF_LIMITS.formDepth) throw new UnreadableContent('forms are nested too deeply')
  const content = streams.read(form)
  if (content === null) throw new UnreadableContent('a form has an unknown filter')
  const own = document.get(form.dict, 'Resources')
  const drawing: Drawing = {
    source: { type: 'form', form, resources: isDict(own) ? own : outer.resources },
    mark: outer.mark,
    state: { ...outer.state, fontName: null, ctm: multiply(formMatrix(document, form), outer.state.ctm) },
    within: [...outer.within, form],
  }
  new Interpreter(needs, shown, drawing).run(content)
}

export function formMatrix(document: PdfDocument, form: PdfStream): Matrix {
  const stated = document.get(form.dict, 'Matrix')
  if (!isArray(stated)) return IDENTITY
  const [a, b, c, d, e, f] = stated.items.map((item) => document.resolve(item))
  return [toNumber(a, 1), toNumber(b, 0), toNumber(c, 0), toNumber(d, 1), toNumber(e, 0), toNumber(f, 0)]
}

function toNumber(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}

function matrixOf([a, b, c, d, e, f]: readonly Operand[]): Matrix {
  return [numberOf(a), numberOf(b), numberOf(c), numberOf(d), numberOf(e), numberOf(f)]
}
