import { deflateSync } from 'node:zlib'
import {
  type ContentSource,
  isArray,
  isDict,
  isStream,
  type OpenedPdf,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
} from '@sealpost/pdf-format'
import { array, dict, name, ref, withEntries } from '../update/write-object.ts'
import type { FontObjects } from './embed-fonts.ts'
import type { NamedFont } from './font-names.ts'
import type { Rewrite } from './rewrite.ts'

/** New content with the fonts and forms that it names. */
export interface NewContent {
  /** Null if it stays as it is. */
  readonly bytes: Uint8Array | null
  readonly fonts: ReadonlyMap<string, NamedFont>
  readonly forms: ReadonlyMap<string, PdfRef>
  /** That of the content, as it was. */
  readonly resources: PdfDict | null
}

export interface PageChange extends NewContent {
  readonly dict: PdfDict
  readonly place: PdfRef
  /** Operators before and after the content; null if there are none. */
  readonly around: { readonly before: string; readonly after: string } | null
  /** Widgets that are content now. */
  readonly flattened: ReadonlySet<PdfDict>
}

interface WriteNeeds {
  readonly rewrite: Rewrite
  readonly opened: OpenedPdf
  readonly fonts: FontObjects
}

export function writePage(needs: WriteNeeds, change: PageChange): void {
  const { rewrite, opened } = needs
  const { dict: page, place, bytes, around } = change
  const members: Record<string, PdfObject> = {}
  if (bytes !== null || around !== null) {
    const own = bytes === null ? contentsOf(opened, page) : [writeContent(rewrite, bytes)]
    members['Contents'] =
      around === null
        ? array(...own)
        : array(writeContent(rewrite, around.before), ...own, writeContent(rewrite, around.after))
    members['Resources'] = resourcesOf(needs, change)
  }
  const annotations = opened.document.get(page, 'Annots')
  if (change.flattened.size > 0 && isArray(annotations)) {
    const kept = annotations.items.filter((item) => {
      const annotation = opened.document.resolve(item)
      return !isDict(annotation) || !change.flattened.has(annotation)
    })
    members['Annots'] = array(...kept)
  }
  rewrite.write(place, withEntries(page, members))
}

function writeContent(rewrite: Rewrite, content: string | Uint8Array): PdfRef {
  const place = rewrite.reserve()
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  rewrite.writeStream(place, dict({ Filter: name('FlateDecode') }), deflateSync(bytes))
  return place
}

/** The parts of the content as they are. */
function contentsOf({ document }: OpenedPdf, page: PdfDict): readonly PdfObject[] {
  const stated = page.entries.get('Contents') ?? null
  const parts = document.resolve(stated)
  return isArray(parts) ? parts.items : stated === null ? [] : [stated]
}

/** Forms, in all places where they are drawn. */
export function writeForms(
  needs: WriteNeeds,
  forms: ReadonlyMap<Extract<ContentSource, { type: 'form' }>, NewContent>,
): void {
  if (forms.size === 0) return
  const numbers = numbersOfStreams(needs.opened)
  for (const [{ form }, change] of forms) {
    const number = numbers.get(form)
    if (number === undefined || change.bytes === null) continue
    const entries = new Map(form.dict.entries)
    for (const key of ['Filter', 'DecodeParms', 'Length']) entries.delete(key)
    const members = { Filter: name('FlateDecode'), Resources: resourcesOf(needs, change) }
    needs.rewrite.writeStream(ref(number), withEntries({ kind: 'dict', entries }, members), deflateSync(change.bytes))
  }
}

/** A copy: the resources may be those of other contents, too. */
function resourcesOf({ opened, fonts }: WriteNeeds, { resources, fonts: named, forms }: NewContent): PdfDict {
  const { document } = opened
  const extended = (key: string, added: readonly (readonly [string, PdfObject])[]): Record<string, PdfObject> => {
    if (added.length === 0) return {}
    const known = resources === null ? null : document.get(resources, key)
    return { [key]: withEntries(isDict(known) ? known : null, Object.fromEntries(added)) }
  }
  return withEntries(resources, {
    ...extended(
      'Font',
      Array.from(named, ([key, font]) => [key, fonts(font)] as const),
    ),
    ...extended('XObject', [...forms]),
  })
}

function numbersOfStreams({ document }: OpenedPdf): ReadonlyMap<PdfStream, number> {
  const numbers = new Map<PdfStream, number>()
  for (const [number, place] of document.references.places) {
    const object = place.type === 'free' ? null : document.object(number)
    if (isStream(object)) numbers.set(object, number)
  }
  return numbers
}
