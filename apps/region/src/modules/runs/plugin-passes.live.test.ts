import { randomBytes } from 'node:crypto'
import { runStatement } from '@sealpost/postgres'
import {
  bodyOf,
  describedPlugin,
  flowAuthor,
  openForwarderBus,
  openWorld,
  type Service,
  waitUntil,
} from '@sealpost/testkit'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { withPlugins } from '../flows/testing/definitions.ts'
import { type Bound, intake, openRuns, pathOf, RUNS } from './testing/runs.ts'

const DEADLINE_MS = 15_000
const MISSING = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'

const ROLLOVER = { previous_sha256: 'a'.repeat(64), public_key: 'a key', signature: 'by the former key' }

const world = await openWorld()
const forwarder = openForwarderBus(world)

async function openPluginRuns() {
  let plugin: Awaited<ReturnType<typeof describedPlugin>> | undefined
  const runs = await openRuns(world, async (service: Service) => {
    plugin = await describedPlugin(forwarder, service.company, { key_rollovers: [ROLLOVER] })
    return withPlugins(plugin.pluginId)
  })
  if (plugin === undefined) throw new Error('the definition was not written')
  return { ...runs, plugin }
}

const runs = await openPluginRuns()
const { service, customer, partner, plugin } = runs

const ownPass = (id: string) => service.data('POST', `${RUNS}/${id}/plugin-pass`)
const passOf = (who: Bound, id: string) => who.calls('POST', `${pathOf(who, id)}/plugin-pass`)
const refusalOf = async (answering: Promise<{ readonly status: number; readonly body: Record<string, unknown> }>) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

/** The customer's region knows that the run awaits the customer. */
async function hasArrived(who: Bound, id: string): Promise<void> {
  await waitUntil('the run has arrived', DEADLINE_MS, async () => (await runs.readAs(who, id)).status === 200)
}

