import { TEMPLATE_LIMITS } from '@sealpost/pdf-format'
import type { FilledPlace, FillOutcome } from '../fill/fill-report.ts'
import { isKey, isObject, isPage, readList, readScan } from './read-scan.ts'

/** The report of a child, which is not trusted: only members that it has, within their limits. */
export function readOutcome(value: unknown): FillOutcome | null {
  if (!isObject(value)) return null
  const scan = readScan(value['scan'])
  const overflowing = readList(value['overflowing'], TEMPLATE_LIMITS.tags, readPlace)
  const incomplete = readList(value['incomplete'], TEMPLATE_LIMITS.tags, (key) => (isKey(key) ? key : null))
  if (scan === null || overflowing === null || incomplete === null) return null
  return { scan, overflowing, incomplete }
}

function readPlace(value: unknown): FilledPlace | null {
  if (!isObject(value)) return null
  const { key, page } = value
  return isKey(key) && isPage(page) ? { key, page } : null
}
