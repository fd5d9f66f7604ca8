import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorld, scaled, startHookReceiver } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openAccountTerminal } from './testing.ts'

const world = await openWorld()
const service = await world.service()
const terminal = openAccountTerminal(world, await service.company.accountClient(['service_management']))
const receiver = await startHookReceiver()
world.onEnd(() => receiver.close())
// Otherwise its webhooks would send to a receiver that is gone.
world.onEnd(async () => void (await service.portal('DELETE', service.path)))
/** Of the service, and of the webhook that the first test creates. */
let ids: readonly [string, string] = [service.serviceId, '']

test('a created webhook has its secret in a file for its owner, and can be tested', async () => {
  const { serviceId } = service
  const create = ['webhooks', 'create', serviceId, '--url', receiver.url, '--events', 'connection_deleted']
  expect(await terminal.run(...create)).toMatchObject({
    code: 2,
    logged: expect.stringContaining('--secret-file FILE'),
  })
  expect(await terminal.run('webhooks', 'create', serviceId)).toMatchObject({ code: 2 })
  expect(await terminal.run(...create, '--format', 'yaml')).toMatchObject({ code: 2 })
  const made = await terminal.run(...create, '--secret-file', 'hook')
  expect(made).toMatchObject({ code: 0, logged: '', out: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  ids = [serviceId, made.out]
  const file = join(terminal.folder, 'hook')
  expect(readFileSync(file, 'utf8')).toMatch(/^whsec_\S{44}\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const tested = await terminal.run('webhooks', 'test', ...ids)
  expect(tested).toMatchObject({ code: 0, out: expect.stringMatching(/^200 {2}\d+ ms$/) })
  receiver.behave(() => 204)
  expect(await terminal.run('webhooks', 'test', ...ids)).toMatchObject({ code: 1, out: expect.stringContaining('204') })
  receiver.behave(() => 200)
})

test('a failing webhook is listed with its error, probed, and its deliveries are listed', async () => {
  receiver.behave(() => 503)
  await service.append()
  const listed = async (): Promise<string> => (await terminal.run('webhooks', 'list', ids[0])).out
  await expect.poll(listed, { timeout: scaled(20_000) }).toContain('last error: answered 503')
  const waits = `${ids[1]}  bad       ${receiver.url}\n  1 waiting, the oldest since ${world.time()}`
  expect(await listed()).toContain(waits)
  receiver.behave(() => 200)
  expect(await terminal.run('webhooks', 'probe', ...ids)).toMatchObject({ code: 0 })
  await expect.poll(listed, { timeout: scaled(20_000) }).toContain('running')
  const deliveries = await terminal.run('webhooks', 'deliveries', ...ids)
  expect(deliveries.out.split('\n')[1]).toMatch(/probe +connection_deleted +200 +\d+ ms$/)
  expect(deliveries.out).toMatch(/live +connection_deleted +503/)
  const one = await terminal.run('webhooks', 'deliveries', ...ids, '--limit', '1', '--json')
  expect(JSON.parse(one.out)).toMatchObject({ kind: 'probe', http_status: 200 })
})

test('the reason of a missing answer is printed', async () => {
  const closed = await startHookReceiver()
  await closed.close()
  const create = ['webhooks', 'create', ids[0], '--url', closed.url, '--secret-file', 'closed-hook', '--disabled']
  const { out: closedId } = await terminal.run(...create)
  expect(await terminal.run('webhooks', 'test', ids[0], closedId)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^no answer: connection refused or unreachable {2}\d+ ms$/),
  })
  const deliveries = await terminal.run('webhooks', 'deliveries', ids[0], closedId)
  expect(deliveries.out).toMatch(/test +test +no answer: connection refused or unreachable +\d+ ms$/)
})

test('a webhook is paused, resumed and replayed', async () => {
  expect((await terminal.run('webhooks', 'pause', ...ids)).out).toContain('paused')
  const before = receiver.all.length
  await service.append()
  expect((await terminal.run('webhooks', 'resume', ...ids)).code).toBe(0)
  await receiver.take(before + 1)
  expect(await terminal.run('webhooks', 'replay', ...ids, '--since', 'yesterday')).toMatchObject({ code: 2 })
  const replayed = await terminal.run('webhooks', 'replay', ...ids, '--since', world.time(-3_600_000))
  expect(replayed).toMatchObject({ code: 0, out: '2 queued' })
  await receiver.take(before + 3)
})

test('a webhook is changed, its secret rotated, and it is deleted after a confirmation', async () => {
  const create = ['webhooks', 'create', ids[0], '--url', receiver.url, '--secret-file', 'changed-hook', '--disabled']
  const { out: id } = await terminal.run(...create)
  const change = (...more: readonly string[]) => terminal.run('webhooks', 'update', ids[0], id, ...more)
  expect(await change()).toMatchObject({ code: 2, logged: expect.stringContaining('at least one setting') })
  expect(await change('--enabled', 'maybe')).toMatchObject({ code: 2 })
  const changed = await change('--events', 'field_updated', '--format', 'xml', '--json')
  expect(JSON.parse(changed.out)).toMatchObject({
    url: receiver.url,
    events: ['field_updated'],
    format: 'xml',
    enabled: false,
  })
  expect(JSON.parse((await change('--events', 'all', '--json')).out)).toMatchObject({ events: [], format: 'xml' })
  expect((await change('--url', `${receiver.url}/other`)).out).toContain(`disabled  ${receiver.url}/other`)

  const rotate = (...more: readonly string[]) => terminal.run('webhooks', 'rotate', ids[0], id, ...more)
  expect(await rotate()).toMatchObject({ code: 2, logged: expect.stringContaining('--secret-file FILE') })
  expect(await rotate('--show-secret', '--grace-seconds', 'week')).toMatchObject({ code: 2 })
  const rotated = await rotate('--secret-file', 'rotated', '--grace-seconds', '60')
  expect(rotated).toMatchObject({ code: 0, out: expect.stringContaining('valid until') })
  const secrets = ['changed-hook', 'rotated'].map((name) => readFileSync(join(terminal.folder, name), 'utf8'))
  expect(new Set(secrets).size).toBe(2)

  const remove = (...more: readonly string[]) => terminal.run('webhooks', 'delete', ids[0], id, ...more)
  expect(await remove()).toMatchObject({ code: 2, logged: expect.stringContaining('--yes') })
  expect(await remove('--yes')).toMatchObject({ code: 0, out: `deleted ${id}` })
  expect(await remove('--yes')).toMatchObject({
    code: 1,
    logged: expect.stringContaining('services.webhook_not_found'),
  })
})

test('another authentication comes from a file; another company’s service answers the same 404 as a missing one', async () => {
  writeFileSync(join(terminal.folder, 'auth.json'), '{"auth_type":"bearer","auth_token":"let-me-in"}')
  const create = ['webhooks', 'create', ids[0], '--url', receiver.url, '--auth-file', 'auth.json']
  const made = await terminal.run(...create, '--disabled', '--json')
  expect(made.code).toBe(0)
  expect(JSON.parse(made.out)).toMatchObject({ auth_type: 'bearer', enabled: false })
  expect(made.out).not.toContain('let-me-in')
  expect((await terminal.run('webhooks', 'list', ids[0])).out).toContain('disabled')
  writeFileSync(join(terminal.folder, 'auth.json'), '{"auth_type":"magic"}')
  expect(await terminal.run(...create)).toMatchObject({ code: 1, logged: expect.stringContaining('must be one of') })
  writeFileSync(join(terminal.folder, 'auth.json'), '{"auth_type":"bearer","auth_tokn":"let-me-in"}')
  const misspelled = 'auth.json is not used: unknown member "auth_tokn", did you mean "auth_token"?'
  expect(await terminal.run(...create)).toMatchObject({ code: 1, logged: expect.stringContaining(misspelled) })
  const { serviceId: foreign } = await world.service()
  for (const id of [foreign, '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182']) {
    const refused = await terminal.run('webhooks', 'list', id)
    expect(refused).toMatchObject({ code: 1, out: '', logged: expect.stringContaining('services.not_found') })
  }
})
