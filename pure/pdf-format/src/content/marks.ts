import type { PdfDocument } from '../reader/document.ts'
import type { PdfDict } from '../reader/objects.ts'
import type { ContentSource, Mark } from './glyph.ts'
import type { Operator } from './operands.ts'

/** The mark that an operator `BDC` begins; null if it does not state the text of its content. */
export function readMark(
  document: PdfDocument,
  source: ContentSource,
  operator: Operator,
  named: PdfDict | null,
): Mark | null {
  const stated = operator.operands[1]
  if (named !== null) {
    if (!named.entries.has('ActualText')) return null
    const mcid = document.get(named, 'MCID')
    return { source, operator, others: typeof mcid === 'number' ? `/MCID ${mcid}` : null }
  }
  if (stated?.kind !== 'dict') return null
  const names = stated.items.map((item) => (item.kind === 'name' ? item.name : null))
  if (!names.some((name, at) => at % 2 === 0 && name === 'ActualText')) return null
  // What links the content to the structure of the document is kept.
  const mcid = stated.items[names.indexOf('MCID') + 1]
  return { source, operator, others: names.includes('MCID') && mcid?.kind === 'number' ? `/MCID ${mcid.value}` : null }
}
