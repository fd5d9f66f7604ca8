import type { Glyph } from '../content/glyph.ts'
import { initialState } from '../content/graphics-state.ts'
import { Interpreter, type InterpreterNeeds, nothingShown, type Shown } from '../content/interpreter.ts'
import { IDENTITY } from '../content/matrix.ts'
import { ScanBudget } from '../content/scan-budget.ts'
import { StreamReader } from '../content/stream-reader.ts'
import { UnreadableContent } from '../content/unreadable.ts'
import { FontReader } from '../font/read-font.ts'
import type { OpenedPdf } from '../inspect/inspect-pdf.ts'
import type { Inherited } from '../inspect/pages.ts'
import { isDict, type PdfDict, type PdfRef } from '../reader/objects.ts'
import { type PageAnnotations, readAnnotations } from './annotations.ts'
import { findTags, type FoundText } from './find-tags.ts'
import { readPageContent } from './page-contents.ts'
import { type PageView, viewOf } from './page-view.ts'
import type { UnreadableText } from './template-scan.ts'

/** A page with all that it shows. */
export interface TemplatePage extends FoundText {
  /** From 1. */
  readonly number: number
  readonly dict: PdfDict
  readonly place: PdfRef
  readonly attributes: Inherited
  readonly view: PageView
  readonly shown: Shown
  readonly annotations: PageAnnotations
  readonly unreadable: readonly Omit<UnreadableText, 'page'>[]
  /** What its content leaves behind in the graphics state. */
  readonly balance: Interpreter['balance']
}

/** The pages of a file that has passed the gate, read one by one. */
export interface TemplateReader {
  readonly pages: number
  /** From 0; throws `PdfRefused` if the file costs too much. */
  read(index: number): TemplatePage
  /** All parts of the content of a page as one. */
  contentOf(page: PdfDict): Uint8Array
  readonly needs: InterpreterNeeds
}

export function openTemplate({ document, tree }: OpenedPdf): TemplateReader {
  const budget = new ScanBudget(document.bytes.length)
  const needs: InterpreterNeeds = {
    document,
    budget,
    fonts: new FontReader(document, budget),
    streams: new StreamReader(document, budget),
  }
  return {
    needs,
    pages: tree.pages.length,
    contentOf: (page) => readPageContent(needs, page),
    read(index) {
      const [dict, place] = [tree.pages[index], tree.places[index]]
      if (dict === undefined || place === undefined) throw new Error(`there is no page ${index}`)
      return readPage(needs, { dict, place, attributes: tree.attributes[index] ?? new Map(), number: index + 1 })
    },
  }
}

type PageFacts = Pick<TemplatePage, 'dict' | 'place' | 'attributes' | 'number'>

function readPage(needs: InterpreterNeeds, facts: PageFacts): TemplatePage {
  const shown = nothingShown()
  const resources = facts.attributes.get('Resources')
  const drawing = {
    source: { type: 'page', resources: isDict(resources) ? resources : null },
    state: initialState(IDENTITY),
    within: [],
    mark: null,
  } as const
  const interpreter = new Interpreter(needs, shown, drawing)
  const isRead = attempt(() => interpreter.run(readPageContent(needs, facts.dict)))
  let annotations: PageAnnotations = { fields: [], wrongNames: [] }
  const isAnnotated = attempt(() => {
    annotations = readAnnotations(needs, shown, facts.dict)
  })
  return {
    ...facts,
    view: viewOf(needs.document, facts.dict, facts.attributes),
    shown,
    annotations,
    unreadable: unreadableParts(shown, isRead && isAnnotated),
    balance: interpreter.balance,
    ...findTags(shown.glyphs),
  }
}

/** Whether it could be read to its end; what was shown before that counts. */
function attempt(read: () => void): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof UnreadableContent) return false
    throw error
  }
}

function unreadableParts({ glyphs, hasPicture }: Shown, isRead: boolean): TemplatePage['unreadable'] {
  const parts: Omit<UnreadableText, 'page'>[] = []
  if (!isRead) parts.push({ reason: 'content' })
  else if (glyphs.length === 0 && hasPicture) parts.push({ reason: 'picture' })
  return [...parts, ...unreadableFonts(glyphs).map((font) => ({ reason: 'font', font }) as const)]
}

/** Fonts that do not say what most of their shown codes mean. */
function unreadableFonts(glyphs: readonly Glyph[]): readonly string[] {
  const counts = new Map<string, { shown: number; unknown: number }>()
  for (const { text, show } of glyphs) {
    const count = counts.get(show.font.name) ?? { shown: 0, unknown: 0 }
    counts.set(show.font.name, count)
    count.shown += 1
    if (text === null) count.unknown += 1
  }
  return [...counts]
    .filter(([name, { shown, unknown }]) => unknown * 2 > shown && !isSymbols(name))
    .map(([name]) => name)
}

/** Bullets and check marks have no text. */
function isSymbols(fontName: string): boolean {
  return /^(Symbol|ZapfDingbats|Wingdings|Webdings)/.test(fontName)
}
