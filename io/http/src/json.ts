import { isUtf8 } from 'node:buffer'
import { accept, decline, type Result } from '@sealpost/kernel'

/** One entry of `request.invalid`: a JSON pointer and what was expected there, never the value itself. */
export interface Fault {
  readonly path: string
  readonly message: string
}

const DEEPEST = 100
const MAY_NAME_PROTO = /__proto__|\\u005f/i

/**
 * [Note: safe JSON] Code behind this function may rely on: valid UTF-8, a bounded nesting depth, no `__proto__` member
 * (unknown members are ignored, this one is removed), and text that PostgreSQL can store: no NUL, no lone surrogate.
 */
export function readJson(bytes: Buffer): Result<unknown, Fault> {
  if (!isUtf8(bytes)) return decline({ path: '', message: 'is not valid UTF-8' })
  const value = parse(bytes.toString('utf8'))
  if (value === undefined) return decline({ path: '', message: 'is not valid JSON' })
  const fault = findFault(value, 0)
  return fault === null ? accept(value) : decline(fault)
}

/** A member's name as a step of a JSON pointer. */
export function pointerStep(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function parse(text: string): unknown {
  try {
    return MAY_NAME_PROTO.test(text) ? JSON.parse(text, removeProto) : JSON.parse(text)
  } catch {
    // A SyntaxError, or the RangeError of a reviver on a nesting that is refused anyway.
    return undefined
  }
}

function removeProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

function findFault(value: unknown, depth: number): Fault | null {
  if (typeof value === 'string') return isStorable(value) ? null : unstorable
  if (typeof value !== 'object' || value === null) return null
  if (depth === DEEPEST) return { path: '', message: `is nested deeper than ${DEEPEST} levels` }
  return Array.isArray(value) ? findFaultInList(value, depth) : findFaultInObject(value, depth)
}

function findFaultInList(list: readonly unknown[], depth: number): Fault | null {
  for (let index = 0; index < list.length; index += 1) {
    const fault = findFault(list[index], depth + 1)
    if (fault !== null) return { ...fault, path: `/${index}${fault.path}` }
  }
  return null
}

function findFaultInObject(object: object, depth: number): Fault | null {
  for (const [name, value] of Object.entries(object)) {
    const fault = isStorable(name) ? findFault(value, depth + 1) : unstorable
    if (fault !== null) return { ...fault, path: pointerStep(name) + fault.path }
  }
  return null
}

const unstorable: Fault = { path: '', message: 'holds a NUL or a lone surrogate' }

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
