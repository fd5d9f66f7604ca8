import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

// One process, because each reads 1,500 files; what is no model is answered by the same lines before it.
test('a misspelled option prints the usage, and no stack trace', async () => {
  const child = spawn(process.execPath, [MAIN, 'flows', '--smal'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, logged] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(child.exitCode).toBe(2)
  expect(out + logged).toContain('usage: npm run model -- flows|signing|')
  expect(out + logged).not.toContain('    at ')
})
