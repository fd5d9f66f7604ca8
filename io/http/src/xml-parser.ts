/** An element as parsed: either children or text, never both. */
export interface XmlElement {
  readonly name: string
  readonly text: string
  readonly children: readonly XmlElement[]
}

export class XmlError extends Error {
  override readonly name = 'XmlError'

  constructor(problem: string, offset?: number) {
    super(`not the XML of this interface: ${problem}${offset === undefined ? '' : ` at character ${offset}`}`)
  }
}

const DEEPEST = 256
const DECLARATION = /^\ufeff?(?:<\?xml\s[^<>]*\?>)?/
const TOKEN = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\/([^\s<>/!?]+)\s*>|<([^\s<>/!?]+)\s*(\/?)>|([^<]+)/y

/** The supported subset: elements, text, CDATA, comments. Nothing that fetches or expands. */
export function parseXml(text: string): XmlElement {
  const document = open('')
  const path = [document]
  let offset = DECLARATION.exec(text)?.[0].length ?? 0
  while (offset < text.length) {
    TOKEN.lastIndex = offset
    const token = TOKEN.exec(text)
    if (token === null) throw new XmlError(faultAt(text, offset), offset)
    apply(token, path, offset)
    offset = TOKEN.lastIndex
  }
  const [root] = document.children
  if (path.length > 1) throw new XmlError('an element is not closed', offset)
  if (root === undefined || document.children.length > 1) throw new XmlError('there must be exactly one root', offset)
  return root
}

interface OpenElement {
  readonly name: string
  text: string
  readonly children: OpenElement[]
}

function open(name: string): OpenElement {
  return { name, text: '', children: [] }
}

function apply(token: RegExpExecArray, path: OpenElement[], offset: number): void {
  const [, cdata, closed, opened, selfClosing, text] = token
  const current = path.at(-1)
  if (current === undefined) throw new XmlError('unexpected closing tag', offset)
  if (cdata !== undefined) addText(current, normaliseLines(cdata), offset)
  else if (text !== undefined) addText(current, decodeReferences(normaliseLines(text), offset), offset)
  else if (closed !== undefined) close(path, closed, offset)
  else if (opened !== undefined) {
    if (!isXmlName(opened)) throw new XmlError('invalid element name', offset)
    if (current.text.trim() !== '') throw new XmlError('text beside an element', offset)
    if (path.length > DEEPEST) throw new XmlError('nesting too deep', offset)
    const child = open(opened)
    current.children.push(child)
    current.text = ''
    if (selfClosing === '') path.push(child)
  }
}

function addText(current: OpenElement, text: string, offset: number): void {
  if (current.name !== '' && current.children.length === 0) current.text += text
  else if (text.trim() !== '') throw new XmlError('text beside an element', offset)
}

function close(path: OpenElement[], name: string, offset: number): void {
  if (path.pop()?.name !== name || path.length === 0)
    throw new XmlError('a closing tag without a matching opening tag', offset)
}

function faultAt(text: string, offset: number): string {
  if (text.startsWith('<!DOCTYPE', offset)) return 'a document type'
  if (text.startsWith('<?', offset)) return 'a processing instruction'
  if (/^<[^\s<>/!?]+\s/.test(text.slice(offset, offset + 200))) return 'an attribute'
  return 'broken markup'
}

function normaliseLines(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text
}

const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));|&/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeReferences(text: string, offset: number): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (_all, entity?: string, decimal?: string, hex?: string) => {
    if (entity !== undefined) return ENTITIES[entity] ?? ''
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    if (!isXmlCharacter(code)) throw new XmlError('invalid character or entity reference', offset)
    return String.fromCodePoint(code)
  })
}

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}

const NAME_START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const NC_NAME = new RegExp(`^[${NAME_START}][${NAME_START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*$`, 'u')

/** Whether a member's name is also a valid element name: an NCName, which has no colon. */
export function isXmlName(name: string): boolean {
  return NC_NAME.test(name)
}
