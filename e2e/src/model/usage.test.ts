import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

test.each([
  [['flows', '--help'], 0],
  [['flows', '--smal'], 2],
  [['nothing'], 2],
])('%j prints the usage, and no stack trace', async (words, expected) => {
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, logged] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(child.exitCode).toBe(expected)
  expect(out + logged).toContain('usage: npm run model -- flows|signing|')
  expect(out + logged).not.toContain('    at ')
})
