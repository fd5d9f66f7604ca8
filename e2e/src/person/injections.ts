import type { HonestAnswer, Lie } from '../hostile-server/proxy.ts'

/** Sets a mark if it is ever run. */
const RUN = 'globalThis.injected=1'

const tags = ['img src=x', 'svg', 'body', 'video src=x', 'audio src=x', 'input autofocus', 'details open', 'marquee']
const handlers = ['onerror', 'onload', 'onfocus', 'ontoggle', 'onstart', 'onanimationstart', 'onpointerenter']
const closings = ['', '">', "'>", '</title>', '</textarea>', '</script>', '-->', '</style>']

/** At least a hundred ways by which a text becomes a script where it is not shown as a text. */
export const injections: readonly string[] = [
  ...closings.map((closing) => `${closing}<script>${RUN}</script>`),
  ...tags.flatMap((tag) => handlers.map((handler) => `<${tag} ${handler}=${RUN}>`)),
  ...closings.map((closing) => `${closing}<img src=x onerror=${RUN}>`),
  ...['javascript:', 'JaVaScRiPt:', 'java\tscript:', '\u0001javascript:', 'data:text/html,', 'vbscript:'].map(
    (scheme) => `${scheme}${RUN}`,
  ),
  `<iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<iframe src="javascript:parent.${RUN}">`,
  `<object data="javascript:${RUN}">`,
  `<embed src="javascript:${RUN}">`,
  `<base href="https://evil.example/">`,
  `<link rel=stylesheet href="https://evil.example/x.css">`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `<form action="javascript:${RUN}"><button>Go</button></form>`,
  `<a href="javascript:${RUN}" autofocus>x</a>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${RUN}"><text>x</text></a></svg>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<template><script>${RUN}</script></template>`,
  `<xss style="animation-name:x" onanimationend=${RUN}>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `';${RUN};//`,
  `"-(${RUN})-"`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `\u202e<script>${RUN}</script>`,
]

/** Members with a form that the app works with: changing them would be another test. */
const FORMAL = new Set(
  `id slug type field_type lane kind mode status audience usertype user_type input alg key region
  language claims_delivery error_key share_code code email public_key device_record value iv data
  api_url access_token next_cursor origin token_type rp challenge assertion_challenge client_id
  redirect_to extends parent`.split(/\s+/),
)
const FORM = /^(?:[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\d.*|[\w+/=-]{60,})$/

/** Puts the text into every member that a person could read, at any depth. */
export function writeInto(text: string, changed: Set<string>): Lie {
  const into = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => into(item, name))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, into(item, key)]))
    if (typeof value !== 'string' || FORMAL.has(name) || name.endsWith('_id') || FORM.test(value)) return value
    changed.add(name)
    return text
  }
  return ({ path, body }: HonestAnswer) => (NOT_FOR_PEOPLE.test(path) ? undefined : into(body, ''))
}

const NOT_FOR_PEOPLE = /^\/api\/(?:session|field-types|registry)/
