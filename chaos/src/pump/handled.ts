import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'

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

/** Without reading the file. */
export function countLines(file: string): number {
  return existsSync(file) ? Math.floor(statSync(file).size / LINE_BYTES) : 0
}

/** The ids that each process handled, in order. */
export function readHandled(file: string): readonly (readonly string[])[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text
    .split(`${MARK}\n`)
    .slice(1)
    .map((part) => part.split('\n').filter((line) => line !== ''))
}
