import { createHash } from 'node:crypto'
import {
  claimTags,
  type ContentSource,
  editContent,
  editPage,
  type FormOwners,
  type FoundTag,
  type OpenedPdf,
  openTemplate,
  PDF_LIMITS,
  type PdfDict,
  PdfRefused,
  reportPage,
  ScanReport,
  ShownCharacters,
  TEMPLATE_LIMITS,
  type TemplatePage,
  type TemplateReader,
} from '@sealpost/pdf-format'
import type { FontBook } from '../fonts/font-book.ts'
import type { ShapedLine } from '../fonts/shape.ts'
import { embedFonts } from './embed-fonts.ts'
import { type FlatField, flattenField } from './fields.ts'
import type { FilledPlace, FillOutcome } from './fill-report.ts'
import { fillStrings } from './fill-strings.ts'
import { FontNames } from './font-names.ts'
import { removeFields } from './form-fields.ts'
import { Rewrite } from './rewrite.ts'
import { makeValue, type Value } from './value.ts'
import { type NewContent, type PageChange, writeForms, writePage } from './write-changes.ts'

/** By key; the texts are resolved, and printed as they are. */
export type Values = ReadonlyMap<string, string>

export interface FilledTemplate extends FillOutcome {
  /** Null if the file has no tags: it stays as it is. */
  readonly bytes: Buffer | null
}

type FormSource = Extract<ContentSource, { type: 'form' }>

interface FillJob {
  readonly book: FontBook
  readonly opened: OpenedPdf
  readonly values: Values
  readonly template: TemplateReader
  readonly shown: ShownCharacters
  readonly names: FontNames
  readonly lines: Map<string, ShapedLine>
  readonly rewrite: Rewrite
  readonly owners: FormOwners
  readonly forms: Map<FormSource, NewContent>
  readonly overflowing: FilledPlace[]
  readonly incomplete: Set<string>
}

/**
 * [Note: a filled file is written anew] Tags are taken out of the operators that show them, and values are shown by new
 * operators in the same place; all others stay byte for byte. The file is not updated but rewritten, so that no tag
 * stays in it, and its hash is that of what the signers see. Throws `PdfRefused` for a file that costs too much.
 */
export async function fillTemplate(book: FontBook, opened: OpenedPdf, values: Values): Promise<FilledTemplate> {
  const { scan, shown, tagged } = readAll(opened)
  const digest = createHash('sha256').update(opened.document.bytes).digest()
  const job: FillJob = {
    book,
    opened,
    values,
    // The pages with tags are read again: all glyphs of a long document take too much memory.
    template: openTemplate(opened),
    shown,
    names: new FontNames(`Sp${lettersOf(digest)}`),
    lines: new Map(),
    rewrite: new Rewrite(opened),
    owners: new Map(),
    forms: new Map(),
    overflowing: [],
    incomplete: new Set(),
  }
  const pages: PageChange[] = []
  for (const { index, page } of tagged) pages.push(await fillPage(job, page ?? job.template.read(index)))
  const bytes = pages.length === 0 ? null : finish(job, pages, lettersOf(digest))
  return { scan, overflowing: job.overflowing, incomplete: [...job.incomplete], bytes }
}

/** Six capital letters: such stand before the name of a font that is cut, and no font of the file is called so. */
function lettersOf(digest: Buffer): string {
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join('')
}

/** Glyphs of pages that are kept between the two readings. */
const KEPT_GLYPHS = 200_000

/** Which characters each font shows, and which pages have tags. */
function readAll(opened: OpenedPdf) {
  const template = openTemplate(opened)
  const report = new ScanReport(template.pages)
  const shown = new ShownCharacters()
  const tagged: { readonly index: number; readonly page: TemplatePage | null }[] = []
  let kept = 0
  for (let index = 0; index < template.pages; index += 1) {
    const page = template.read(index)
    reportPage(report, page)
    shown.add(page.shown.glyphs)
    if (page.tags.length === 0 && page.annotations.fields.length === 0) continue
    kept += page.shown.glyphs.length
    tagged.push({ index, page: kept <= KEPT_GLYPHS ? page : null })
  }
  return { scan: report.result(), shown, tagged }
}

