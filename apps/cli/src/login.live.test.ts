import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { AccountKey, CustomerClient, memoryPins } from '@sealpost/sdk'
import { openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openTerminal } from './testing.ts'
import { browserOf, codeShown } from './testing/browser.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const world = await openWorld()
const company = await world.company()
const door = world.frontDoor.url
const terminal = openTerminal()
world.onEnd(() => Promise.resolve(terminal[Symbol.dispose]()))
const inFolder = (name: string): string => join(terminal.folder, name)
const LOGIN = '.config/sealpost/login/journal.jsonl'

const login = (): Record<string, unknown> => JSON.parse(readFileSync(inFolder(LOGIN), 'utf8'))
const servicesWith = async (token: unknown): Promise<number> =>
  (await fetch(`${world.eu.url}/api/services`, { headers: { authorization: `Bearer ${String(token)}` } })).status

test('a user logs in in the browser, and the login is in a file for its owner', async () => {
  terminal.browser = browserOf(company)
  const made = await terminal.run('login', '--front-door', `${door}/`)
  expect(made).toMatchObject({ code: 0, out: `logged in at ${door} as ${company.displayName} (${company.email})` })
  expect(statSync(inFolder(LOGIN)).mode & 0o777).toBe(0o600)
  expect(statSync(inFolder('.config/sealpost/login')).mode & 0o777).toBe(0o700)
  for (const secret of [login()['access_token'], login()['refresh_token']]) {
    expect(made.out + made.logged).not.toContain(secret)
  }
  const who = await terminal.run('whoami')
  expect(who).toMatchObject({ code: 0, out: expect.stringContaining(company.email) })
  expect(JSON.parse((await terminal.run('whoami', '--json')).out)).toMatchObject({
    access: 'login',
    account: { id: company.userId },
    service: null,
  })
})

test('a second login ends the first; commands at the same time renew an expired token once', async () => {
  const { access_token: first } = login()
  expect(await terminal.run('login', '--json')).toMatchObject({ code: 0 })
  expect([await servicesWith(first), await servicesWith(login()['access_token'])]).toEqual([401, 200])
  writeFileSync(inFolder(LOGIN), `${JSON.stringify({ ...login(), expires_at: 0 })}\n`)
  const { refresh_token: before } = login()
  const codes = await Promise.all(['a', 'b', 'c'].map(async () => (await terminal.run('services', 'list')).code))
  expect(codes).toEqual([0, 0, 0])
  expect(login()['refresh_token']).not.toBe(before)
  expect((await terminal.run('services', 'list')).code).toBe(0)
})

test('without a browser, the code of a page elsewhere is typed; a wrong one changes nothing', async () => {
  using other = openTerminal({ SEALPOST_FRONT_DOOR: door })
  other.typed = ['eu.not-a-code']
  const wrong = await other.run('login', '--no-browser')
  expect(wrong).toMatchObject({ code: 1, logged: expect.stringContaining('the code is not valid any more') })
  expect(existsSync(join(other.folder, LOGIN))).toBe(false)
  other.typed = ['']
  expect(await other.run('login', '--no-browser')).toMatchObject({ code: 1 })
  const child = spawn('script', ['-qec', `"${process.execPath}" "${MAIN}" login --no-browser`, '/dev/null'], {
    cwd: other.folder,
    env: { ...environment(other.folder), SEALPOST_FRONT_DOOR: door },
  })
  const shown: string[] = []
  child.stdout.on('data', (chunk: Buffer) => shown.push(chunk.toString()))
  const url = (): string | undefined => /http\S+oauth2\/authorize\S+/.exec(shown.join(''))?.[0]
  await waitUntil('the address is shown', 60_000, () => url() !== undefined && shown.join('').includes('Code'))
  child.stdin.write(`${await codeShown(url() ?? '', company)}\n`)
  const [code] = await once(child, 'close')
  expect([code, shown.join('')]).toEqual([0, expect.stringContaining(`logged in at ${door}`)])
})

