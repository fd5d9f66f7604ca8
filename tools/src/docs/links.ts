import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isPage } from './sections.ts'

/** What a link of a page leads to. */
export type Target =
  | { readonly kind: 'external' }
  /** A page of the site, with the id of an element or an empty text. */
  | { readonly kind: 'page'; readonly file: string; readonly id: string }
  /** A file that is copied beside the pages. */
  | { readonly kind: 'asset'; readonly file: string }
  /** Source code, which is no part of the site. */
  | { readonly kind: 'source'; readonly file: string }
  | { readonly kind: 'dead'; readonly file: string }

const ASSET = /\.(png|jpg|jpeg|svg|webp|pdf|txt|tsv|csv|odt|docx)$/

export function resolveLink(root: string, from: string, href: string): Target {
  if (/^[a-z][a-z+.-]*:/i.test(href) || href.startsWith('//')) return { kind: 'external' }
  const [path = '', id = ''] = href.split('#')
  if (path === '') return { kind: 'page', file: from, id }
  const file = posix.normalize(posix.join(posix.dirname(from), decodeURI(path))).replace(/\/$/, '')
  if (file.startsWith('..') || !existsSync(join(root, file))) return { kind: 'dead', file }
  if (!statSync(join(root, file)).isDirectory()) {
    if (isPage(file)) return { kind: 'page', file, id }
    return { kind: ASSET.test(file) ? 'asset' : 'source', file }
  }
  const readme = posix.join(file, 'README.md')
  return existsSync(join(root, readme)) ? { kind: 'page', file: readme, id } : { kind: 'source', file }
}

/** The address of a page or a file, from the root of the site. */
export function addressOf(file: string): string {
  if (!isPage(file)) return file
  return file.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.(md|json)$/, '.html')
}

export function relativeAddress(from: string, to: string): string {
  return posix.relative(posix.dirname(addressOf(from)), addressOf(to)) || posix.basename(addressOf(to))
}
