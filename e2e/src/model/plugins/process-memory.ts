import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const CHUNK = 8 * 1024 * 1024

/**
 * Searches all memory that a process can write for texts, as the engine may hold them: one or two bytes per character.
 * Returns those that are there.
 */
export function findInMemory(pid: number, texts: readonly string[]): readonly string[] {
  const needles = texts.flatMap((text) =>
    (['latin1', 'utf16le'] as const).map((encoding) => ({ text, bytes: Buffer.from(text, encoding) })),
  )
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length))
  const found = new Set<string>()
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    const chunk = Buffer.alloc(CHUNK + overlap)
    for (const { from, to } of writableRanges(pid)) {
      for (let at = from; at < to; at += CHUNK) {
        const length = readPart(memory, chunk, at, Math.min(CHUNK + overlap, to - at))
        const part = chunk.subarray(0, length)
        for (const { text, bytes } of needles) if (part.includes(bytes)) found.add(text)
      }
    }
  } finally {
    closeSync(memory)
  }
  return [...found]
}

/** A range that was given back in between cannot be read. */
function readPart(memory: number, into: Buffer, at: number, length: number): number {
  try {
    return readSync(memory, into, 0, length, at)
  } catch {
    return 0
  }
}

function writableRanges(pid: number): readonly { readonly from: number; readonly to: number }[] {
  const lines = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
    return from === undefined || to === undefined
      ? []
      : [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }]
  })
}
