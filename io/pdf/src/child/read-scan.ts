import {
  isTemplateKey,
  PDF_LIMITS,
  TEMPLATE_LIMITS,
  type TemplateLeftover,
  type TemplateScan,
  type TemplateTag,
  type UnreadableText,
} from '@sealpost/pdf-format'

/** The scan of a child, which is not trusted: only members that a scan has, within its limits. */
export function readScan(value: unknown): TemplateScan | null {
  if (!isObject(value) || !isPage(value['pages']) || typeof value['isCut'] !== 'boolean') return null
  const keys = readList(value['keys'], TEMPLATE_LIMITS.tags, (key) => (isKey(key) ? key : null))
  const tags = readList(value['tags'], TEMPLATE_LIMITS.tags, readTag)
  const leftovers = readList(value['leftovers'], TEMPLATE_LIMITS.leftovers, readLeftover)
  const unreadable = readList(value['unreadable'], TEMPLATE_LIMITS.unreadable, readUnreadable)
  if (keys === null || tags === null || leftovers === null || unreadable === null) return null
  return { pages: value['pages'], keys, tags, leftovers, unreadable, isCut: value['isCut'] }
}

export function readList<Item>(value: unknown, limit: number, read: (item: unknown) => Item | null): readonly Item[] | null {
  if (!Array.isArray(value) || value.length > limit) return null
  const items: Item[] = []
  for (const one of value) {
    const item = read(one)
    if (item === null) return null
    items.push(item)
  }
  return items
}

function readTag(value: unknown): TemplateTag | null {
  if (!isObject(value)) return null
  const { key, source, page, left, top, width, height, fontSize } = value
  if (!isKey(key) || (source !== 'text' && source !== 'field') || !isPage(page)) return null
  if (!isNumber(left) || !isNumber(top) || !isNumber(width) || !isNumber(height) || !isNumber(fontSize)) return null
  return { key, source, page, left, top, width, height, fontSize }
}

function readLeftover(value: unknown): TemplateLeftover | null {
  if (!isObject(value)) return null
  const { reason, text, page } = value
  if (reason !== 'split' && reason !== 'syntax' && reason !== 'invisible') return null
  return isText(text, TEMPLATE_LIMITS.leftoverText) && isPage(page) ? { reason, text, page } : null
}

function readUnreadable(value: unknown): UnreadableText | null {
  if (!isObject(value)) return null
  const { reason, page, font } = value
  if ((reason !== 'font' && reason !== 'content' && reason !== 'picture') || !isPage(page)) return null
  if (font === undefined) return { reason, page }
  return isText(font, TEMPLATE_LIMITS.fontName) ? { reason, page, font } : null
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

export function isPage(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= PDF_LIMITS.pages
}

export function isKey(value: unknown): value is string {
  return typeof value === 'string' && isTemplateKey(value)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= TEMPLATE_LIMITS.place
}

function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.length <= limit
}
