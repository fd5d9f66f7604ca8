import { waitUntil } from '@sealpost/testkit'
import type { Example, Examples, Making, Parts } from '../example.ts'
import { callAs, requireAs, sealTo, type WorldOwner } from '../owners.ts'
import type { World } from '../world.ts'
import { connectionOf, hostOf } from './company-connections.ts'
import { visitorsConnection } from './connections.ts'

const DEADLINE_MS = 15_000
const TURN = { answers: [], leaf: true }
const NO_FILE = () => ({ status: 404, key: 'company_data.file_not_found' })

/** One step of the party `first`, which may give a file. Without types, a party takes persons and companies. */
function definition(first: 'us' | 'customer') {
  return {
    entry: 'start',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us' },
      { key: 'customer', label: 'Customer' },
    ],
    nodes: [
      {
        key: 'start',
        party: first,
        title: 'Start',
        elements: [{ kind: 'field', slug: 'proof', field_type: 'document', label: 'Proof', required: false }],
      },
    ],
    edges: [],
    constants: [],
  }
}

type Content = (making: Making) => Parts | Promise<Parts>
const upload: Content = async ({ owner }) => ({
  body: { slug: 'proof', for_user_id: owner.userId, value: await sealTo(owner.publicKey, '{}') },
})
const turn: Content = () => ({ body: TURN })
const empty: Content = () => ({ body: {} })
const nothing: Content = () => ({})

/** Of a data client: the flows and runs of its service. */
const ofService = ({ owner }: Making): string => owner.serviceId ?? ''
/** Of managers: those of a service that has no data client. */
const ofSpare = ({ owner }: Making): string => owner.spareServiceId ?? ''

function ofFlow(serviceOf: (making: Making) => string, content: Content): Example {
  return {
    async make(making) {
      const id = serviceOf(making)
      const flowId = await flowOf(making, making.owner, id, 'us')
      return { ...(await content(making)), params: { id, flowId } }
    },
  }
}

function ofRun(serviceOf: (making: Making) => string, content: Content, more: Example = {}): Example {
  return {
    ...more,
    async make(making) {
      const id = serviceOf(making)
      const { flowId, runId } = await beginRun(making, making.owner, id, 'us')
      const { params, ...parts } = await content(making)
      return { ...parts, params: { id, flowId, runId, ...params } }
    },
  }
}

const slot: Content = () => ({ params: { slug: 'proof' } })
const source: Content = () => ({ params: { sourceKey: 'conn:customer:deed' } })
const file: Content = () => ({ params: { file: 'af_0196a8c45e6f7a108b2c3d4e5f607182' } })

async function trigger(making: Making, serviceId: string): Promise<Parts> {
  const connection_id = await visitorsConnection(making.world, making.owner, serviceId)
  return { body: { bindings: { us: making.owner.userId }, target: { connection_id } } }
}

async function staged(making: Making, serviceId: string): Promise<Parts> {
  await visitorsConnection(making.world, making.owner, serviceId)
  const value = await sealTo(making.owner.publicKey, '{}')
  return { body: { source_user_id: making.world.visitor.userId, value } }
}

function received(content: Content, more: Example = {}): Example {
  return {
    ofAccount: true,
    ...more,
    async make(making) {
      const { params, ...parts } = await content(making)
      return { ...parts, params: { ...(await receivedRun(making)), ...params } }
    },
  }
}

export const flowRunExamples: Examples = {
  'flow_runs.stage_file': ofFlow(ofService, (making) => staged(making, ofService(making))),
  'flow_runs.start': ofFlow(ofService, (making) => trigger(making, ofService(making))),
  'flow_runs.read': ofRun(ofService, nothing),
  'flow_runs.answer': ofRun(ofService, turn),
  'flow_runs.store_file': ofRun(ofService, upload),
  'flow_runs.cancel': ofRun(ofService, empty),
  // There is no file: the refusal proves that the caller passed the gates.
  'flow_runs.read_slot_file': ofRun(ofService, slot, { notObjects: ['slug'], answers: NO_FILE }),
  'flow_runs.read_source': ofRun(ofService, source, { notObjects: ['sourceKey'], answers: NO_FILE }),

  'service_runs.stage_file': ofFlow(ofSpare, (making) => staged(making, ofSpare(making))),
  'service_runs.start': ofFlow(ofSpare, (making) => trigger(making, ofSpare(making))),
  'service_runs.list': ofFlow(ofSpare, nothing),
  'service_runs.read': ofRun(ofSpare, nothing),
  'service_runs.answer': ofRun(ofSpare, turn),
  'service_runs.store_file': ofRun(ofSpare, upload),
  'service_runs.cancel': ofRun(ofSpare, empty),
  'service_runs.read_source': ofRun(ofSpare, source, { notObjects: ['sourceKey'], answers: NO_FILE }),

  'customer_runs.list': { ofAccount: true, make: async (making) => ({ params: { id: await connectionOf(making) } }) },
  'customer_runs.read': received(nothing),
  'customer_runs.answer': received(turn),
  'customer_runs.store_file': received(upload),
  'customer_runs.read_file': received(file, { notObjects: ['file'], answers: NO_FILE }),
  'customer_runs.cancel': received(empty),
  'customer_runs.decline': received(empty),
}

/** Flows by service and first party: a flow serves all cells of a world. */
const known = new WeakMap<World, Map<string, Promise<string>>>()

function flowOf({ world }: Making, owner: WorldOwner, serviceId: string, first: 'us' | 'customer'): Promise<string> {
  const flows = known.get(world) ?? new Map<string, Promise<string>>()
  known.set(world, flows)
  const name = `${serviceId} ${first}`
  const flow = flows.get(name) ?? publish(owner, serviceId, first)
  flows.set(name, flow)
  return flow
}

async function publish(owner: WorldOwner, serviceId: string, first: 'us' | 'customer'): Promise<string> {
  const path = `/api/portal/services/${serviceId}/flows`
  const body = { name: 'For runs of cells', definition: definition(first) }
  const { id, draft_token } = await requireAs(owner, 'POST', path, body)
  await requireAs(owner, 'POST', `${path}/${String(id)}/publish`, { draft_token })
  return String(id)
}

/** A run with the visitor, whose first step is the owner's. */
async function beginRun(making: Making, owner: WorldOwner, serviceId: string, first: 'us' | 'customer') {
  const flowId = await flowOf(making, owner, serviceId, first)
  const { body } = await trigger(making, serviceId)
  const path = `/api/services/${serviceId}/flows/${flowId}/runs`
  return { flowId, runId: String((await requireAs(owner, 'POST', path, body))['id']) }
}

/** A run of the host, once it has arrived at its customer, whose step is the first. */
async function receivedRun(making: Making): Promise<{ readonly id: string; readonly runId: string }> {
  const id = await connectionOf(making)
  const host = hostOf(making)
  const serviceId = host.serviceId ?? ''
  const flowId = await flowOf(making, host, serviceId, 'customer')
  const body = { bindings: { us: host.userId }, target: { connection_id: id } }
  const run = await requireAs(host, 'POST', `/api/services/${serviceId}/flows/${flowId}/runs`, body)
  const runId = String(run['id'])
  await waitUntil('the run has arrived', DEADLINE_MS, async () => {
    const path = `/api/company-connections/${id}/flow-runs/${runId}`
    return (await callAs(making.owner, 'GET', path)).status === 200
  })
  return { id, runId }
}
