import { ScanBudget } from '../content/scan-budget.ts'
import { isNamed, resourcesOf, StrictContent } from '../content/strict-content.ts'
import { decodeStrictly } from '../content/strict-stream.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isStream, type PdfDict, type PdfObject, type PdfStream } from '../reader/objects.ts'
import { ambiguous } from '../refusal.ts'
import type { PageTree } from './pages.ts'

/** See [Note: strict contents]: pages, and what they draw: forms, appearances, patterns, glyphs. */
export function inspectContents(document: PdfDocument, { pages, attributes }: PageTree): void {
  const budget = new ScanBudget(document.bytes.length)
  for (const [index, page] of pages.entries()) {
    const resources = attributes[index]?.get('Resources') ?? null
    if (resources !== null && !isDict(resources)) throw ambiguous('resources that are none')
    const parts = partsOf(document, document.get(page, 'Contents'))
    const bytes = parts.map((part) => decodeStrictly(document, part, budget))
    new StrictContent(document, budget, resources).read(bytes)
  }
  for (const [number, place] of document.references.places)
    if (place.type !== 'free') inspectDrawn(document, budget, document.object(number))
}

function partsOf(document: PdfDocument, contents: PdfObject): readonly PdfStream[] {
  const list = isArray(contents) ? contents.items.map((item) => document.resolve(item)) : [contents]
  return list.flatMap((part) => {
    if (isStream(part)) return [part]
    if (part === null) return []
    throw ambiguous('a content that is no stream')
  })
}

/** Every form of the file has to be clear by itself. */
function inspectDrawn(document: PdfDocument, budget: ScanBudget, object: PdfObject): void {
  if (isStream(object)) {
    const { dict } = object
    const isForm = isNamed(document, dict, 'Subtype', 'Form')
    if (isForm || document.get(dict, 'PatternType') === 1) inspectForm(document, budget, object)
  } else if (isDict(object) && isNamed(document, object, 'Subtype', 'Type3')) inspectGlyphs(document, budget, object)
}

function inspectForm(document: PdfDocument, budget: ScanBudget, form: PdfStream): void {
  new StrictContent(document, budget, resourcesOf(document, form.dict)).read([decodeStrictly(document, form, budget)])
}

function inspectGlyphs(document: PdfDocument, budget: ScanBudget, font: PdfDict): void {
  const procedures = document.get(font, 'CharProcs')
  if (!isDict(procedures)) throw ambiguous('a font without glyphs')
  const resources = resourcesOf(document, font)
  for (const value of procedures.entries.values()) {
    const glyph = document.resolve(value)
    if (isStream(glyph)) new StrictContent(document, budget, resources).read([decodeStrictly(document, glyph, budget)])
  }
}