describe('a pass for a turn', () => {
  test('leads the owner to the plugins of its step, with all that the elements need [TURN-28] [TURN-30]', async () => {
    const { id } = await runs.begun()
    const body = await bodyOf(ownPass(id))
    expect(body).toEqual({
      pass: expect.any(String),
      forwarder_url: 'https://forwarder.sealpost.example',
      plugins: [{ id: plugin.pluginId, public_key: plugin.description.public_key, key_rollovers: [ROLLOVER] }],
      specs: {
        vat: {
          plugin_id: plugin.pluginId,
          field_type: 'rate',
          snapshot: expect.objectContaining({ plugin_name: 'Rates', label: 'Rate' }),
          inputs: { amount: 'amount' },
        },
      },
    })
    expect(decodeJwt(String(body['pass']))).toMatchObject({
      kind: 'flow',
      cid: service.company.companyId,
      pid: [plugin.pluginId],
      rgn: 'eu',
      run: id,
      node: 'ask',
      pty: 'us',
    })
  })

  test('comes from the region of the service for a customer of another one, as long as the run awaits it [TURN-29] [TURN-33]', async () => {
    const { id } = await runs.begun()
    await hasArrived(customer, id)
    expect(await refusalOf(passOf(customer, id))).toEqual([403, 'flows.not_your_turn'])
    await bodyOf(runs.answer(id, { amount: '250', vat: '{}' }, { next_node: 'tell' }))
    expect(await refusalOf(ownPass(id))).toEqual([403, 'flows.not_your_turn'])
    const body = await bodyOf(passOf(customer, id))
    expect(body).toMatchObject({
      plugins: [{ id: plugin.pluginId, public_key: plugin.description.public_key, key_rollovers: [ROLLOVER] }],
      specs: { land: { field_type: 'country', inputs: {} } },
    })
    expect(decodeJwt(String(body['pass']))).toMatchObject({ kind: 'flow', rgn: 'eu', node: 'tell', pty: 'customer' })
  })

  test('of a company that is a customer has no plugins at a step without plugin elements [TURN-29] [TURN-32] [TURN-33]', async () => {
    const { id } = await runs.begun()
    await bodyOf(runs.answer(id, { amount: '250', vat: '{}' }, { next_node: 'tell' }))
    await hasArrived(customer, id)
    await bodyOf(runs.answerAs(customer, id, { land: '{}' }, { next_node: 'confirm' }))
    await hasArrived(partner, id)
    const { calls } = await runs.other.accountClient(['customer_connections'])
    const body = await bodyOf(passOf({ ...partner, calls }, id))
    expect(body).toEqual({
      pass: expect.any(String),
      forwarder_url: 'https://forwarder.sealpost.example',
      plugins: [],
      specs: {},
    })
    expect(decodeJwt(String(body['pass']))).toMatchObject({ pid: [], pty: 'partner' })
    await bodyOf(runs.answerAs(partner, id, { reference: 'R-7' }, { leaf: true }))
    expect(await refusalOf(passOf(partner, id))).toEqual([409, 'flows.run_not_awaiting'])
    expect(await refusalOf(ownPass(id))).toEqual([409, 'flows.run_not_awaiting'])
  })

  test('can be asked for by a manager of the service', async () => {
    const { id } = await runs.begun()
    const { calls } = await service.company.accountClient(['service_management'])
    const path = `${service.path}/flows/${runs.flowId}/runs/${id}/plugin-pass`
    expect(await bodyOf(calls('POST', path))).toMatchObject({ plugins: [{ id: plugin.pluginId }] })
  })

  test('is refused to a stranger like one of a missing run', async () => {
    const { id } = await runs.begun()
    const other = await openPluginRuns()
    expect(await refusalOf(other.service.data('POST', `${RUNS}/${id}/plugin-pass`))).toEqual([
      404,
      'flows.run_not_found',
    ])
    expect(await refusalOf(ownPass(MISSING))).toEqual([404, 'flows.run_not_found'])
    await hasArrived(customer, id)
    expect(await refusalOf(passOf({ ...other.customer }, id))).toEqual([404, 'flows.run_not_found'])
    const foreign = { ...customer, calls: other.customer.calls }
    expect(await refusalOf(passOf(foreign, id))).toEqual([404, 'company_data.connection_not_found'])
    expect(await refusalOf(world.anonymous('POST', `${RUNS}/${id}/plugin-pass`))).toEqual([401, 'auth.token_missing'])
  })

  test('has no key of a plugin without a description, and the run goes on with its snapshot [TURN-31] [FLOW-20]', async () => {
    const own = await openPluginRuns()
    const { id } = await own.begun()
    const sql = 'update plugins.plugin set description = null where company_id = $1 and id = $2'
    const params = [own.service.company.companyId, own.plugin.pluginId]
    await world.eu.platform.database.transaction((tx) => runStatement(tx, sql, params))
    expect(await bodyOf(own.service.data('POST', `${RUNS}/${id}/plugin-pass`))).toMatchObject({
      plugins: [{ id: own.plugin.pluginId, public_key: null, key_rollovers: [] }],
      specs: { vat: { snapshot: { plugin_name: 'Rates' } } },
    })
    await bodyOf(own.answer(id, { amount: '250', vat: '{}' }, { next_node: 'tell' }))
  })

  test('is refused once a customer has deleted the account, like every write; the run stays readable [TURN-33] [RUN-49]', async () => {
    const own = await openPluginRuns()
    const { id } = await own.begun()
    await hasArrived(own.partner, id)
    await own.person.erase()
    await waitUntil('it is cancelled', DEADLINE_MS, async () => (await own.read(id))['status'] === 'cancelled')
    const write = (act: string, body?: object) => own.service.data('POST', `${RUNS}/${id}/${act}`, { body })
    const otk = randomBytes(32).toString('base64')
    const sealed = randomBytes(48).toString('base64')
    const { customer: person, partner: company } = own
    const writes = {
      trigger: () => own.start(),
      'trigger with one target': () => own.start({ target: { connection_id: person.connectionId } }),
      'trigger that binds the user': () =>
        own.start({
          targets: { partner: { connection_id: company.connectionId } },
          bindings: { customer: person.userId },
        }),
      answers: () => own.answer(id, { amount: '1', vat: '{}' }, { next_node: 'tell' }),
      'answers of another party': () => own.answerAs(company, id, { reference: 'R' }, { leaf: true }),
      'answer-files': async () =>
        write('answer-files', { slug: 'amount', for_user_id: company.userId, value: await own.service.seal('x') }),
      generate: () => write('generate', { otk, values: sealed, inputs: [] }),
      'generate/inputs': () => write('generate/inputs', { source_key: 'field:deed', value: sealed }),
      cancel: () => write('cancel'),
      'plugin-pass': () => write('plugin-pass'),
      'plugin-pass of another party': () => passOf(company, id),
    }
    const before = await own.read(id)
    const refused: Record<string, unknown> = {}
    for (const [name, act] of Object.entries(writes)) refused[name] = await refusalOf(act())
    const all = Object.keys(writes).map((name) => [name, [409, 'account.counterparty_deleted']])
    expect(refused).toEqual(Object.fromEntries(all))
    expect(await own.read(id)).toEqual(before)
    expect((await own.readAs(company, id)).status).toBe(200)
    expect(await refusalOf(runs.start({ target: { connection_id: person.connectionId } }))).toEqual([
      404,
      'flows.connection_not_found',
    ])
  })

  test('is refused when the step is not in the pinned definition [TURN-34]', async () => {
    const { id } = await runs.begun()
    const sql = `update flows_service.run set current_node = 'lost' where service_id = $1 and id = $2`
    await world.eu.platform.database.transaction((tx) => runStatement(tx, sql, [service.serviceId, id]))
    expect(await refusalOf(ownPass(id))).toEqual([422, 'flows.definition_invalid'])
  })
})

