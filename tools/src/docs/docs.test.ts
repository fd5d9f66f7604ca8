import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import MiniSearch from 'minisearch'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildSite } from './build.ts'
import { findExternal } from './external.ts'
import { serveFolder } from './serve.ts'
import { SEARCH_OPTIONS } from './site/search-options.js'

const ROOT = join(import.meta.dirname, '../../..')
let folder: string
let root: string
let site: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-site-'))
  root = join(folder, 'project')
  site = join(folder, 'site')
  put('README.md', '# Project\n\nRead the [guide](docs/guides/first.md#a-step) or the [code](src).\n')
  put('docs/guides/first.md', '# First\n\n## A step\n\nPeel the orange.\n\n![drawn](drawn.png)\n')
  put('docs/guides/drawn.png', 'a picture')
  put('src/main.ts', 'code')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const built = (path: string): string => readFileSync(join(site, path), 'utf8')

test('pages link to each other, pictures are copied, and source code is named without a link', () => {
  expect(buildSite(root, site)).toEqual({ pages: 2, passages: 3, problems: [] })
  expect(built('index.html')).toContain('<a href="docs/guides/first.html#a-step">guide</a>')
  expect(built('index.html')).toContain('<span class="source" title="In the repository">code</span>')
  expect(built('docs/guides/first.html')).toContain('<h2 id="a-step">A step</h2>')
  expect(built('docs/guides/first.html')).toContain('<img src="drawn.png" alt="drawn" loading="lazy">')
  expect(built('docs/guides/drawn.png')).toBe('a picture')
})

test.each([
  ['[gone](docs/gone.md)', 'README.md: docs/gone.md leads to docs/gone.md, which does not exist'],
  [
    '[gone](docs/guides/first.md#b)',
    'README.md: docs/guides/first.md#b leads to docs/guides/first.md, which has no heading b',
  ],
  ['[gone](#b)', 'README.md: #b leads to README.md, which has no heading b'],
  ['![gone](gone.png)', 'README.md: gone.png leads to gone.png, which does not exist'],
  ['<img src="gone.png">', 'README.md: gone.png leads to gone.png, which does not exist'],
  ['[out](../secret.md)', 'README.md: ../secret.md leads to ../secret.md, which does not exist'],
])('a dead link is reported, and no site is made: %s', (link, problem) => {
  writeFileSync(join(folder, 'secret.md'), '# Secret')
  put('README.md', `# Project\n\n${link}\n`)
  expect(buildSite(root, site).problems).toEqual([problem])
  expect(existsSync(site)).toBe(false)
})

test('every new file of docs/ is in the navigation, in a section that is named after its folder', () => {
  put('docs/speed.md', '# Speed')
  put('docs/recipes/cake.md', '# Cake')
  buildSite(root, site)
  expect(built('index.html')).toMatch(/<summary>Reference<\/summary><ul>\n<li><a href="docs\/speed.html">Speed</)
  expect(built('index.html')).toMatch(/<summary>Recipes<\/summary><ul>\n<li><a href="docs\/recipes\/cake.html">Cake</)
})

test('a search finds a passage by its words, also by the beginning of one', () => {
  buildSite(root, site)
  const index = MiniSearch.loadJSON(built('site/search.json'), SEARCH_OPTIONS)
  expect(index.search('oran')).toMatchObject([{ url: 'docs/guides/first.html#a-step', page: 'First', title: 'A step' }])
})

test('HTML in code is shown as it is written', () => {
  put('README.md', '# Project\n\n```html\n<script src="https://a.example/x.js"></script>\n```\n\n`<b>`\n')
  buildSite(root, site)
  expect(built('index.html')).toContain('&lt;script src=&quot;https://a.example/x.js&quot;&gt;')
  expect(built('index.html')).toContain('<code>&lt;b&gt;</code>')
  expect(findExternal(site)).toEqual([])
})

test.each([
  ['a.html', '<p><img alt="" src="https://a.example/x.png"></p>', 'https://a.example/x.png'],
  ['a.html', '<script type="module" src="//a.example/x.js"></script>', '//a.example/x.js'],
  ['a.html', "<link rel=stylesheet href='http://a.example/x.css'>", 'http://a.example/x.css'],
  ['a.css', '@import "https://a.example/x.css";', 'https://a.example/x.css'],
  ['a.css', 'p { background: url(//a.example/x.png) }', '//a.example/x.png'],
  ['a.js', 'fetch("https://a.example/data")', 'https://a.example/data'],
  ['a.js', "import './a.js'\nimport 'https://a.example/x.js'", 'https://a.example/x.js'],
])('an address of another host that is loaded is found in %s: %s', (name, text, address) => {
  put(name, text)
  expect(findExternal(root)).toEqual([`${name}: ${address}`])
})

test('a link that the reader follows is not loaded', () => {
  put('a.html', '<a rel="noreferrer" href="https://a.example/">there</a>')
  expect(findExternal(root)).toEqual([])
})

test('the pages of this project have no dead link and load nothing from another host', async () => {
  const { pages, problems } = buildSite(ROOT, site)
  expect(problems).toEqual([])
  expect(findExternal(site)).toEqual([])
  expect(pages).toBeGreaterThan(60)
  const served = await serveFolder(site, 0)
  const { url } = served
  try {
    const page = await fetch(`${url}docs/errors.html`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain("content=\"default-src 'none'; script-src 'self'")
    expect((await fetch(`${url}..%2fproject%2fREADME.md`)).status).toBe(404)
    expect((await fetch(`${url}docs/`)).status).toBe(404)
    expect(await (await fetch(url)).text()).toContain('<title>Sealpost · Sealpost</title>')
  } finally {
    served.close()
  }
})
