import { isUtf8 } from 'node:buffer'
import { accept, decline, type Result } from '@sealpost/kernel'
import { findExcess } from './json-scan.ts'

/** One entry of `request.invalid`: a JSON pointer and what was expected there, never the value itself. */
export interface Fault {
  readonly path: string
  readonly message: string
}

const PROTO = '__proto__'

/**
 * [Note: safe JSON] Code behind this function may rely on: valid UTF-8, a bounded nesting depth and number of values, no
 * `__proto__` member (unknown members are ignored, this one is removed), and text that PostgreSQL can store: no NUL, no
 * lone surrogate. Its time grows with the size of the body and with nothing else: [Note: cost of a body].
 */
export function readJson(bytes: Uint8Array): Result<unknown, Fault> {
  const text = decodeJson(bytes)
  return text.ok ? parseJson(text.value) : text
}

/** The first half: the text, if it is affordable to parse. */
export function decodeJson(bytes: Uint8Array): Result<string, Fault> {
  if (!isUtf8(bytes)) return decline({ path: '', message: 'is not valid UTF-8' })
  const excess = findExcess(bytes)
  return excess === null ? accept(textOf(bytes)) : decline({ path: '', message: excess })
}

/** The second half, which needs the bytes no longer. */
export function parseJson(text: string): Result<unknown, Fault> {
  const value = parse(text)
  if (value === undefined) return decline({ path: '', message: 'is not valid JSON' })
  const fault = findFault(value)
  return fault === null ? accept(value) : decline(fault)
}

/** A member's name as a step of a JSON pointer. */
export function pointerStep(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
}

/** Visits every value, and removes `__proto__` on the way: a reviver would cost twenty times the parsing. */
function findFault(value: unknown): Fault | null {
  if (typeof value === 'string') return isStorable(value) ? null : unstorable
  if (typeof value !== 'object' || value === null) return null
  return Array.isArray(value) ? findFaultInList(value) : findFaultInObject(value)
}

function findFaultInList(list: readonly unknown[]): Fault | null {
  for (let index = 0; index < list.length; index += 1) {
    const fault = findFault(list[index])
    if (fault !== null) return { ...fault, path: `/${index}${fault.path}` }
  }
  return null
}

function findFaultInObject(object: object): Fault | null {
  for (const name of Object.keys(object)) {
    if (name === PROTO) {
      Reflect.deleteProperty(object, PROTO)
      continue
    }
    const fault = isStorable(name) ? findFault(Reflect.get(object, name)) : unstorable
    if (fault !== null) return { ...fault, path: pointerStep(name) + fault.path }
  }
  return null
}

const unstorable: Fault = { path: '', message: 'holds a NUL or a lone surrogate' }

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
