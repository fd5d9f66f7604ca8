import type { TSchema } from 'typebox'
import { isXmlName, parseXml } from './xml-parser.ts'
import { typeBySchema, untyped } from './xml-typing.ts'

export { XmlError } from './xml-parser.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

/**
 * Any JSON value as a document with the root `<response>`. Characters that XML 1.0 cannot represent, not even as a
 * reference, become U+FFFD: the reader sees that something was replaced, where a broken document would be unreadable.
 */
export function writeXml(value: unknown): string {
  return `${DECLARATION}${xmlElement('response', value)}`
}

/** The start of a document that is written in pieces. */
export function startXml(): string {
  return DECLARATION
}

/**
 * Reads a document written by `writeXml` or by another writer with the same rules. XML carries no types: with a schema
 * the values get theirs by member name, without one every scalar stays text. Throws an `XmlError`.
 */
export function readXml(text: string, schema?: TSchema): unknown {
  const root = parseXml(text)
  return schema === undefined ? untyped(root) : typeBySchema(root, schema)
}

export function xmlElement(name: string, value: unknown): string {
  const content = contentOf(value)
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`
}

function contentOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return escapeText(value)
  if (Array.isArray(value)) return value.map((item) => xmlElement('item', item)).join('')
  if (typeof value === 'object') return xmlMembers(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError(`a ${typeof value} has no form in XML`)
}

export function xmlMembers(value: object): string {
  return Object.entries(value).map(member).join('')
}

function member([name, value]: readonly [string, unknown]): string {
  if (value === undefined) return ''
  if (isXmlName(name)) return xmlElement(name, value)
  return `<member>${xmlElement('name', name)}${xmlElement('value', value)}</member>`
}

// oxlint-disable-next-line no-control-regex -- these are the characters that XML 1.0 has no way to write
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
const MARKUP = /[&<>\r]/g
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWRITABLE, '\ufffd')
    .replace(MARKUP, (letter) => ESCAPES[letter] ?? letter)
}
