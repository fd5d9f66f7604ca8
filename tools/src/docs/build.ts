import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import { apiMarkdown } from './api-page.ts'
import { layOut, type NavigationSection } from './layout.ts'
import { addressOf } from './links.ts'
import { type Rendered, renderPage } from './render.ts'
import { findSections } from './sections.ts'
import { SEARCH_OPTIONS } from './site/search-options.js'

export interface Built {
  readonly pages: number
  readonly passages: number
  /** Dead links, each as a sentence. */
  readonly problems: readonly string[]
}

const SITE = join(import.meta.dirname, 'site')

/** Renders the pages of the navigation and every page that they link to. Replaces the folder when all links are good. */
export function buildSite(root: string, folder: string): Built {
  const sections = findSections(root)
  const pages = renderAll(
    root,
    sections.flatMap(({ files }) => files),
  )
  const problems = [...[...pages.values()].flatMap(({ dead }) => dead), ...findDeadIds(pages)]
  const passages = passagesOf(pages)
  const built = { pages: pages.size, passages: passages.length, problems }
  if (problems.length > 0) return built
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const navigation = sections.map(({ title, files }): NavigationSection => ({
    title,
    pages: files.map((file) => ({ file, title: pages.get(file)?.title ?? file })),
  }))
  for (const [file, page] of pages) write(join(unfinished, addressOf(file)), layOut(file, page, navigation))
  for (const asset of new Set([...pages.values()].flatMap(({ assets }) => [...assets])))
    cpSync(join(root, asset), join(unfinished, asset))
  cpSync(SITE, join(unfinished, 'site'), { recursive: true, filter: (name) => !name.endsWith('.d.ts') })
  cpSync(fileURLToPath(import.meta.resolve('minisearch')), join(unfinished, 'site/minisearch.js'))
  const index = new MiniSearch(SEARCH_OPTIONS)
  index.addAll(passages)
  write(join(unfinished, 'site/search.json'), JSON.stringify(index))
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
  return built
}

/** Pages that are linked to are rendered, too. */
function renderAll(root: string, first: readonly string[]): ReadonlyMap<string, Rendered> {
  const pages = new Map<string, Rendered>()
  const waiting = [...first]
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (pages.has(file)) continue
    const text = readFileSync(join(root, file), 'utf8')
    const page = renderPage(root, file, file.endsWith('.json') ? apiMarkdown(text) : text)
    pages.set(file, page)
    waiting.push(...page.links.map((link) => link.file))
  }
  return pages
}

function findDeadIds(pages: ReadonlyMap<string, Rendered>): readonly string[] {
  return [...pages].flatMap(([from, { links }]) =>
    links
      .filter(({ file, id }) => id !== '' && pages.get(file)?.ids.has(id) !== true)
      .map(({ href, file, id }) => `${from}: ${href} leads to ${file}, which has no heading ${id}`),
  )
}

interface FoundPassage {
  readonly id: number
  readonly url: string
  readonly page: string
  readonly title: string
  readonly text: string
}

function passagesOf(pages: ReadonlyMap<string, Rendered>): readonly FoundPassage[] {
  const all = [...pages].flatMap(([file, page]) =>
    page.passages.map(({ id, title, text }) => ({ url: `${addressOf(file)}#${id}`, page: page.title, title, text })),
  )
  return all.map((passage, id) => ({ id, ...passage }))
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