async function fillPage(job: FillJob, page: TemplatePage): Promise<PageChange> {
  const tags = claimTags(page.tags, job.owners)
  const drawn = new Map<FoundTag, Value>()
  for (const tag of tags) drawn.set(tag, await valueOf(job, tag))
  const { edits, overflowing } = editPage(
    page,
    tags,
    {
      widthOf: (tag) => drawn.get(tag)?.width ?? 0,
      draw: (tag, scale) => drawn.get(tag)?.draw(scale) ?? '',
    },
    { owners: job.owners, budget: job.template.needs.budget },
  )
  for (const { key } of overflowing) addOverflow(job, key, page)
  const fields = await flattenFields(job, page)
  for (const [source, own] of edits) if (source.type === 'form') job.forms.set(source, changeForm(job, source, own))
  return changePage(job, page, edits, fields)
}

async function valueOf(job: FillJob, tag: FoundTag): Promise<Value> {
  const text = job.values.get(tag.key) ?? ''
  for (let count = 0; count < text.length; count += 1) job.template.needs.budget.takeGlyph()
  const value = await makeValue(job, tag, text)
  if (value.isIncomplete) job.incomplete.add(tag.key)
  return value
}

function addOverflow({ overflowing }: FillJob, key: string, { number }: TemplatePage): void {
  if (overflowing.length < TEMPLATE_LIMITS.tags) overflowing.push({ key, page: number })
}

async function flattenFields(job: FillJob, page: TemplatePage): Promise<readonly FlatField[]> {
  const flat: FlatField[] = []
  for (const field of page.annotations.fields) {
    const text = job.values.get(field.key) ?? ''
    for (let count = 0; count < text.length; count += 1) job.template.needs.budget.takeGlyph()
    const one = await flattenField(job, field, text)
    if (one.isOverflowing) addOverflow(job, field.key, page)
    if (one.isIncomplete) job.incomplete.add(field.key)
    flat.push(one)
  }
  return flat
}

type Edits = ReturnType<typeof editPage>['edits']

function changePage(job: FillJob, page: TemplatePage, edits: Edits, fields: readonly FlatField[]): PageChange {
  const source = [...edits.keys()].find(({ type }) => type === 'page')
  const added = fields.map(({ content }) => content).join('')
  const { missing, extra } = page.balance
  return {
    dict: page.dict,
    place: page.place,
    bytes: source === undefined ? null : editContent(job.template.contentOf(page.dict), edits.get(source) ?? []),
    // What is added is drawn as on an empty page, whatever state the other content leaves.
    around: added === '' ? null : { before: 'q\n'.repeat(1 + extra), after: `\n${'Q '.repeat(1 + missing)}\n${added}` },
    fonts: new Map([...job.names.take('fields'), ...(source === undefined ? [] : job.names.take(source))]),
    forms: new Map(fields.flatMap((field) => [...field.forms])),
    resources: pageResources(page),
    flattened: new Set(page.annotations.fields.map(({ widget }) => widget)),
  }
}

function pageResources({ attributes }: TemplatePage): PdfDict | null {
  const found = attributes.get('Resources')
  return typeof found === 'object' && found?.kind === 'dict' ? found : null
}

function changeForm({ template, names }: FillJob, source: FormSource, edits: Parameters<typeof editContent>[1]): NewContent {
  const content = template.needs.streams.read(source.form)
  const bytes = content === null ? null : editContent(content, edits)
  return { bytes, fonts: names.take(source), forms: new Map(), resources: source.resources }
}

function finish(job: FillJob, pages: readonly PageChange[], letters: string): Buffer {
  const { rewrite, opened, book, values } = job
  const needs = { rewrite, opened, fonts: embedFonts(rewrite, book, letters) }
  for (const change of pages) writePage(needs, change)
  writeForms(needs, job.forms)
  removeFields(rewrite, opened, new Set(pages.flatMap(({ flattened }) => [...flattened])))
  const bytes = rewrite.finish((object) => fillStrings(object, (key) => values.get(key) ?? ''))
  if (bytes.length > PDF_LIMITS.bytes) throw new PdfRefused('too_large', 'the filled file is too large')
  return bytes
}
