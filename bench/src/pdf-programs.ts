import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleProgram } from '@sealpost/process/build'

/** Below the root: a bundled child finds fonts in the packages of the checkout. */
const FOLDER = join(import.meta.dirname, '../../.local/bench')

/** Programs of a scenario, bundled as in production with the child of PDFs: a child from sources mostly loads files. */
export async function bundlePrograms(name: string, entries: Readonly<Record<string, string>>) {
  const child = fileURLToPath(import.meta.resolve('@sealpost/pdf/pdf-main'))
  await bundleProgram({ name, entries: { ...entries, 'pdf-main': child }, assets: [], external: ['harfbuzzjs'] }, FOLDER)
  return (file: string): URL => pathToFileURL(join(FOLDER, name, `${file}.js`))
}

/** The answer of a new process to one line. */
export async function runOnce(program: URL, line: string): Promise<string> {
  // As a child is started.
  const child = spawn(process.execPath, ['--liftoff-only', fileURLToPath(program)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(`${line}\n`)
  const [answer] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return answer
}
