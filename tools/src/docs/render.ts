import { Marked, type Token, type Tokens } from 'marked'
import { relativeAddress, resolveLink } from './links.ts'

export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

/** A part of a page that is found on its own. */
export interface Passage {
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly passages: readonly Passage[]
  /** All ids that a link can name. */
  readonly ids: ReadonlySet<string>
  /** Files to copy. */
  readonly assets: ReadonlySet<string>
  /** Links to other parts of the site, to be checked when all pages are known. */
  readonly links: readonly PageLink[]
  readonly dead: readonly string[]
}

export interface PageLink {
  readonly file: string
  readonly id: string
  readonly href: string
}

interface Findings {
  readonly headings: Heading[]
  readonly passages: Passage[]
  readonly ids: Set<string>
  readonly assets: Set<string>
  readonly links: PageLink[]
  readonly dead: string[]
}

export function renderPage(root: string, file: string, markdown: string): Rendered {
  const found: Findings = { headings: [], passages: [], ids: new Set(), assets: new Set(), links: [], dead: [] }
  const address = (href: string): string | null => follow(root, file, href, found)
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const heading = found.headings.find(
          (each) => each.level === depth && each.text === textOf(tokens) && !used.has(each),
        )
        if (heading !== undefined) used.add(heading)
        return `<h${depth} id="${heading?.id ?? ''}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const to = address(href)
        if (to === null) return `<span class="source" title="In the repository">${inner}</span>`
        return `<a href="${escapeHtml(to)}"${isExternal(to) ? ' rel="noreferrer"' : ''}>${inner}</a>`
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(address(href) ?? '')}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code({ text, lang }) {
        const name = lang?.split(/\s/)[0] ?? ''
        return `<pre tabindex="0"><code${name === '' ? '' : ` data-language="${escapeHtml(name)}"`}>${escapeHtml(text)}\n</code></pre>\n`
      },
      table(token) {
        return `<div class="table" tabindex="0">${tableHtml(token, (tokens) => this.parser.parseInline(tokens))}</div>\n`
      },
      html({ text }) {
        if (text.startsWith('<!--')) return ''
        return text.replaceAll(
          /\b(src|href)="([^"]+)"/g,
          (_, name: string, href: string) => `${name}="${address(href) ?? ''}"`,
        )
      },
    },
  })
  const used = new Set<Heading>()
  const tokens = marked.lexer(markdown)
  collect(tokens, found)
  const html = marked.parser(tokens)
  return { ...found, html, title: found.headings[0]?.text ?? file }
}

/** The address of a link in the page; null for source code. */
function follow(root: string, from: string, href: string, found: Findings): string | null {
  const target = resolveLink(root, from, href)
  switch (target.kind) {
    case 'external':
      return href
    case 'dead':
      found.dead.push(`${from}: ${href} leads to ${target.file}, which does not exist`)
      return ''
    case 'source':
      return null
    case 'asset':
      found.assets.add(target.file)
      return relativeAddress(from, target.file)
    case 'page': {
      found.links.push({ file: target.file, id: decodeURIComponent(target.id), href })
      const id = target.id === '' ? '' : `#${target.id}`
      return target.file === from && id !== '' ? id : `${relativeAddress(from, target.file)}${id}`
    }
  }
}

/** Headings with their ids, as GitHub makes them, and the text below each. */
function collect(tokens: readonly Token[], found: Findings): void {
  let passage: { id: string; title: string; text: string } | null = null
  for (const token of tokens) {
    if (isHeading(token)) {
      const text = textOf(token.tokens)
      const id = freeId(slugOf(text), found.ids)
      found.headings.push({ level: token.depth, id, text })
      if (passage !== null) found.passages.push(passage)
      passage = { id, title: text, text: '' }
    } else if (passage !== null && token.type !== 'html') {
      passage.text += ` ${plainText(token)}`
    }
  }
  if (passage !== null) found.passages.push(passage)
  for (const { raw } of tokens.filter(({ type }) => type === 'html' || type === 'paragraph'))
    for (const [, id = ''] of raw.matchAll(/<a id="([^"]+)"/g)) found.ids.add(id)
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function freeId(slug: string, taken: Set<string>): string {
  let id = slug
  for (let number = 1; taken.has(id); number += 1) id = `${slug}-${number}`
  taken.add(id)
  return id
}

export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function textOf(tokens: readonly Token[] | undefined): string {
  return (tokens ?? []).map(plainText).join('')
}

/** Without the marks of Markdown. */
function plainText(token: Token): string {
  if (isTable(token))
    return [token.header, ...token.rows]
      .flat()
      .map((cell) => textOf(cell.tokens))
      .join(' ')
  if (isList(token)) return token.items.map((item) => textOf(item.tokens)).join(' ')
  if ('tokens' in token && token.tokens !== undefined) return textOf(token.tokens)
  return 'text' in token && typeof token.text === 'string' ? token.text : ''
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table'
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list'
}

type Inline = (tokens: Token[]) => string

function tableHtml({ header, rows }: Tokens.Table, inline: Inline): string {
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${inline(tokens)}</${tag}>`).join('')}</tr>`
  const hasHead = header.some(({ text }) => text !== '')
  const head = hasHead ? `<thead>${row(header, 'th')}</thead>` : ''
  return `<table>${head}<tbody>${rows.map((cells) => row(cells, 'td')).join('\n')}</tbody></table>`
}

export function isExternal(address: string): boolean {
  return /^[a-z][a-z+.-]*:|^\/\//i.test(address)
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
