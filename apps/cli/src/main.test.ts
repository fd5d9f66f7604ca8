import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

test('a reader that closes the pipe early gets no stack trace', async () => {
  const child = spawn(process.execPath, [MAIN, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const logged = text(child.stderr)
  const [code] = await once(child, 'close')
  expect([code, await logged]).toEqual([0, ''])
})
