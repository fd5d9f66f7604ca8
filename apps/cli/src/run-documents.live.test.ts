import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountKey, CustomerClient, memoryPins } from '@sealpost/sdk'
import { APP_ORIGIN, openWorld, testSeal } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { publishLeaseFlow } from './testing/lease-flow.ts'
import { openServiceTerminal } from './testing/service-terminal.ts'

const world = await openWorld()
const service = await world.service([])
const ana = await world.person()
const anaKey = await AccountKey.fromPkcs8(ana.keys.privateKey.reveal())
const app = new CustomerClient({ accessToken: () => Promise.resolve(ana), key: anaKey, pins: memoryPins() })
const { id: connectionId } = await app.connect(service.code, {})
const flowId = await publishLeaseFlow(service)

const { client, key, terminal, flows } = await openServiceTerminal(world, service)
const inFolder = (name: string): string => join(terminal.folder, name)
writeFileSync(inFolder('password'), `${service.company.password}\n`)
writeFileSync(inFolder('root.pem'), testSeal().root)
const login = ['--email', service.company.email, '--password-file', 'password', '--app-origin', APP_ORIGIN]
const digestOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(inFolder(name)))
    .digest('hex')

async function answered(): Promise<string> {
  const { id } = await client.flows.start(flowId, { target: { connection_id: connectionId } }, key)
  await client.flows.answer(id, { room: { value: '12b' } }, key)
  return id
}

test('documents are made, read, signed and accepted; what was not read is not signed', async () => {
  const id = await answered()
  const LINE = [`${id}  awaiting_signature`, '  [>] 1  lease  us      sign', '  [ ] 2  rules  us      accept']
  const received = ['lease', 'rules'].map((made) => `         ${made}  tenant  receives`)
  expect((await flows('generate', id)).out.split('\n')).toEqual([...LINE, ...received])
  expect((await flows('generate', id)).out.split('\n')).toEqual([...LINE, ...received])
  const written = await flows('document', id, 'lease', '--out', 'lease.pdf')
  expect(written.logged).toContain(`SHA-256 ${digestOf('lease.pdf')}`)

  const wrong = await flows('sign', id, 'lease', '--sha256', digestOf('root.pem'), ...login)
  expect(wrong).toMatchObject({ code: 1, logged: expect.stringContaining(digestOf('lease.pdf')) })
  expect(await flows('sign', id, 'lease', ...login)).toMatchObject({ code: 2 })
  expect((await flows('documents', id)).out.split('\n')).toEqual([...LINE, ...received])
  const early = await flows('accept', id, 'rules', '--sha256', digestOf('lease.pdf'), ...login)
  expect(early).toMatchObject({ code: 1, out: '' })

  const signed = await flows('sign', id, 'lease', '--sha256', digestOf('lease.pdf'), ...login)
  expect(signed).toMatchObject({ code: 0, out: expect.stringMatching(/^active {2}sealed 20/) })
  await flows('document', id, 'rules', '--out', 'rules.pdf')
  const accepted = await flows('accept', id, 'rules', '--sha256', digestOf('rules.pdf'), ...login)
  expect(accepted).toMatchObject({ code: 0, out: expect.stringMatching(/^active {2}sealed 20/) })
  const [title, ...steps] = (await flows('documents', id)).out.split('\n')
  expect(title).toBe(`${id}  completed`)
  expect(steps.slice(0, 2).map((line) => line.slice(2, 5))).toEqual(['[x]', '[x]'])
  await flows('document', id, 'lease', '--out', 'sealed.pdf')
  expect(await terminal.run('verify', 'sealed.pdf', '--trust', 'root.pem')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^valid\n/),
  })
  expect(JSON.parse((await flows('documents', id, '--json')).out)['participants']).toHaveLength(2)
})

test('a document is declined for the company, and a run is cancelled', async () => {
  const declined = await answered()
  await flows('generate', declined)
  expect(await flows('decline', declined, 'rules', '--reason', 'A mistake', ...login)).toMatchObject({ out: 'ended' })
  expect(await client.flows.get(declined)).toMatchObject({ status: 'cancelled', cancel_reason: 'A mistake' })
  expect((await flows('documents', declined)).out).toContain('[-] 1  lease')
  const id = await answered()
  expect(await flows('cancel', id, '--reason', 'No')).toMatchObject({ code: 0, out: 'cancelled' })
  const late = await flows('generate', id)
  expect(late).toMatchObject({ code: 1, logged: expect.stringContaining('The run has no documents to make') })
})
