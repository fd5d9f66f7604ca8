import { isArray, isDict, isRef, type OpenedPdf, type PdfDict, type PdfObject } from '@sealpost/pdf-format'
import { array, withEntries } from '../update/write-object.ts'
import type { Rewrite } from './rewrite.ts'

/** Levels of fields above each other; the gate allows 64 of objects. */
const MAX_DEPTH = 64

/** Takes flattened widgets out of the form; a form without fields goes, too. */
export function removeFields(rewrite: Rewrite, { document }: OpenedPdf, flattened: ReadonlySet<PdfDict>): void {
  const catalog = document.catalog()
  const form = document.get(catalog, 'AcroForm')
  const root = document.references.trailer.entries.get('Root')
  if (flattened.size === 0 || !isDict(form) || !isRef(root)) return
  const fields = document.get(form, 'Fields')
  const kept = isArray(fields) ? keepFields({ rewrite, document, flattened, seen: new Set() }, fields.items, 0) : []
  const entries = new Map(catalog.entries)
  if (kept.length === 0) entries.delete('AcroForm')
  else entries.set('AcroForm', withEntries(form, { Fields: array(...kept) }))
  rewrite.write(root, { kind: 'dict', entries })
}

interface Walk {
  readonly rewrite: Rewrite
  readonly document: OpenedPdf['document']
  readonly flattened: ReadonlySet<PdfDict>
  readonly seen: Set<PdfDict>
}

function keepFields(walk: Walk, items: readonly PdfObject[], depth: number): readonly PdfObject[] {
  return items.filter((item) => {
    const field = walk.document.resolve(item)
    if (!isDict(field) || walk.flattened.has(field)) return false
    const kids = walk.document.get(field, 'Kids')
    if (!isArray(kids) || walk.seen.has(field) || depth > MAX_DEPTH) return true
    walk.seen.add(field)
    const kept = keepFields(walk, kids.items, depth + 1)
    if (kept.length === kids.items.length) return true
    if (kept.length > 0 && isRef(item)) walk.rewrite.write(item, withEntries(field, { Kids: array(...kept) }))
    return kept.length > 0
  })
}
