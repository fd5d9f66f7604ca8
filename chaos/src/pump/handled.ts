import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'

/**
 * The effects of a consumer, one line of the same length for each change that it handled; another line marks each start.
 * The file is not in the consumer's state folder, because its disk gets full.
 */
const MARK = '-'.repeat(36)
const LINE_BYTES = MARK.length + 1

export function markStart(file: string): void {
  appendFileSync(file, `${MARK}\n`)
}

export function recordHandled(file: string, id: string): void {
  if (id.length !== MARK.length) throw new Error(`not an event id: ${id}`)
  appendFileSync(file, `${id}\n`)
}

/** The last change of the file, which is read from its end; null when it has none. */
export function lastHandled(file: string): string | null {
  if (!existsSync(file)) return null
  const descriptor = openSync(file, 'r')
  try {
    const line = Buffer.alloc(LINE_BYTES)
    const whole = Math.floor(fstatSync(descriptor).size / LINE_BYTES)
    for (let at = whole - 1; at >= 0; at -= 1) {
      readSync(descriptor, line, 0, LINE_BYTES, at * LINE_BYTES)
      const id = line.toString('utf8', 0, MARK.length)
      if (id !== MARK) return id
    }
    return null
  } finally {
    closeSync(descriptor)
  }
}

/** The ids that each process handled, in order. */
export function readHandled(file: string): readonly (readonly string[])[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text
    .split(`${MARK}\n`)
    .slice(1)
    .map((part) => part.split('\n').filter((line) => line !== ''))
}