test('init asks at a terminal, makes key, client and settings, and doctor finds nothing wrong', async () => {
  const folder = inFolder('shop')
  mkdirSync(folder)
  const child = spawn('script', ['-qec', `"${process.execPath}" "${MAIN}" init`, '/dev/null'], {
    cwd: folder,
    env: environment(terminal.folder),
  })
  const shown = text(child.stdout)
  // The name, and an empty line: the address of the account.
  child.stdin.write('Rentals\n\n')
  const [code] = await once(child, 'close')
  expect([code, await shown]).toEqual([0, expect.stringContaining('data client svc_')])
  expect(readdirSync(join(folder, '.sealpost')).toSorted()).toEqual([
    '.gitignore',
    'client-secret',
    'passphrase',
    'service.pem',
  ])
  for (const file of ['sealpost.json', '.sealpost/service.pem', '.sealpost/passphrase', '.sealpost/client-secret']) {
    expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600])
  }
  const config = readFileSync(join(folder, 'sealpost.json'), 'utf8')
  expect(config).not.toContain(readFileSync(join(folder, '.sealpost/client-secret'), 'utf8').trim())
  // The same settings for the tests below.
  for (const [name, value] of Object.entries<string>(JSON.parse(config))) {
    terminal.environment[`SEALPOST_${name.toUpperCase()}`] = value.replace('.sealpost/', 'shop/.sealpost/')
  }
  const healthy = await terminal.run('doctor', '--json')
  expect(healthy.code).toBe(0)
  const findings = healthy.out.split('\n').map((line): Record<string, unknown> => JSON.parse(line))
  const levels = findings.map(({ check, level }) => `${String(check)} ${String(level)}`)
  const fine = ['front door', 'clock', 'account', 'data client', 'key file', 'key'].map((check) => `${check} ok`)
  expect(levels).toEqual(['settings note', ...fine])
})

test('init works without a terminal, and replaces no file', async () => {
  const again = await terminal.run('init', '--name', 'Second', '--admin-email', 'desk@example.com', '--json')
  expect(again.code).toBe(0)
  const { service_id: serviceId, client_id: clientId } = JSON.parse(again.out)
  expect(clientId).toMatch(/^svc_/)
  expect(await terminal.run('init', '--name', 'Third')).toMatchObject({
    code: 1,
    logged: expect.stringContaining('sealpost.json exists already'),
  })
  const got = await terminal.run('services', 'get', serviceId)
  expect(got.out).toMatch(/key fingerprint {2}[0-9a-f]{64}/)
  expect((await terminal.run('services', 'client', 'show', serviceId)).out).toContain(clientId)
  const unconfirmed = await terminal.run('services', 'client', 'regenerate', serviceId, '--show-secret')
  expect(unconfirmed).toMatchObject({ code: 2, logged: expect.stringContaining('give --yes') })
  const made = await terminal.run('services', 'client', 'regenerate', serviceId, '--secret-file', 'new-secret', '--yes')
  expect(made).toMatchObject({ code: 0, out: clientId })
  expect(readFileSync(inFolder('new-secret'), 'utf8')).toMatch(/^[\w-]{43}\n$/)
  terminal.typed = ['no']
  expect(await terminal.run('services', 'delete', serviceId)).toMatchObject({
    code: 1,
    logged: expect.stringContaining('nothing'),
  })
  terminal.typed = ['yes']
  expect(await terminal.run('services', 'delete', serviceId)).toMatchObject({ code: 0, out: 'deleted Second' })
  terminal.typed = null
  expect(await terminal.run('services', 'get', serviceId)).toMatchObject({ code: 1 })
})

