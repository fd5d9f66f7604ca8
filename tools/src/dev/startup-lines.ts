import { appendFileSync, writeFileSync } from 'node:fs'

/** The lines of the apps. */
export interface StartupLines {
  readonly add: (line: string) => void
  /** From now on each line is printed at once. */
  readonly follow: () => void
  /** The last lines of a start that failed. */
  readonly last: () => readonly string[]
}

const LAST = 20

/**
 * While the apps start, their lines go to a file only: the addresses and credentials that are printed after the start are
 * not to be searched for among them.
 */
export function openStartupLines(file: string, print: (line: string) => void): StartupLines {
  writeFileSync(file, '')
  const kept: string[] = []
  let isFollowed = false
  return {
    add(line) {
      appendFileSync(file, `${line}\n`)
      if (isFollowed) print(line)
      else kept.push(line)
    },
    follow() {
      isFollowed = true
      kept.length = 0
    },
    last: () => kept.slice(-LAST),
  }
}
