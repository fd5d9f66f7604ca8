import { buildPdf, pageObjects } from '../build-pdf.ts'
import { hostile, type HostileFile } from './hostile-file.ts'

const PAGE = '<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]>>'
const CATALOG = '<</Type /Catalog /Pages 2 0 R>>'

const tree = (pages: string, ...others: readonly string[]) => buildPdf([CATALOG, pages, ...others])

const box = (page: string) => tree('<</Type /Pages /Kids [3 0 R] /Count 1>>', `<</Type /Page /Parent 2 0 R ${page}>>`)

/** Page trees that lie, and pages that cannot be shown. */
export function pageFiles(): readonly HostileFile[] {
  return [
    hostile('no pages', 'no_pages', tree('<</Type /Pages /Kids [] /Count 0>>')),
    hostile('301 pages', 'too_many_pages', buildPdf(pageObjects({ pages: 301 }))),
    hostile('a count that is too high', 'page_tree_invalid', tree('<</Type /Pages /Kids [3 0 R] /Count 2>>', PAGE)),
    hostile('a count of zero', 'page_tree_invalid', tree('<</Type /Pages /Kids [3 0 R] /Count 0>>', PAGE)),
    hostile(
      'a count of two billion',
      'page_tree_invalid',
      tree('<</Type /Pages /Kids [3 0 R] /Count 2000000000>>', PAGE),
    ),
    hostile('a negative count', 'page_tree_invalid', tree('<</Type /Pages /Kids [3 0 R] /Count -1>>', PAGE)),
    hostile('a tree that contains itself', 'page_tree_invalid', tree('<</Type /Pages /Kids [2 0 R] /Count 1>>')),
    hostile('a page twice', 'page_tree_invalid', tree('<</Type /Pages /Kids [3 0 R 3 0 R] /Count 2>>', PAGE)),
    hostile('a page that is missing', 'page_tree_invalid', tree('<</Type /Pages /Kids [9 0 R] /Count 1>>')),
    hostile('a page that is a number', 'page_tree_invalid', tree('<</Type /Pages /Kids [7] /Count 1>>')),
    hostile('2^30 pages', 'page_tree_invalid', doubling(30)),
    hostile('a tree of 5,000 levels', 'page_tree_invalid', deep(5_000)),
    hostile(
      'a thousand kids that are one',
      'page_tree_invalid',
      tree(`<</Type /Pages /Kids [${'3 0 R '.repeat(1_000)}] /Count 1>>`, PAGE),
    ),
    hostile('no size', 'page_size_invalid', box('')),
    hostile('a side of zero', 'page_size_invalid', box('/MediaBox [0 0 0 842]')),
    hostile('a side of a million', 'page_size_invalid', box('/MediaBox [0 0 1000000 842]')),
    hostile('a unit of a thousand', 'page_size_invalid', box('/MediaBox [0 0 595 842] /UserUnit 1000')),
    hostile('a crop box of three numbers', 'page_size_invalid', box('/MediaBox [0 0 595 842] /CropBox [0 0 1]')),
    hostile('a rotation by 45 degrees', 'page_size_invalid', box('/MediaBox [0 0 595 842] /Rotate 45')),
  ]
}

/** Each node lists the next one twice. */
function doubling(levels: number): Uint8Array {
  const nodes = Array.from({ length: levels }, (_, level) => {
    const kid = `${level + 3} 0 R`
    return `<</Type /Pages /Kids [${kid} ${kid}] /Count ${2 ** (levels - level)}>>`
  })
  return buildPdf([CATALOG, ...nodes, PAGE])
}

function deep(levels: number): Uint8Array {
  const nodes = Array.from({ length: levels }, (_, level) => `<</Type /Pages /Kids [${level + 3} 0 R] /Count 1>>`)
  return buildPdf([CATALOG, ...nodes, PAGE])
}
