/** How the app shows a file; `other` can only be saved. */
export type FileKind = 'pdf' | 'image' | 'text' | 'other'

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

export function fileKind(mimeType: string): FileKind {
  if (mimeType === 'application/pdf') return 'pdf'
  if (IMAGES.has(mimeType)) return 'image'
  return mimeType === 'text/plain' ? 'text' : 'other'
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'text/plain': 'txt',
}

/** Characters that steer a file system, and those that turn the direction of the text around them. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]+/gu
const LONGEST = 120

/** The company's own name of the file, made safe; else the name of the paper with the extension of its type. */
export function fileName(given: string, paperName: string, mimeType: string): string {
  const named = clean(given)
  if (/[^.]\.[a-z0-9]{1,8}$/i.test(named)) return named
  const extension = EXTENSIONS[mimeType]
  return `${clean(paperName) || 'document'}${extension === undefined ? '' : `.${extension}`}`
}

function clean(name: string): string {
  const safe = name
    .replaceAll(UNSAFE, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[ .]+/, '')
    .trim()
  if (safe.length <= LONGEST) return safe
  const extension = /\.[a-z0-9]{1,8}$/i.exec(safe)?.[0] ?? ''
  return safe.slice(0, LONGEST - extension.length).trim() + extension
}
