import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCryptoPlatform, createServiceKey, exportPrivateKeyPem } from '@sealpost/crypto'
import { PublicKey } from '@sealpost/sdk'
import { expect, test } from 'vitest'
import { fileNameOf } from './commands/file-names.ts'
import { commands } from './commands/index.ts'
import { openReceiver, openTerminal } from './testing.ts'

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
  const option = await terminal.run('services', 'list', '--all')
  expect(option.code).toBe(2)
  expect(option.logged).toContain('sealpost services list --help')
  const missing = await terminal.run('connections', 'get')
  expect(missing).toMatchObject({ code: 2 })
  expect(missing.logged).toContain('usage: sealpost connections get CONNECTION_ID')
})

test.each([
  [['services', 'creat'], 'did you mean sealpost services create?'],
  [['service', 'list'], 'did you mean sealpost services list?'],
  [['lgoin'], 'did you mean sealpost login?'],
  [['webhook', 'tset', 'a', 'b'], 'did you mean sealpost webhooks test?'],
  [['webhooks', 'explode'], 'there are: webhooks list, webhooks create'],
  [['nonsense'], 'sealpost help lists all'],
  [['services', 'list', '--jsn'], 'there is no option --jsn; did you mean --json?'],
  [['services', 'client', 'regenrate', 'x'], 'did you mean sealpost services client regenerate?'],
  [['changes', 'folow'], 'did you mean sealpost changes follow?'],
  [['trigger', 'field_update'], 'did you mean field_updated?'],
  [['completion', 'tcsh'], 'SHELL is one of bash, zsh, fish'],
  [['listen'], 'sealpost listen localhost:3000/hook'],
  [['--json', 'services', 'list'], '--json follows a command: sealpost COMMAND --json'],
  [['flows', 'sing', 'a', 'b'], 'did you mean sealpost flows sign?'],
  [['documents', 'status', 'a', 'over'], 'STATUS is one of active, active_but_ending, ended, not over'],
  [['help', 'loign'], 'did you mean sealpost login?'],
  [['listen', 'example.com:3000'], 'example.com'],
])('the mistake %j is answered with: %s', async (words, advice) => {
  using terminal = openTerminal({ SEALPOST_FRONT_DOOR: 'http://127.0.0.1:1' })
  const { code, out, logged } = await terminal.run(...words)
  expect([code, out]).toEqual([2, ''])
  expect(logged).toContain(advice)
})

test('a group of commands has its own help, and help names one command', async () => {
  using terminal = openTerminal()
  const group = await terminal.run('webhooks', '--help')
  expect(group).toMatchObject({ code: 0, out: expect.stringContaining('webhooks rotate SERVICE_ID WEBHOOK_ID') })
  expect((await terminal.run('help', 'webhooks')).out).toBe(group.out)
  expect(await terminal.run('webhooks')).toMatchObject({ code: 2, out: group.out })
  expect((await terminal.run('help', 'login')).out).toBe((await terminal.run('login', '--help')).out)
  expect(await terminal.run('help', 'nothing')).toMatchObject({ code: 2 })
})

test('the version is that of the package', async () => {
  using terminal = openTerminal()
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(manifest).toMatchObject({ version: (await terminal.run('--version')).out })
})

test('with --json an error is one document on standard error', async () => {
  using terminal = openTerminal()
  const { code, out, logged } = await terminal.run('services', 'list', '--json')
  expect([code, out]).toEqual([1, ''])
  expect(JSON.parse(logged)).toEqual({ error: expect.stringContaining('SEALPOST_FRONT_DOOR') })
})

test('with --json help and version are documents, too', async () => {
  using terminal = openTerminal()
  const help = await terminal.run('help', 'webhooks', '--json')
  expect(JSON.parse(help.out).commands).toContainEqual(
    expect.objectContaining({ command: 'webhooks list', json: 'lines', positionals: ['SERVICE_ID'] }),
  )
  expect((await terminal.run('webhooks', '--help', '--json')).out).toBe(help.out)
  expect(await terminal.run('webhooks', '--json')).toMatchObject({ code: 2, out: help.out })
  expect(JSON.parse((await terminal.run('--version', '--json')).out)).toEqual({ version: expect.any(String) })
  expect(JSON.parse((await terminal.run('lgoin', '--json')).logged)).toEqual({
    error: expect.stringContaining('did you mean sealpost login?'),
  })
})

