import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createPrivateKey, fieldType, nodeHandler, openPlugin } from '@sealpost/plugin-kit'
import { expect, test } from 'vitest'
import { openTerminal } from '../testing.ts'
import type { Finding } from './report.ts'
import { faults } from './testing/faults.ts'
import { type Behaviour, startOwnPlugin } from './testing/own-plugin.ts'

interface Printed {
  readonly plugin: string
  readonly passed: number
  readonly failed: number
  readonly findings: readonly Finding[]
}

async function check(url: string, ...words: readonly string[]): Promise<Printed & { readonly code: number }> {
  using terminal = openTerminal()
  writeFileSync(join(terminal.folder, 'token'), 'right-token\n')
  const { code, out } = await terminal.run('plugin', 'check', url, '--json', ...words)
  return { code, ...(JSON.parse(out) as Printed) }
}

test('a plugin that shares no code with ours passes every check', async () => {
  await using plugin = await startOwnPlugin({ token: 'right-token' })
  const { code, findings, passed } = await check(plugin.url, '--token-file', 'token')
  expect(findings.filter(({ level }) => level !== 'passed')).toEqual([
    expect.objectContaining({ check: 'address.form', level: 'warning' }),
  ])
  expect(passed).toBe(25)
  expect(code).toBe(0)
})

test.each(faults)('%s is found', async (_, fault, name, happened) => {
  await using plugin = await startOwnPlugin(fault)
  const { code, findings } = await check(plugin.url)
  const failed = findings.filter(({ level }) => level === 'failed')
  expect(failed).toContainEqual(
    expect.objectContaining({
      check: name,
      happened: expect.stringContaining(happened),
      remedy: expect.stringMatching(/\w/),
    }),
  )
  expect(code).toBe(1)
})

test('a token that guards nothing, or one route only, is found', async () => {
  const routes = async (token: string | null, before: Behaviour['before'] = () => null) => {
    await using plugin = await startOwnPlugin({ token, before })
    const { findings } = await check(plugin.url, '--token-file', 'token')
    return findings.filter(({ check: name, level }) => name === 'token.required' && level === 'failed').length
  }
  expect(await routes('right-token')).toBe(0)
  expect(await routes(null)).toBe(4)
  const manifestOnly: Behaviour['before'] = ({ url, headers }) =>
    url === '/manifest' && headers.authorization !== 'Bearer right-token' ? { status: 403, body: {} } : null
  expect(await routes(null, manifestOnly)).toBe(2)
})

test('a plugin that is not there, or wants another token, is reported with what to do', async () => {
  await using plugin = await startOwnPlugin({ token: 'another-token' })
  expect((await check(plugin.url, '--token-file', 'token')).findings).toContainEqual(
    expect.objectContaining({ check: 'manifest.answer', remedy: expect.stringContaining('--token-file') }),
  )
  const { code, findings } = await check('http://127.0.0.1:1/')
  expect(code).toBe(1)
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'manifest.answer', remedy: expect.stringContaining('Start the plugin') }),
  )
})

const loan = fieldType({
  key: 'loan',
  label: 'Loan',
  inputs: { amount: { type: 'number', label: 'Amount', required: true } },
  blocks: {
    product: {
      kind: 'search_select',
      label: 'Product',
      options: ({ inputs }) => (Number(inputs['amount']) >= 1000 ? [{ id: 'classic', label: 'Classic' }] : []),
    },
  },
  outputs: { rate: { type: 'number', label: 'Rate' } },
  compute: ({ inputs }) => ({ rate: inputs.amount / 12 }),
})

test('a server of the kit passes; sample inputs that lead nowhere are a warning, given ones are used', async () => {
  const plugin = await openPlugin({
    name: 'Loans',
    key: await createPrivateKey(),
    fieldTypes: [loan],
    token: 'right-token',
  })
  const server = createServer(nodeHandler(plugin, { path: '/loans' }))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/loans/`
  const without = await check(url, '--token-file', 'token')
  expect(without).toMatchObject({ code: 0, failed: 0, plugin: 'Loans' })
  expect(without.findings).toContainEqual(
    expect.objectContaining({
      check: 'options.shape',
      level: 'warning',
      remedy: expect.stringContaining('--input amount='),
    }),
  )
  const given = await check(url, '--token-file', 'token', '--input', 'amount=12000')
  expect(given).toMatchObject({ code: 0, failed: 0 })
  expect(given.findings.map(({ check: name }) => name)).toContain('outputs.picks_invalid')
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
})

test('without --json each finding is a line with its remedy; wrong usage is refused before any call', async () => {
  await using plugin = await startOwnPlugin({ unknownKey: { status: 500, body: {} } })
  using terminal = openTerminal()
  const { out, code } = await terminal.run('plugin', 'check', plugin.url)
  expect(code).toBe(1)
  expect(out).toMatch(/^FAIL {2}call\.wrong_key {2}a question sealed to another key was answered 500\n {6}Answer 409/m)
  expect(out).toMatch(/^Places: \d+ passed, 1 failed, 1 warnings$/m)
  expect(out).not.toContain('ok  ')
  expect((await terminal.run('plugin', 'check', plugin.url, '--all')).out).toContain('ok    manifest.rules')
  for (const words of [['ftp://x'], ['http://a:b@127.0.0.1'], [`${plugin.url}?a`], [plugin.url, '--input', 'x']]) {
    expect((await terminal.run('plugin', 'check', ...words)).code).toBe(2)
  }
  expect((await terminal.run('plugin', 'check', plugin.url, '--field-type', 'nothing')).logged).toContain(
    'it has: place',
  )
})

test('plugin key writes a key that a plugin can be opened with, once', async () => {
  using terminal = openTerminal()
  expect((await terminal.run('plugin', 'key', '--out', 'plugin.key')).code).toBe(0)
  expect((await terminal.run('plugin', 'key', '--out', 'plugin.key')).logged).toContain('exists already')
})
