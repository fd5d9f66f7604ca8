import { PDF_LIMITS, PDF_REFUSALS, type PdfFacts, type PdfRefusal } from '@sealpost/pdf-format'

export function isRefusal(value: unknown): value is PdfRefusal {
  return typeof value === 'string' && Object.hasOwn(PDF_REFUSALS, value)
}

export function isFacts(value: unknown): value is PdfFacts {
  if (typeof value !== 'object' || value === null) return false
  if (!('pages' in value) || !('width' in value) || !('height' in value)) return false
  const { pages, width, height } = value
  const isCounted = typeof pages === 'number' && Number.isInteger(pages) && pages > 0 && pages <= PDF_LIMITS.pages
  return isCounted && isSide(width) && isSide(height)
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= PDF_LIMITS.pageSide
}
