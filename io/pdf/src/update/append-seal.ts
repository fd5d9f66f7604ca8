import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import {
  isArray,
  isDict,
  isRef,
  type OpenedPdf,
  type PdfObject,
  type PdfRef,
  SEAL_PLACES_LENGTH,
  type SealRecord,
  type Span,
  writeListSpans,
  writeSealPlaces,
} from '@sealpost/pdf-format'
import type { FontBook } from '../fonts/font-book.ts'
import { type DrawnPage, drawSignaturesPages, PAGE_HEIGHT, PAGE_WIDTH } from '../page/signatures-page.ts'
import { embedFont } from './embed-font.ts'
import { Update } from './update.ts'
import { array, dict, name, text, withEntries, writeObject } from './write-object.ts'

export interface SealDraft {
  readonly record: SealRecord
  /** The record as it is written into the file. */
  readonly recordBytes: Uint8Array
  readonly signerName: string
  /** Bytes for the CMS signature. */
  readonly reservedBytes: number
  /** DER; empty lists: the file carries no validation data. */
  readonly validation: { readonly certificates: readonly Uint8Array[]; readonly lists: readonly Uint8Array[] }
}

/**
 * The bytes to append: the Signatures page, the record, and a signature dictionary with an empty place for the
 * signature. The file itself stays the beginning of the result.
 */
export async function appendSeal(book: FontBook, opened: OpenedPdf, draft: SealDraft): Promise<Buffer> {
  const { document, tree } = opened
  const update = new Update(opened)
  const digest = createHash('sha256').update(document.bytes).digest()
  const drawn = await drawSignaturesPages(book, draft.record)
  const [field, signature, record] = [update.reserve(), update.reserve(), update.reserve()]
  const pages = writePages(update, book, { drawn, parent: tree.root, field, tag: tagOf(digest) })
  const [firstPage] = pages
  if (firstPage === undefined) throw new Error('the Signatures page is missing')
  update.write(field, fieldOf(signature, firstPage, `Seal-${digest.toString('hex', 0, 8)}`))
  rewriteTree(update, opened, pages)
  const { store, lists } = writeValidationData(update, draft)
  rewriteCatalog(update, opened, { field, signature, store })
  const recordStart = update.writeStream(record, dict({ Type: name('SealpostRecord') }), draft.recordBytes)
  const lengthBefore = document.bytes.length
  const placesAt = writeSignature(update, { place: signature, record, lists }, draft)
  const bytes = update.finish(fileId(opened, digest))
  const contentsStart = placesAt + SEAL_PLACES_LENGTH
  const places = writeSealPlaces({
    signedLength: lengthBefore,
    recordStart,
    recordLength: draft.recordBytes.length,
    contentsStart,
    contentsEnd: contentsStart + 2 * draft.reservedBytes,
    end: lengthBefore + bytes.length,
  })
  bytes.write(places, placesAt - lengthBefore, 'latin1')
  return bytes
}

/**
 * A Document Security Store, as PAdES B-LT has it. It is inside the one update, so the seal covers it, and nothing has to
 * be added to the file later.
 */
function writeValidationData(update: Update, { validation }: SealDraft) {
  if (validation.lists.length === 0) return { store: null, lists: [] }
  const write = (data: Uint8Array) => {
    const place = update.reserve()
    return { place, start: update.writeStream(place, dict({}), data), length: data.length }
  }
  const [certificates, lists] = [validation.certificates.map(write), validation.lists.map(write)]
  const store = update.reserve()
  update.write(store, dict({ Type: name('DSS'), Certs: placesOf(certificates), CRLs: placesOf(lists) }))
  return { store, lists }
}

function placesOf(written: readonly { readonly place: PdfRef }[]): PdfObject {
  return array(...written.map(({ place }) => place))
}

interface SignaturePlaces {
  readonly place: PdfRef
  readonly record: PdfRef
  readonly lists: readonly Span[]
}

/** The last object of the file: [Note: a seal is found without a PDF reader]. Returns the offset of its places. */
function writeSignature(update: Update, { place, record, lists }: SignaturePlaces, draft: SealDraft): number {
  const time = draft.record.sealed_at.replaceAll(/[-:T]/g, '').slice(0, 14)
  const parameters = dict({ Type: name('TransformParams'), P: 1, V: name('1.2') })
  const reference = dict({ Type: name('SigRef'), TransformMethod: name('DocMDP'), TransformParams: parameters })
  const members = dict({
    Type: name('Sig'),
    Filter: name('Adobe.PPKLite'),
    SubFilter: name('ETSI.CAdES.detached'),
    Name: text(draft.signerName),
    Reason: text('Seal of the signed document'),
    M: { kind: 'string', bytes: Buffer.from(`D:${time}Z`, 'latin1') },
    Reference: array(reference),
    SealpostRecord: record,
  })
  update.begin(place)
  update.append(writeObject(members).slice(0, -2))
  update.append(writeListSpans(lists))
  const placesAt = update.offset
  update.append(' '.repeat(SEAL_PLACES_LENGTH))
  update.append(`${'0'.repeat(2 * draft.reservedBytes)}>>>\nendobj\n`)
  return placesAt
}

