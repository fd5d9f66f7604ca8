import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a program printed, and whether it was content. */
export interface ToolOutcome {
  readonly code: number
  readonly output: string
}

export function runTool(file: string, ...args: readonly string[]): Promise<ToolOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<ToolOutcome>()
  execFile(file, args, { maxBuffer: 16 << 20 }, (error, stdout, stderr) => {
    const code = error === null ? 0 : error.code
    if (typeof code === 'number') resolve({ code, output: `${stdout}${stderr}` })
    else reject(new Error(`${file} cannot be run: is it installed? (npm run infra)`, { cause: error }))
  })
  return promise
}

/** A folder for the files that programs read. */
export function openFolder(): { write(name: string, bytes: Uint8Array): string; readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'sealpost-pdf-'))
  return {
    path,
    write(name, bytes) {
      writeFileSync(join(path, name), bytes)
      return join(path, name)
    },
  }
}