test('doctor names what is wrong and what to do', async () => {
  const { environment: set } = terminal
  const doctor = async (name: string, value: string): Promise<string> => {
    const before = set[name] ?? ''
    set[name] = value
    const { code, out } = await terminal.run('doctor')
    set[name] = before
    expect(code).toBe(1)
    return out
  }
  writeFileSync(inFolder('wrong'), 'x'.repeat(43))
  expect(await doctor('SEALPOST_FRONT_DOOR', 'http://127.0.0.1:1')).toMatch(
    /FAIL {2}front door.*cannot be reached\n.*network/,
  )
  expect(await doctor('SEALPOST_FRONT_DOOR', 'nonsense')).toContain('is no address')
  expect(await doctor('SEALPOST_CLIENT_SECRET_FILE', 'wrong')).toMatch(
    /FAIL {2}data client.*\n.*client_id and its secret/,
  )
  expect(await doctor('SEALPOST_PASSPHRASE_FILE', 'wrong')).toMatch(/FAIL {2}key file/)
  expect(await doctor('SEALPOST_KEY_FILE', 'nowhere.pem')).toContain('there is no such file')
  using nothing = openTerminal()
  expect(await nothing.run('doctor')).toMatchObject({ code: 1, out: expect.stringContaining('run sealpost init') })
})

test('doctor reminds of one channel when a webhook is enabled [SDK-17]', async () => {
  const note = async (): Promise<string> => {
    const { out } = await terminal.run('doctor')
    return out.split('\n').find((line) => line.includes('channel')) ?? ''
  }
  expect(await note()).toBe('')
  const { id } = JSON.parse((await terminal.run('services', 'list', '--json')).out)
  const settings = ['--url', 'https://hooks.example.com/sealpost', '--secret-file', 'hook-secret', '--json']
  const made = await terminal.run('webhooks', 'create', id, ...settings)
  expect(await note()).toMatch(/^note +channel +.*handle one of the two, not both/)
  await terminal.run('webhooks', 'delete', id, JSON.parse(made.out).id, '--yes')
  expect(await note()).toBe('')
})

test('types are listed, persons are invited, and changes are followed as they happen', async () => {
  expect((await terminal.run('types', 'list')).out).toMatch(/^address +composite +inline +street, /m)
  const ana = await world.person({ displayName: 'Ana Gil' })
  const key = await AccountKey.fromPkcs8(ana.keys.privateKey.reveal())
  const app = new CustomerClient({ accessToken: () => Promise.resolve(ana), key, pins: memoryPins() })
  const following = terminal.start('changes', 'follow', '--json')
  await waitUntil('it is ready', 30_000, () => following.logged.includes('{"message":"ready"}'))
  const invited = await terminal.run('invite', ana.shareCode)
  expect(invited).toMatchObject({ code: 0, out: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect((await terminal.run('invite', ana.shareCode, '--json')).out).toContain(invited.out)
  expect(await terminal.run('invite', 'QQQQQQ')).toMatchObject({ code: 1, out: '' })
  const { share_code: service } = JSON.parse((await terminal.run('services', 'list', '--json')).out)
  await app.connect(`${company.shareCode}/${String(service)}`, {})
  await waitUntil('the change is printed', 60_000, () =>
    following.out.some((line) => line.includes('connection_created')),
  )
  expect(await following.interrupt()).toBe(0)
  expect((await terminal.run('changes')).out).toContain('connection_created')
})

test('after logout no copy of the login is accepted', async () => {
  const kept = login()
  expect(await terminal.run('logout')).toMatchObject({ code: 0, out: `logged out of ${door}` })
  expect(await servicesWith(kept['access_token'])).toBe(401)
  expect(await terminal.run('logout')).toMatchObject({ code: 1 })
  writeFileSync(inFolder(LOGIN), `${JSON.stringify(kept)}\n`)
  const ended = await terminal.run('services', 'list')
  expect(ended).toMatchObject({ code: 1, logged: expect.stringContaining('has ended: run sealpost login') })
  expect(readFileSync(inFolder(LOGIN), 'utf8')).toBe('')
})

/** Of a real process: its own home and nothing of the test's. */
function environment(home: string): Record<string, string> {
  return { HOME: home, PATH: process.env['PATH'] ?? '', TERM: 'dumb' }
}
