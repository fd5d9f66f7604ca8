import type { ContentSource, Glyph, Mark } from '../content/glyph.ts'
import type { Operator } from '../content/operands.ts'
import type { ScanBudget } from '../content/scan-budget.ts'
import type { PdfStream } from '../reader/objects.ts'
import type { FoundTag } from '../template/find-tags.ts'
import type { TemplatePage } from '../template/read-page.ts'
import type { Edit } from './edit-content.ts'
import { placeValues } from './place-values.ts'
import { type PageText, roomOf } from './room.ts'
import { type Segment, segmentOf, segmentsOf, type TaggedSegment, withTags } from './segments.ts'
import { shadowsOf } from './shadows.ts'
import { type Fate, writeShow } from './write-show.ts'

/** Values as they will be drawn. */
export interface TagValues {
  /** On the page, at full size. */
  widthOf(tag: FoundTag): number
  /** Operators that draw the value where the first glyph of the key was, and leave the text state as it was. */
  draw(tag: FoundTag, scale: number): string
}

export interface PageEdits {
  readonly edits: ReadonlyMap<ContentSource, readonly Edit[]>
  /** Tags whose value is longer than its room, even when shrunk. */
  readonly overflowing: ReadonlySet<FoundTag>
  /** Of the font size; absent for a value at full size. */
  readonly scales: ReadonlyMap<FoundTag, number>
}

/** The first drawing of each form that has tags: a form is changed once, for all places where it is drawn. */
export type FormOwners = Map<PdfStream, ContentSource>

/** Tags that are replaced on this page, and not where the same form was drawn before. */
export function claimTags(tags: readonly FoundTag[], owners: FormOwners): readonly FoundTag[] {
  return tags.filter(({ first }) => {
    const { source } = first.show
    if (source.type === 'form' && !owners.has(source.form)) owners.set(source.form, source)
    return isOwn(source, owners)
  })
}

function isOwn(source: ContentSource, owners: FormOwners): boolean {
  return source.type === 'page' || owners.get(source.form) === source
}

interface EditNeeds {
  readonly owners: FormOwners
  readonly budget: ScanBudget
}

/** Replaces tags by values in the operators that show them. */
export function editPage(
  page: TemplatePage,
  tags: readonly FoundTag[],
  values: TagValues,
  { owners, budget }: EditNeeds,
): PageEdits {
  const segments = segmentsOf(page.shown.glyphs)
  const text: PageText = { segments, rules: page.shown.rules, crop: page.view.crop, budget }
  const fates = new Map<Glyph, Fate>()
  const overflowing = new Set<FoundTag>()
  const scales = new Map<FoundTag, number>()
  for (const segment of allTagged(segments, tags)) {
    const placed = placeValues(segment, roomOf(segment, text), (tag) => values.widthOf(tag))
    for (const [glyph, by] of placed.shifts) if (by !== 0) fates.set(glyph, { type: 'shift', by })
    for (const { tag, offset, scale, isOverflowing } of placed.values) {
      const value = { operators: values.draw(tag, scale), offset, width: values.widthOf(tag) * scale }
      fates.set(tag.first, { type: 'value', value })
      if (isOverflowing) overflowing.add(tag)
      if (scale < 1) scales.set(tag, scale)
    }
  }
  removeTags(tags, fates)
  for (const [glyph, original] of shadowsOf(page.shown.glyphs, new Set(fates.keys()))) {
    const fate = fates.get(original)
    if (fate !== undefined) fates.set(glyph, fate.type === 'value' ? { type: 'remove' } : fate)
  }
  return { edits: writeEdits(page.shown.glyphs, fates, owners), overflowing, scales }
}

function removeTags(tags: readonly FoundTag[], fates: Map<Glyph, Fate>): void {
  for (const glyph of tags.flatMap(({ glyphs }) => glyphs))
    if (fates.get(glyph)?.type !== 'value') fates.set(glyph, { type: 'remove' })
}

/** A tag whose letters are in no segment is the shadow of another one, or stands for itself. */
function allTagged(segments: readonly Segment[], tags: readonly FoundTag[]): readonly TaggedSegment[] {
  const tagged = withTags(segments, tags)
  const placed = new Set(tagged.flatMap((segment) => segment.tags.map(({ first }) => first)))
  const others = tags.filter(({ first }) => !placed.has(first))
  const shadows = shadowsOf(
    others.map(({ first }) => first),
    placed,
  )
  const alone = others.filter(({ first }) => !shadows.has(first))
  return [...tagged, ...alone.map((tag) => ({ ...segmentOf(tag.first.show.source, tag.glyphs), tags: [tag] }))]
}

function writeEdits(
  glyphs: readonly Glyph[],
  fates: ReadonlyMap<Glyph, Fate>,
  owners: FormOwners,
): PageEdits['edits'] {
  const edits = new Map<ContentSource, Edit[]>()
  const add = (source: ContentSource, edit: Edit): void => {
    if (!isOwn(source, owners)) return
    const known = edits.get(source)
    if (known === undefined) edits.set(source, [edit])
    else known.push(edit)
  }
  for (const own of changedShows(glyphs, fates).values()) {
    const [first] = own
    if (first === undefined) continue
    const { operator, source } = first.show
    const text = writeShow(operator, own, (glyph) => fates.get(glyph))
    add(source, { start: operator.start, end: operator.end, text })
  }
  for (const mark of marksOf(fates)) add(mark.source, unmarked(mark))
  return edits
}

/** All glyphs of the operators in which one changes. */
function changedShows(glyphs: readonly Glyph[], fates: ReadonlyMap<Glyph, Fate>): ReadonlyMap<Operator, Glyph[]> {
  const changed = new Map<Operator, Glyph[]>()
  for (const { show } of fates.keys()) changed.set(show.operator, [])
  for (const glyph of glyphs) changed.get(glyph.show.operator)?.push(glyph)
  return changed
}

function marksOf(fates: ReadonlyMap<Glyph, Fate>): ReadonlySet<Mark> {
  const marks = new Set<Mark>()
  for (const [{ show }, { type }] of fates) if (type !== 'shift' && show.mark !== null) marks.add(show.mark)
  return marks
}

/** Without the text that it states: readers would believe it instead of the value. */
function unmarked({ operator, others }: Mark): Edit {
  const { start, end, operands } = operator
  const role = operands[0]?.kind === 'name' && /^\w+$/.test(operands[0].name) ? operands[0].name : 'Span'
  return { start, end, text: others === null ? ` /${role} BMC ` : ` /${role}<<${others}>>BDC ` }
}
