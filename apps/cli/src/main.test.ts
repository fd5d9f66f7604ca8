import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createCryptoPlatform, createServiceKey, exportPrivateKeyPem } from '@sealpost/crypto'
import { PublicKey } from '@sealpost/sdk'
import { expect, test } from 'vitest'
import { openTerminal } from './testing.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

test('a reader that closes the pipe early gets no stack trace', async () => {
  const child = spawn(process.execPath, [MAIN, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const logged = text(child.stderr)
  const [code] = await once(child, 'close')
  expect([code, await logged]).toEqual([0, ''])
})

test('at a terminal, a sealed value is asked for and opened', async () => {
  using terminal = openTerminal()
  const platform = createCryptoPlatform(globalThis)
  const made = await createServiceKey(platform)
  const pem = await exportPrivateKeyPem(platform, made.privateKey, made.passphrase)
  writeFileSync(join(terminal.folder, 'key.pem'), pem.ok ? pem.value : '')
  writeFileSync(join(terminal.folder, 'phrase'), made.passphrase.reveal())
  const child = spawn('script', ['-qec', `"${process.execPath}" "${MAIN}" open`, '/dev/null'], {
    cwd: terminal.folder,
    env: {
      PATH: process.env['PATH'],
      HOME: terminal.folder,
      TERM: 'dumb',
      SEALPOST_KEY_FILE: 'key.pem',
      SEALPOST_PASSPHRASE_FILE: 'phrase',
    },
  })
  const shown = text(child.stdout)
  child.stdin.write(`${await (await PublicKey.import(made.publicKey)).seal('DE89 3704')}\n`)
  const [code] = await once(child, 'close')
  expect([code, await shown]).toEqual([0, expect.stringMatching(/Sealed value: [\s\S]*DE89 3704\r?\n$/)])
})
