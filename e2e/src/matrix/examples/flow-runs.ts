import type { Example, Examples, Making, Parts } from '../example.ts'
import type { WorldOwner } from '../owners.ts'
import { connectionOf } from './company-connections.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'
const TURN = { answers: [], leaf: true }
const FILE = { slug: 'proof', for_user_id: MISSING, value: 'x' }
const STAGED = { source_user_id: MISSING, value: 'x' }

// No run or flow has these ids: the refusal proves that the caller passed the gates. Runs of others are refused in the
// tests of the module.
const ofFlow = (body?: Parts['body']): Example => ({
  notObjects: ['flowId'],
  make: () => ({ params: { flowId: MISSING }, ...(body === undefined ? {} : { body }) }),
  answers: () => ({ status: 404, key: 'flows.not_found' }),
})

const ofRun = (params: Readonly<Record<string, string>> = {}, body?: Parts['body']): Example => ({
  notObjects: ['runId', ...Object.keys(params)],
  make: () => ({ params: { runId: MISSING, ...params }, ...(body === undefined ? {} : { body }) }),
  answers: () => ({ status: 404, key: 'flows.run_not_found' }),
})

const managed = (example: Example): Example => ({
  ...example,
  notObjects: ['flowId', ...(example.notObjects ?? [])],
  async make(making) {
    const parts = (await example.make?.(making)) ?? {}
    return { ...parts, params: { flowId: MISSING, ...parts.params, ...spare(making.owner) } }
  },
})

const received = (params: Readonly<Record<string, string>> = {}, body?: Parts['body']): Example => ({
  ...ofRun(params, body),
  ofAccount: true,
  make: async (making: Making) => ({
    params: { id: await connectionOf(making), runId: MISSING, ...params },
    ...(body === undefined ? {} : { body }),
  }),
})

export const flowRunExamples: Examples = {
  'flow_runs.stage_file': ofFlow(STAGED),
  'flow_runs.start': ofFlow({}),
  'flow_runs.read': ofRun(),
  'flow_runs.answer': ofRun({}, TURN),
  'flow_runs.store_file': ofRun({}, FILE),
  'flow_runs.cancel': ofRun({}, {}),
  'flow_runs.create_pass': ofRun(),
  'flow_runs.read_slot_file': ofRun({ slug: 'proof' }),
  'flow_runs.read_source': ofRun({ sourceKey: 'conn:customer:deed' }),

  'service_runs.stage_file': managed(ofFlow(STAGED)),
  'service_runs.start': managed(ofFlow({})),
  'service_runs.list': managed(ofFlow()),
  'service_runs.read': managed(ofRun()),
  'service_runs.answer': managed(ofRun({}, TURN)),
  'service_runs.store_file': managed(ofRun({}, FILE)),
  'service_runs.cancel': managed(ofRun({}, {})),
  'service_runs.create_pass': managed(ofRun()),
  'service_runs.read_source': managed(ofRun({ sourceKey: 'conn:customer:deed' })),

  'customer_runs.list': { ofAccount: true, make: async (making) => ({ params: { id: await connectionOf(making) } }) },
  'customer_runs.read': received(),
  'customer_runs.answer': received({}, TURN),
  'customer_runs.store_file': received({}, FILE),
  'customer_runs.read_file': received({ file: 'af_0196a8c4-5e6f-7a10-8b2c-3d4e5f607182' }),
  'customer_runs.cancel': received({}, {}),
  'customer_runs.create_pass': received(),
  'customer_runs.decline': received({}, {}),
}

function spare(owner: WorldOwner): { readonly id: string } {
  return { id: owner.spareServiceId ?? '' }
}
