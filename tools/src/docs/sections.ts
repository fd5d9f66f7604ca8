import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A part of the navigation: paths of files in the repository. */
export interface Section {
  readonly title: string
  readonly files: readonly string[]
}

const START = ['README.md']
const CONCEPTS = ['GLOSSARY.md', 'ARCHITECTURE.md', 'SECURITY.md', 'docs/limits.md', 'docs/comparison.md']
const DEVELOPMENT = ['CONTRIBUTING.md', 'STYLE.md', 'docs/benchmarks.md', 'docs/dependencies.md', 'CHANGELOG.md']
/** Titles of folders; another folder gets its name. */
const FOLDERS: Readonly<Record<string, string>> = {
  guides: 'Guides',
  api: 'API reference',
  runbooks: 'Operation',
  decisions: 'Decisions',
}

/** The files that exist. A new file or folder of `docs/` has a place without a change here. */
export function findSections(root: string): readonly Section[] {
  const placed = new Set([...START, ...CONCEPTS, ...DEVELOPMENT])
  const entries = readdirSync(join(root, 'docs'), { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => `docs/${name}`)
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const named = Object.keys(FOLDERS).filter((name) => folders.includes(name))
  const section = (folder: string): Section => ({
    title: FOLDERS[folder] ?? `${folder.charAt(0).toUpperCase()}${folder.slice(1)}`,
    files: pagesIn(root, `docs/${folder}`),
  })
  const [guides, ...others] = [...named, ...folders.filter((name) => !(name in FOLDERS))].map(section)
  const all = [
    { title: 'Start', files: START },
    ...(guides === undefined ? [] : [guides]),
    { title: 'Concepts', files: CONCEPTS },
    { title: 'Reference', files: files.filter((file) => isPage(file) && !placed.has(file)) },
    ...others,
    { title: 'Development', files: DEVELOPMENT },
  ]
  return all
    .map(({ title, files: wanted }) => ({ title, files: wanted.filter((file) => existsSync(join(root, file))) }))
    .filter((each) => each.files.length > 0)
}

function pagesIn(root: string, folder: string): readonly string[] {
  const names = readdirSync(join(root, folder)).toSorted()
  return names.map((name) => `${folder}/${name}`).filter(isPage)
}

/** Markdown, and descriptions of APIs. */
export function isPage(file: string): boolean {
  return file.endsWith('.md') || /^docs\/api\/[^/]+\.json$/.test(file)
}
