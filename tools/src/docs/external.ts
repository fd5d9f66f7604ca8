import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Elements whose address is loaded; `<a>` is only followed by the reader. */
const ELEMENTS =
  /<(?!a\b)[a-z]+\b[^>]*?\s(?:src|href|srcset|data|poster|action)\s*=\s*["']?\s*((?:[a-z][a-z+.-]*:)?\/\/[^"'\s>]+)/gi
const STYLES = /(?:url\(\s*|@import\s+)["']?\s*((?:[a-z]+:)?\/\/[^"')\s]+)/gi
const STRINGS = /["'`]((?:https?:|wss?:)?\/\/[\w.-]+[^"'`\s]*)["'`]/gi
const PATTERNS: Readonly<Record<string, RegExp>> = { html: ELEMENTS, css: STYLES, js: STRINGS, svg: ELEMENTS }

/** Addresses of other hosts that a page, a style or a script loads, with their file. */
export function findExternal(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const pattern = PATTERNS[name.split('.').at(-1) ?? '']
    if (pattern === undefined) return []
    return [...readFileSync(join(folder, name), 'utf8').matchAll(pattern)].map(([, address]) => `${name}: ${address}`)
  })
}
