/**
 * A reader for the XML of the documents: no attributes, lists as repeated `<item>`, members whose name is no XML name as
 * `<member><name/><value/></member>`. Types are not carried: every scalar is text.
 */
export function readXml(text: string): unknown {
  const tokens = text.replace(/^<\?xml[^>]*\?>/, '').match(/<\/?[^>]+>|[^<]+/g) ?? []
  const [root] = readElements(tokens, { at: 0 }).elements
  if (root?.name !== 'response') throw new Error('the root of the answer is not <response>')
  return root.value
}

interface Element {
  readonly name: string
  readonly value: unknown
}

interface Content {
  readonly elements: readonly Element[]
  readonly text: string
}

/** Reads to the end tag of the element that contains these. */
function readElements(tokens: readonly string[], place: { at: number }): Content {
  const elements: Element[] = []
  let text = ''
  while (place.at < tokens.length) {
    const token = tokens[place.at] ?? ''
    place.at += 1
    if (token.startsWith('</')) break
    if (!token.startsWith('<')) text += unescape(token)
    else if (token.endsWith('/>')) elements.push({ name: token.slice(1, -2).trim(), value: '' })
    else elements.push({ name: token.slice(1, -1), value: valueOf(readElements(tokens, place)) })
  }
  return { elements, text }
}

function valueOf({ elements, text }: Content): unknown {
  if (elements.length === 0) return text
  if (elements.every(({ name }) => name === 'item')) return elements.map(({ value }) => value)
  return Object.fromEntries(elements.map(memberOf))
}

function memberOf({ name, value }: Element): readonly [string, unknown] {
  if (name !== 'member' || typeof value !== 'object' || value === null) return [name, value]
  const { name: key, value: held }: { name?: unknown; value?: unknown } = value
  return [String(key), held]
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function unescape(text: string): string {
  return text.replaceAll(/&(#x?)?([0-9a-zA-Z]+);/g, (_, numeric: string | undefined, name: string) =>
    numeric === undefined
      ? (ENTITIES[name] ?? '')
      : String.fromCodePoint(Number.parseInt(name, numeric === '#x' ? 16 : 10)),
  )
}
