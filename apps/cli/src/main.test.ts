import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

test('whoever reads only the beginning of what is printed gets no trace of it', async () => {
  const child = spawn(process.execPath, [MAIN, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const told = text(child.stderr)
  const [code] = await once(child, 'close')
  expect([code, await told]).toEqual([0, ''])
})