test('a plugin answer is never private [FLOW-23]', async () => {
  const { id } = await runs.begun()
  const answers = [
    { slug: 'amount', values: await runs.copies('250') },
    { slug: 'vat', values: await runs.copies('{}'), source_private: true },
  ]
  const turn = { body: { answers, next_node: 'tell' } }
  expect(await refusalOf(service.data('POST', `${RUNS}/${id}/answers`, turn))).toEqual([400, 'flows.answer_invalid'])
})

describe('a plugin of a flow that is deleted', () => {
  const PLUGINS = '/api/account/plugins'
  const usedBy = async ({ service: { company }, plugin: { pluginId } }: typeof runs): Promise<unknown> => {
    const { items } = await bodyOf(company.portal('GET', PLUGINS))
    return (items as { id: string; in_use: unknown }[]).find(({ id }) => id === pluginId)?.in_use
  }
  const remove = ({ service: { company }, plugin: { pluginId } }: typeof runs) =>
    company.portal('DELETE', `${PLUGINS}/${pluginId}`)

  test('is in use while a run may still come to a step with it, and is deleted afterwards [PLUGIN-12]', async () => {
    const own = await openPluginRuns()
    const { id } = await own.begun()
    await bodyOf(flowAuthor(own.service).call('DELETE', `/${own.flowId}`), 204)
    const inUse = [{ kind: 'flow', id: own.flowId, name: expect.any(String) }]
    const isKept = async () => {
      expect(await usedBy(own)).toEqual(inUse)
      expect(await remove(own)).toMatchObject({ status: 409, body: { error_key: 'plugins.in_use', in_use: inUse } })
    }
    await isKept()
    await bodyOf(own.answer(id, { amount: '250', vat: '{}' }, { next_node: 'tell' }))
    await waitUntil('it has arrived', DEADLINE_MS, async () => (await own.readAs(own.customer, id)).status === 200)
    await isKept()
    await bodyOf(own.answerAs(own.customer, id, { land: '{}' }, { next_node: 'confirm' }))
    expect(await usedBy(own)).toEqual([])
    await bodyOf(remove(own), 204)
    expect(await own.read(id)).toMatchObject({ status: 'awaiting_partner' })
  })

  test('is free when the last run that needs it is cancelled', async () => {
    const own = await openPluginRuns()
    const ids = [(await own.begun()).id, (await own.begun()).id]
    await bodyOf(flowAuthor(own.service).call('DELETE', `/${own.flowId}`), 204)
    for (const id of ids) {
      expect(await usedBy(own)).toHaveLength(1)
      await bodyOf(own.service.data('POST', `${RUNS}/${id}/cancel`))
    }
    expect(await usedBy(own)).toEqual([])
    await bodyOf(remove(own), 204)
  })

  test('is in use by the version of a run, although the latest one does without it', async () => {
    const own = await openPluginRuns()
    const { id } = await own.begun()
    // As the previous release stores a version.
    const sql = 'update flows_service.version set plugin_ids = null where company_id = $1 and flow_id = $2'
    const params = [own.service.company.companyId, own.flowId]
    await world.eu.platform.database.transaction((tx) => runStatement(tx, sql, params))
    const author = flowAuthor(own.service)
    const { draft_token } = await bodyOf(author.call('GET', `/${own.flowId}`))
    const flow = { flowId: own.flowId, draftToken: String(draft_token) }
    await author.publish(await author.save(flow, intake()))
    expect(await usedBy(own)).toMatchObject([{ kind: 'flow', id: own.flowId }])
    expect(await remove(own)).toMatchObject({ status: 409, body: { error_key: 'plugins.in_use' } })
    await bodyOf(own.service.data('POST', `${RUNS}/${id}/cancel`))
    await bodyOf(remove(own), 204)
  })
})
