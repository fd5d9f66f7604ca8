import { accept, decline, type Result } from '@sealpost/kernel'
import { PDF_LIMITS } from '../limits.ts'
import { startsWith } from '../reader/characters.ts'
import { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, type PdfDict } from '../reader/objects.ts'
import { PdfRefused, type PdfRefusal } from '../refusal.ts'
import { refuseOpenAction } from './active-content.ts'
import { inspectAnnotations } from './annotations.ts'
import { inspectContents } from './contents.ts'
import { inspectLayers } from './layers.ts'
import { inspectObjects } from './objects.ts'
import { readPageTree } from './pages.ts'

export interface PdfFacts {
  readonly pages: number
  /** Points, of the first page as it is shown. */
  readonly width: number
  readonly height: number
}

/**
 * The gate for every PDF that is to be signed, in servers and in clients: whether the file can be sealed as it is.
 * Never throws; the time and memory it takes are bounded by `PDF_LIMITS`.
 */
export function inspectPdf(bytes: Uint8Array): Result<PdfFacts, PdfRefusal> {
  const opened = openPdf(bytes)
  return opened.ok ? accept(opened.value.facts) : opened
}

export interface OpenedPdf {
  readonly document: PdfDocument
  readonly tree: ReturnType<typeof readPageTree>
  readonly facts: PdfFacts
  /** Above every number that the file uses or refers to. */
  readonly nextNumber: number
}

/** The same gate, for the one who adds a page to the file. */
export function openPdf(bytes: Uint8Array): Result<OpenedPdf, PdfRefusal> {
  try {
    return accept(open(bytes))
  } catch (error) {
    if (error instanceof PdfRefused) return decline(error.refusal)
    throw error
  }
}

function open(bytes: Uint8Array): OpenedPdf {
  if (bytes.length > PDF_LIMITS.bytes) throw new PdfRefused('too_large', `${bytes.length} bytes`)
  if (!startsWith(bytes, 0, '%PDF-')) throw new PdfRefused('not_pdf', 'the file does not start with %PDF-')
  const document = new PdfDocument(bytes)
  const catalog = document.catalog()
  const tree = readPageTree(document)
  inspectCatalog(document, catalog)
  const nextNumber = inspectObjects(document) + 1
  refuseOpenAction(document, catalog)
  inspectLayers(document, catalog)
  inspectAnnotations(document, tree.pages)
  inspectContents(document, tree)
  return { document, tree, nextNumber, facts: { pages: tree.pages.length, ...tree.firstPage } }
}

function inspectCatalog(document: PdfDocument, catalog: PdfDict): void {
  if (document.get(catalog, 'NeedsRendering') === true) throw new PdfRefused('xfa', 'the catalog has NeedsRendering')
  if (document.get(catalog, 'DSS') !== null) throw new PdfRefused('signed', 'the catalog has DSS')
  const form = document.get(catalog, 'AcroForm')
  if (!isDict(form)) return
  const fields = document.get(form, 'Fields')
  if (document.get(form, 'NeedAppearances') === true && isArray(fields) && fields.items.length > 0)
    throw new PdfRefused('form_without_appearance', 'the form has NeedAppearances')
  const flags = document.get(form, 'SigFlags')
  if (typeof flags === 'number' && (flags & 3) !== 0) throw new PdfRefused('signed', 'the form has SigFlags')
}
