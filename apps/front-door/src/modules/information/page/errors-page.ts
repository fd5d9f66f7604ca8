import { type ErrorChapter, errorPages, type ErrorSection, readReferencePage } from '@sealpost/protocol'
import { escapeHtml, htmlDocument, pageHeaders } from '../../../platform/html.ts'
import { ICON_URL, STYLE_URL } from './assets.ts'

export const ERRORS_HEADERS = { ...pageHeaders("img-src 'self'"), 'cache-control': 'public, max-age=300' }

/** The page that the `Link` of every refusal leads to: each key is an anchor. */
export function errorsPage(): string {
  const { intro, example, rules, chapters } = errorPages()
  return htmlDocument({
    title: 'Sealpost: errors',
    styleUrl: STYLE_URL,
    head: `<link rel="icon" type="image/svg+xml" href="${ICON_URL}">`,
    main: `<h1>Errors</h1>
<p><a href="${readReferencePage.path}">API reference</a></p>
<p>${marked(intro)}</p>
<pre><code>${escapeHtml(example)}</code></pre>
<ul>${rules.map((rule) => `<li>${marked(rule)}</li>`).join('\n')}</ul>
${chapters.map(chapter).join('\n')}`,
  })
}

function chapter({ title, about, sections }: ErrorChapter): string {
  return `<h2>${escapeHtml(title)}</h2>
<p>${marked(about)}</p>
${sections.map(section).join('\n')}`
}

function section({ key, mark, sentence, remedy, facts }: ErrorSection): string {
  const list = facts.length === 0 ? '' : `<ul>${facts.map((fact) => `<li>${marked(fact)}</li>`).join('')}</ul>`
  return `<section id="${key}">
<h3><a href="#${key}"><code>${key}</code></a> (${escapeHtml(mark)})</h3>
<p>${escapeHtml(sentence)}.</p>
<p>${marked(remedy)}</p>
${list}
</section>`
}

/** Text with the marks of Markdown that the catalog uses: code, bold and links. */
function marked(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
}
