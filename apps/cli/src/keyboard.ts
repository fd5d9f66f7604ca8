import { createInterface, type Interface } from 'node:readline'

/**
 * Asks one question after the other and answers the typed lines. One reader for all of them: lines that were pasted or
 * piped together must not be lost between two questions.
 */
export function openKeyboard(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): (question: string) => Promise<string> {
  const typed: string[] = []
  let reader: Interface | null = null
  let isClosed = false
  let answer: ((line: string) => void) | null = null
  const open = (): Interface => {
    const made = createInterface({ input, output })
    made.on('line', (line) => {
      const waiting = answer
      // The next line of the same chunk comes before the one who asked goes on.
      answer = null
      if (waiting === null) typed.push(line)
      else waiting(line)
    })
    // Ctrl-C, or the end of the input: no more answers.
    made.on('close', () => {
      isClosed = true
      answer?.('')
    })
    return made
  }
  const hasEnded = (): boolean => isClosed
  return async (question) => {
    const known = typed.shift()
    if (known !== undefined || hasEnded()) {
      output.write(question === '' ? '' : `${question}\n`)
      return known ?? ''
    }
    reader ??= open()
    const { promise, resolve } = Promise.withResolvers<string>()
    answer = resolve
    reader.setPrompt(question)
    reader.prompt()
    const line = await promise
    // The process may end while no question is open; a closed reader cannot be paused.
    if (!hasEnded()) reader.pause()
    return line
  }
}