test('without credentials the login is named', async () => {
  using terminal = openTerminal({ SEALPOST_FRONT_DOOR: 'http://127.0.0.1:1' })
  for (const command of [['services', 'list'], ['whoami'], ['init', '--name', 'A']]) {
    expect((await terminal.run(...command)).logged).toContain('run sealpost login')
  }
  expect((await terminal.run('logout')).logged).toContain('there is no login at http://127.0.0.1:1')
})

test.each([
  ['bash', ['-c', 'source "$1"; COMP_WORDS=(sealpost webhooks ro); COMP_CWORD=2; _sealpost; echo "${COMPREPLY[@]}"']],
  [
    'bash',
    ['-c', 'source "$1"; COMP_WORDS=(sealpost listen x --eve); COMP_CWORD=3; _sealpost; echo "${COMPREPLY[@]}"'],
  ],
])('%s completes words and options', async (shell, words) => {
  using terminal = openTerminal()
  const script = join(terminal.folder, 'completion')
  writeFileSync(script, (await terminal.run('completion', shell)).out)
  const completed = execFileSync(shell, [...words, shell, script], { encoding: 'utf8' }).trim()
  expect(['rotate', '--events']).toContain(completed)
})

test('the completion of every shell has every command', async () => {
  using terminal = openTerminal()
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await terminal.run('completion', shell)
    expect(code).toBe(0)
    for (const { words } of commands) expect(out).toContain(words.at(-1))
  }
})

test('listen and trigger sign with the same secret each time, in a file for its owner', async () => {
  using terminal = openTerminal()
  const receiver = await openReceiver()
  try {
    const send = () => terminal.run('trigger', 'test', '--to', `localhost:${receiver.port}/hook`)
    const [first, second] = [await send(), await send()]
    expect(first).toMatchObject({ code: 0, logged: expect.stringMatching(/^signing secret of this machine.*: whsec_/) })
    expect(second.logged).toBe(first.logged)
    expect(statSync(join(terminal.folder, '.config/sealpost/listen-secret')).mode & 0o777).toBe(0o600)
    expect(receiver.taken).toHaveLength(2)
  } finally {
    await receiver.close()
  }
})

test('a sealed value is opened with the key file, in each form in which the platform sends it', async () => {
  const made = await createServiceKey(createCryptoPlatform(globalThis))
  const passphrase = made.passphrase.reveal()
  using terminal = openTerminal({ SEALPOST_KEY_FILE: 'key.pem', SEALPOST_PASSPHRASE: passphrase })
  writeFileSync(join(terminal.folder, 'key.pem'), await pemOf(made))
  const sealed = await (await PublicKey.import(made.publicKey)).seal('DE89 3704')
  writeFileSync(join(terminal.folder, 'value.json'), sealed)
  for (const words of [[sealed], [JSON.stringify(sealed)], ['--file', 'value.json']]) {
    expect(await terminal.run('open', ...words)).toMatchObject({ code: 0, out: 'DE89 3704', logged: '' })
  }
  terminal.typed = [sealed]
  expect((await terminal.run('open', '--json')).out).toBe('{"value":"DE89 3704"}')
  expect(await terminal.run('open', 'DE89')).toMatchObject({
    code: 1,
    logged: expect.stringContaining('no sealed value'),
  })
  const { value: foreign } = JSON.parse((await terminal.run('trigger', 'field_updated')).out)
  expect(await terminal.run('open', foreign)).toMatchObject({ code: 1, out: '' })
})

test('a command that makes a one-time secret does not start without a place for it', async () => {
  using terminal = openTerminal({ SEALPOST_FRONT_DOOR: 'http://127.0.0.1:1' })
  const create = await terminal.run('services', 'create', '--name', 'A', '--admin-email', 'a@b.example')
  expect(create).toMatchObject({ code: 2, logged: expect.stringContaining('--passphrase-file FILE') })
  const client = await terminal.run('services', 'client', 'create', 'some-id')
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

async function pemOf({ privateKey, passphrase }: Awaited<ReturnType<typeof createServiceKey>>): Promise<string> {
  const pem = await exportPrivateKeyPem(createCryptoPlatform(globalThis), privateKey, passphrase)
  if (!pem.ok) throw new Error('no key file')
  return pem.value
}
