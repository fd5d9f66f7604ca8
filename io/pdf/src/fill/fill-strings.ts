import { inflateSync } from 'node:zlib'
import { fillTags, isDict, isName, isStream, type PdfDict, type PdfObject } from '@sealpost/pdf-format'
import { text } from '../update/write-object.ts'
import { printable } from './value.ts'

type ValueOf = (key: string) => string

/** Texts that readers show, search or read aloud: titles, outlines, comments, descriptions, values of other fields. */
const TEXTS = new Set(['Title', 'Subject', 'Keywords', 'Contents', 'Alt', 'ActualText', 'E', 'TU', 'V', 'DV'])

/** Fills tags in texts that are no content of a page. Objects without tags are returned as they are. */
export function fillStrings(object: PdfObject, valueOf: ValueOf): PdfObject {
  if (isStream(object)) {
    const dict = fillDict(object.dict, valueOf)
    const metadata = isName(object.dict.entries.get('Type'), 'Metadata') ? fillMetadata(object, valueOf) : null
    return metadata ?? (dict === object.dict ? object : { ...object, dict })
  }
  if (isDict(object)) return fillDict(object, valueOf)
  if (typeof object !== 'object' || object?.kind !== 'array') return object
  const items = object.items.map((item) => fillStrings(item, valueOf))
  return items.every((item, at) => item === object.items[at]) ? object : { kind: 'array', items }
}

function fillDict(dict: PdfDict, valueOf: ValueOf): PdfDict {
  let changed: Map<string, PdfObject> | null = null
  for (const [key, value] of dict.entries) {
    const filled = TEXTS.has(key) ? fillText(value, valueOf) : fillStrings(value, valueOf)
    if (filled === value) continue
    changed ??= new Map(dict.entries)
    changed.set(key, filled)
  }
  return changed === null ? dict : { kind: 'dict', entries: changed }
}

function fillText(object: PdfObject, valueOf: ValueOf): PdfObject {
  if (typeof object !== 'object' || object?.kind !== 'string') return fillStrings(object, valueOf)
  const known = readText(object.bytes)
  const filled = fillTags(known, (key) => printable(valueOf(key)))
  return filled === known ? object : text(filled)
}

/** UTF-16 or UTF-8 with a mark, or PDFDocEncoding, which is Latin-1 for most texts. */
function readText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  if (buffer[0] === 0xfe && buffer[1] === 0xff)
    return Buffer.from(buffer.subarray(2, buffer.length - (buffer.length % 2))).swap16().toString('utf16le')
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) return buffer.toString('utf8', 3)
  return buffer.toString('latin1')
}

const MAX_METADATA = 1 << 20

/** XMP, which repeats the title; null if nothing changes or it cannot be read. */
function fillMetadata(stream: Extract<PdfObject, { kind: 'stream' }>, valueOf: ValueOf): PdfObject {
  const filter = stream.dict.entries.get('Filter')
  const bytes = filter === undefined ? stream.raw : isName(filter, 'FlateDecode') ? inflated(stream.raw) : null
  if (bytes === null) return null
  const known = Buffer.from(bytes).toString('utf8')
  const filled = fillTags(known, (key) => escapeXml(printable(valueOf(key))))
  if (filled === known) return null
  const entries = new Map([...stream.dict.entries].filter(([key]) => key !== 'Filter' && key !== 'DecodeParms'))
  return { kind: 'stream', dict: { kind: 'dict', entries }, raw: Buffer.from(filled, 'utf8') }
}

function inflated(raw: Uint8Array): Uint8Array | null {
  try {
    return inflateSync(raw, { maxOutputLength: MAX_METADATA })
  } catch {
    // Larger than any metadata; the gate has read it, so it is no bomb.
    return null
  }
}

function escapeXml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
