import type { ReceivedFile } from '@sealpost/sdk'

const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'text/plain': 'txt',
}

/** Derived from the slug: a file name that a customer chose could point to any folder. */
export function fileNameOf(slug: string, at: number, count: number, { part, label, mimeType }: ReceivedFile): string {
  const ending = ENDINGS[mimeType.split(';')[0]?.trim() ?? ''] ?? 'bin'
  const suffix = part === 'thumb' ? '-thumb' : pageSuffix(at, count, label, part)
  return `${slug.replaceAll(/[^a-z0-9_-]/g, '_')}${suffix}.${ending}`
}

function pageSuffix(at: number, count: number, label: string | null, part: ReceivedFile['part']): string {
  if (part !== 'page') return ''
  const named = label === 'front' || label === 'back' ? `-${label}` : ''
  return count === 1 ? named : `-${at + 1}${named}`
}
