import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileNameOf } from './commands/file-names.ts'
import { commands } from './commands/index.ts'
import { openTerminal } from './testing.ts'

test('the help lists every command, and every command has its own help', async () => {
  using terminal = openTerminal()
  const { code, out } = await terminal.run('help')
  expect(code).toBe(0)
  for (const { words, summary, options } of commands) {
    expect(out).toContain(words.join(' '))
    const own = await terminal.run(...words, '--help')
    expect(own.code).toBe(0)
    for (const text of [summary, ...Object.keys(options)]) expect(own.out).toContain(text)
  }
})

test('missing words, unknown words and unknown options exit with wrong usage and a hint', async () => {
  using terminal = openTerminal()
  expect((await terminal.run()).code).toBe(2)
  const unknown = await terminal.run('services', 'creat')
  expect(unknown).toMatchObject({ code: 2, out: '' })
  expect(unknown.logged).toContain('services create, services list')
  const option = await terminal.run('services', 'list', '--all')
  expect(option.code).toBe(2)
  expect(option.logged).toContain('sealpost services list --help')
  const missing = await terminal.run('connections', 'get')
  expect(missing).toMatchObject({ code: 2 })
  expect(missing.logged).toContain('usage: sealpost connections get CONNECTION_ID')
})

test('a command that makes a one-time secret does not start without a place for it', async () => {
  using terminal = openTerminal({ SEALPOST_FRONT_DOOR: 'http://127.0.0.1:1' })
  const create = await terminal.run('services', 'create', '--name', 'A', '--admin-email', 'a@b.example')
  expect(create).toMatchObject({ code: 2, logged: expect.stringContaining('--passphrase-file FILE') })
  const client = await terminal.run('services', 'client', 'some-id')
  expect(client).toMatchObject({ code: 2, logged: expect.stringContaining('--secret-file FILE') })
  writeFileSync(join(terminal.folder, 'phrase'), 'the only copy')
  const taken = await terminal.run(
    'services',
    'create',
    '--name=A',
    '--admin-email=a@b.example',
    '--passphrase-file=phrase',
  )
  expect(taken).toMatchObject({ code: 1, logged: expect.stringContaining('phrase exists already') })
})

test('a missing setting is reported with its variable and its name in the file', async () => {
  using terminal = openTerminal()
  const { code, logged } = await terminal.run('services', 'list')
  expect(code).toBe(1)
  expect(logged).toBe(
    'sealpost: Address of the front door is missing: set SEALPOST_FRONT_DOOR, or front_door in sealpost.json',
  )
})

test('a missing or unreadable secret is reported by its description', async () => {
  using terminal = openTerminal({ SEALPOST_FRONT_DOOR: 'http://127.0.0.1:1', SEALPOST_CLIENT_ID: 'svc_x' })
  const errorOf = async (...words: readonly string[]) => (await terminal.run(...words)).logged
  expect(await errorOf('changes')).toMatch(
    /^sealpost: Secret of the data client is missing: set SEALPOST_CLIENT_SECRET,/,
  )
  terminal.environment['SEALPOST_CLIENT_SECRET_FILE'] = 'nowhere'
  expect(await errorOf('changes')).toBe(
    'sealpost: Secret of the data client cannot be read from nowhere: there is no such file',
  )
  writeFileSync(join(terminal.folder, 'key.pem'), 'a key')
  terminal.environment['SEALPOST_KEY_FILE'] = 'key.pem'
  expect(await errorOf('trigger', 'field_updated', '--value', 'x')).toMatch(
    /^sealpost: Passphrase of the key file is missi/,
  )
  writeFileSync(join(terminal.folder, 'sealpost.json'), '[]')
  expect(await errorOf('changes')).toContain('sealpost.json must contain a JSON object')
})

test('settings come from the file, and the environment takes precedence', async () => {
  using terminal = openTerminal({ SEALPOST_FRONT_DOOR: 'ftp://files.example' })
  const file = join(terminal.folder, 'sealpost.json')
  const settings = { front_door: 'nonsense', account_client_id: 'acct_x', account_client_secret: 'hush-hush' }
  writeFileSync(file, JSON.stringify(settings))
  chmodSync(file, 0o600)
  const { code, logged } = await terminal.run('services', 'list')
  expect(code).toBe(1)
  expect(logged).toContain('frontDoorUrl has the scheme ftp:')
  expect(logged).not.toContain('hush-hush')
})

test('a file that other users can read causes a note; an unknown or wrong member is refused', async () => {
  using terminal = openTerminal()
  const file = join(terminal.folder, 'sealpost.json')
  writeFileSync(file, '{"frontdoor":"x"}')
  chmodSync(file, 0o644)
  const unknown = await terminal.run('services', 'list')
  expect(unknown.logged).toContain('chmod 600')
  expect(unknown).toMatchObject({ code: 1, logged: expect.stringContaining('frontdoor, which is not a setting') })
  writeFileSync(file, '{"front_door":7}')
  expect((await terminal.run('services', 'list')).logged).toContain('front_door in')
  writeFileSync(file, 'no JSON')
  expect((await terminal.run('services', 'list')).logged).toContain('is not JSON')
  expect((await terminal.run('services', 'list', '--config', 'elsewhere.json')).logged).toContain('no such file')
})

test('a file is named after its slug, whatever name the customer chose', () => {
  const file = { bytes: new Uint8Array(), mimeType: 'application/pdf', originalName: '../../x', label: null } as const
  expect(fileNameOf('lease', 0, 1, { ...file, part: 'file' })).toBe('lease.pdf')
  expect(fileNameOf('../lease', 0, 1, { ...file, part: 'file' })).toBe('___lease.pdf')
  const page = { ...file, mimeType: 'image/png', part: 'page' } as const
  expect(fileNameOf('pass', 0, 2, { ...page, label: 'front' })).toBe('pass-1-front.png')
  expect(fileNameOf('pass', 1, 2, { ...page, label: '../back' })).toBe('pass-2.png')
  expect(fileNameOf('face', 1, 2, { ...page, part: 'thumb', mimeType: 'x/y' })).toBe('face-thumb.bin')
})