interface NewPages {
  readonly drawn: readonly DrawnPage[]
  readonly parent: PdfRef
  readonly field: PdfRef
  readonly tag: string
}

function writePages(update: Update, book: FontBook, { drawn, parent, field, tag }: NewPages): readonly PdfRef[] {
  const fonts = new Map(book.faces().map((face) => [face, embedFont(update, book.subsetter, face, tag)]))
  return drawn.map(({ content, fonts: names }, index) => {
    const [page, stream] = [update.reserve(), update.reserve()]
    update.writeStream(stream, dict({ Filter: name('FlateDecode') }), deflateSync(Buffer.from(content, 'latin1')))
    const fontNames = Object.fromEntries([...names].map(([key, face]) => [key, fonts.get(face) ?? null]))
    const box = array(0, 0, PAGE_WIDTH, PAGE_HEIGHT)
    // Everything that a page can inherit is written: the tree of the file may have other defaults.
    const members = { MediaBox: box, CropBox: box, Rotate: 0, Resources: dict({ Font: dict(fontNames) }) }
    const annotations = index === 0 ? { Annots: array(field) } : {}
    update.write(page, dict({ Type: name('Page'), Parent: parent, ...members, Contents: stream, ...annotations }))
    return page
  })
}

/** Six capital letters before the name of a font say that it is a part of it. */
function tagOf(digest: Buffer): string {
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join('')
}

/** An invisible signature field on the Signatures page. */
function fieldOf(signature: PdfRef, page: PdfRef, fieldName: string): PdfObject {
  const widget = { Type: name('Annot'), Subtype: name('Widget'), Rect: array(0, 0, 0, 0), F: 132, P: page }
  return dict({ ...widget, FT: name('Sig'), T: text(fieldName), V: signature })
}

function rewriteTree(update: Update, { document, tree }: OpenedPdf, pages: readonly PdfRef[]): void {
  const root = document.resolve(tree.root)
  const kids = isDict(root) ? document.get(root, 'Kids') : null
  if (!isDict(root) || !isArray(kids)) throw new Error('the page tree was read before')
  const Count = tree.pages.length + pages.length
  update.write(tree.root, withEntries(root, { Kids: array(...kids.items, ...pages), Count }))
}

interface CatalogPlaces {
  readonly field: PdfRef
  readonly signature: PdfRef
  readonly store: PdfRef | null
}

/** Certification: no change is allowed after it (DocMDP, P 1). */
function rewriteCatalog(update: Update, { document }: OpenedPdf, { field, signature, store }: CatalogPlaces): void {
  const catalog = document.catalog()
  const place = document.references.trailer.entries.get('Root')
  if (!isRef(place)) throw new Error('the catalog was read before')
  const extension = dict({ BaseVersion: name('1.7'), ExtensionLevel: 1 })
  const extensions = document.get(catalog, 'Extensions')
  const form = document.get(catalog, 'AcroForm')
  const fields = isDict(form) ? document.get(form, 'Fields') : null
  const known = isArray(fields) ? fields.items : []
  const newForm = withEntries(isDict(form) ? form : null, { Fields: array(...known, field), SigFlags: 3 })
  const formPlace = isDict(form) ? catalog.entries.get('AcroForm') : null
  if (isRef(formPlace)) update.write(formPlace, newForm)
  update.write(
    place,
    withEntries(catalog, {
      AcroForm: isRef(formPlace) ? formPlace : newForm,
      Perms: dict({ DocMDP: signature }),
      ...(store === null ? {} : { DSS: store }),
      Extensions: withEntries(isDict(extensions) ? extensions : null, { ESIC: extension }),
    }),
  )
}

/** The first part stays for the life of a file; the second is new. */
function fileId({ document }: OpenedPdf, digest: Buffer): PdfObject {
  const known = document.get(document.references.trailer, 'ID')
  const own: PdfObject = { kind: 'string', bytes: digest.subarray(0, 16) }
  const first = isArray(known) ? document.resolve(known.items[0]) : null
  return array(first ?? own, own)
}
