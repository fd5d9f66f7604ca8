import { posix } from 'node:path'
import { addressOf, relativeAddress } from './links.ts'
import { escapeHtml, type Rendered } from './render.ts'

export interface NavigationSection {
  readonly title: string
  readonly pages: readonly { readonly file: string; readonly title: string }[]
}

/** The page loads nothing from other hosts, and the browser would refuse it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'"

export function layOut(file: string, page: Rendered, navigation: readonly NavigationSection[]): string {
  const base = posix.relative(posix.dirname(addressOf(file)), '.') || '.'
  return `<!doctype html>
<html lang="en" data-base="${base}/">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(page.title)} · Sealpost</title>
<link rel="stylesheet" href="${base}/site/style.css">
<link rel="icon" href="data:,">
<script type="module" src="${base}/site/search.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${base}/index.html">Sealpost</a>
<form role="search">
<input type="search" name="q" placeholder="Search" aria-label="Search" aria-controls="found" autocomplete="off">
<ol id="found" hidden></ol>
</form>
</header>
<div class="columns">
<nav aria-label="Pages">
${navigation.map((section) => sectionHtml(file, section)).join('\n')}
</nav>
<main id="content">
${page.html}</main>
${contentsHtml(page)}
</div>
</body>
</html>
`
}

function sectionHtml(file: string, { title, pages }: NavigationSection): string {
  const isOpen = pages.some((page) => page.file === file)
  const items = pages.map((page) => {
    const current = page.file === file ? ' aria-current="page"' : ''
    return `<li><a href="${relativeAddress(file, page.file)}"${current}>${escapeHtml(page.title)}</a></li>`
  })
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>\n${items.join('\n')}\n</ul></details>`
}

/** The headings of the second level, where there are some. */
function contentsHtml({ headings }: Rendered): string {
  const own = headings.filter(({ level }) => level === 2)
  if (own.length < 2) return ''
  const items = own.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<aside aria-label="On this page"><ul>\n${items.join('\n')}\n</ul></aside>`
}
