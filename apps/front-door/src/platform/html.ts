/** The headers of a page of ours; `policies` are added to its Content-Security-Policy. */
export function pageHeaders(...policies: readonly string[]): Readonly<Record<string, string>> {
  const policy = ["default-src 'none'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'", ...policies]
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'content-security-policy': policy.join('; '),
  }
}

/** Parts are HTML: text of others must be escaped before. */
export interface HtmlDocument {
  readonly title: string
  readonly styleUrl: string
  readonly head?: string
  readonly main: string
}

export function htmlDocument({ title, styleUrl, head = '', main }: HtmlDocument): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${styleUrl}">
    ${head}
  </head>
  <body>
    <main>
    ${main}
    </main>
  </body>
</html>
`
}

/** Escapes text for HTML and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
