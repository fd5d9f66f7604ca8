import { PDF_LIMITS } from '../limits.ts'
import type { PdfDocument } from '../reader/document.ts'
import {
  isArray,
  isCount,
  isDict,
  isName,
  isRef,
  type PdfDict,
  type PdfObject,
  type PdfRef,
} from '../reader/objects.ts'
import { PdfRefused } from '../refusal.ts'

export interface PageTree {
  readonly root: PdfRef
  readonly pages: readonly PdfDict[]
  /** Of each page. */
  readonly places: readonly PdfRef[]
  /** Of each page: own and inherited members that are needed to show it. */
  readonly attributes: readonly Inherited[]
  /** Points, of the first page as it is shown. */
  readonly firstPage: { readonly width: number; readonly height: number }
}

/** Walks the whole tree: viewers trust `Count`, or do not; so it has to be true. */
export function readPageTree(document: PdfDocument): PageTree {
  const root = document.catalog().entries.get('Pages')
  if (!isRef(root)) throw new PdfRefused('page_tree_invalid', 'the catalog has no reference to pages')
  const walk: Walk = { document, seen: new Set(), pages: [], places: [], attributes: [], sizes: [] }
  visit(walk, root, new Map(), 0)
  const [firstPage] = walk.sizes
  if (firstPage === undefined) throw new PdfRefused('no_pages', 'the page tree is empty')
  return { root, pages: walk.pages, places: walk.places, attributes: walk.attributes, firstPage }
}

interface Walk {
  readonly document: PdfDocument
  readonly seen: Set<number>
  readonly pages: PdfDict[]
  readonly places: PdfRef[]
  readonly attributes: Inherited[]
  readonly sizes: { readonly width: number; readonly height: number }[]
}

const INHERITED = ['MediaBox', 'CropBox', 'Rotate', 'Resources'] as const
export type Inherited = ReadonlyMap<string, PdfObject>

/** Returns the number of pages below the node. */
function visit(walk: Walk, ref: PdfObject, inherited: Inherited, depth: number): number {
  if (!isRef(ref) || walk.seen.has(ref.number) || depth > PDF_LIMITS.treeDepth)
    throw new PdfRefused('page_tree_invalid', 'a page is no reference, stands twice, or is nested too deeply')
  walk.seen.add(ref.number)
  const node = walk.document.resolve(ref)
  if (!isDict(node)) throw new PdfRefused('page_tree_invalid', 'a page is missing')
  const own = INHERITED.flatMap((key) => (node.entries.has(key) ? [[key, walk.document.get(node, key)] as const] : []))
  const attributes = new Map([...inherited, ...own])
  const type = walk.document.get(node, 'Type')
  if (isName(type, 'Page') && !node.entries.has('Kids')) return addPage(walk, node, ref, attributes)
  if (!isName(type, 'Pages')) throw new PdfRefused('page_tree_invalid', 'a node is neither a page nor a list of pages')
  return visitKids(walk, node, attributes, depth)
}

function visitKids(walk: Walk, node: PdfDict, inherited: Inherited, depth: number): number {
  const kids = walk.document.get(node, 'Kids')
  const count = walk.document.get(node, 'Count')
  if (!isArray(kids) || !isCount(count)) throw new PdfRefused('page_tree_invalid', 'a node has no kids or no count')
  let sum = 0
  for (const kid of kids.items) sum += visit(walk, kid, inherited, depth + 1)
  if (sum !== count) throw new PdfRefused('page_tree_invalid', `a node counts ${count} pages and has ${sum}`)
  return sum
}

function addPage(walk: Walk, page: PdfDict, place: PdfRef, attributes: Inherited): number {
  if (walk.pages.length >= PDF_LIMITS.pages) throw new PdfRefused('too_many_pages', 'too many pages')
  walk.pages.push(page)
  walk.places.push(place)
  walk.attributes.push(attributes)
  walk.sizes.push(readSize(walk.document, page, attributes))
  return 1
}

function readSize(document: PdfDocument, page: PdfDict, attributes: Inherited): { width: number; height: number } {
  const media = boxOf(document, attributes.get('MediaBox'))
  if (media === null) throw new PdfRefused('page_size_invalid', 'a page has no valid MediaBox')
  const crop = attributes.has('CropBox') ? boxOf(document, attributes.get('CropBox')) : media
  const unit = document.get(page, 'UserUnit') ?? 1
  const rotation = attributes.get('Rotate') ?? 0
  // Half of the viewers ignore a unit.
  if (crop === null || unit !== 1)
    throw new PdfRefused('page_size_invalid', 'a page has no valid CropBox, or a UserUnit')
  if (!isWithin(crop, media)) throw new PdfRefused('page_size_invalid', 'a CropBox is not within its MediaBox')
  if (typeof rotation !== 'number' || rotation % 90 !== 0) throw new PdfRefused('page_size_invalid', 'invalid Rotate')
  for (const side of [media.width, media.height, crop.width, crop.height])
    if (!(side > 0 && side <= PDF_LIMITS.pageSide))
      throw new PdfRefused('page_size_invalid', `a page is ${side} units long`)
  const isLying = rotation % 180 !== 0
  return { width: isLying ? crop.height : crop.width, height: isLying ? crop.width : crop.height }
}

export interface PageBox {
  readonly left: number
  readonly bottom: number
  readonly width: number
  readonly height: number
}

/** By a point: writers round. */
function isWithin(inner: PageBox, outer: PageBox): boolean {
  return (
    inner.left >= outer.left - 1 &&
    inner.bottom >= outer.bottom - 1 &&
    inner.left + inner.width <= outer.left + outer.width + 1 &&
    inner.bottom + inner.height <= outer.bottom + outer.height + 1
  )
}

export function boxOf(document: PdfDocument, box: PdfObject | undefined): PageBox | null {
  const sides = isArray(box) ? box.items.map((item) => document.resolve(item)) : []
  const [left, bottom, right, top] = sides
  if (sides.length !== 4 || typeof left !== 'number' || typeof bottom !== 'number') return null
  if (typeof right !== 'number' || typeof top !== 'number') return null
  return {
    left: Math.min(left, right),
    bottom: Math.min(bottom, top),
    width: Math.abs(right - left),
    height: Math.abs(top - bottom),
  }
}
