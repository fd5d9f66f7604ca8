import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.ts'

/** A terminal for tests, with a folder of its own. */
export interface TestTerminal extends Disposable {
  readonly folder: string
  readonly environment: Record<string, string>
  /** Answers what was printed and told, and the exit code. */
  run(...words: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly told: string }>
}

export function openTerminal(environment: Readonly<Record<string, string>> = {}): TestTerminal {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-cli-'))
  const own = { ...environment }
  return {
    folder,
    environment: own,
    async run(...words) {
      const [out, told]: [string[], string[]] = [[], []]
      const terminal = {
        environment: own,
        folder,
        homeFolder: folder,
        print: (line: string) => void out.push(line),
        tell: (line: string) => void told.push(line),
      }
      const code = await run(terminal, words)
      return { code, out: out.join('\n'), told: told.join('\n') }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
