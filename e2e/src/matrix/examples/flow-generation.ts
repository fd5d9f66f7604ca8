import type { Example, Examples, Making, Parts } from '../example.ts'
import { connectionOf } from './company-connections.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'
const INPUT = { source_key: 'field:deed', value: 'x' }
const OUTPUT = { outputKey: 'contract' }
const content_sha256 = 'ab'.repeat(32)

type Params = Readonly<Record<string, string>>

// No run has this id: the refusal proves that the caller passed the gates. Runs of others are refused in the tests of the
// module.
function ofRun(
  paramsOf: (making: Making) => Params | Promise<Params>,
  more: Params = {},
  body?: Parts['body'],
): Example {
  return {
    notObjects: ['flowId', 'runId', ...Object.keys(more)],
    make: async (making) => ({
      params: { flowId: MISSING, runId: MISSING, ...more, ...(await paramsOf(making)) },
      ...(body === undefined ? {} : { body }),
    }),
    answers: () => ({ status: 404, key: 'flows.run_not_found' }),
  }
}

const ofClient = (): Params => ({})
const ofSpare = ({ owner }: Making): Params => ({ id: owner.spareServiceId ?? MISSING })
const ofConnection = async (making: Making): Promise<Params> => ({ id: await connectionOf(making) })

function received(more: Params = {}, body?: Parts['body']): Example {
  return { ...ofRun(ofConnection, more, body), ofAccount: true }
}

export const flowGenerationExamples: Examples = {
  'flow_runs.generate': ofRun(ofClient, {}, {}),
  'flow_runs.store_input': ofRun(ofClient, {}, INPUT),
  'flow_runs.read_document': ofRun(ofClient, OUTPUT),
  'flow_runs.read_only_document': ofRun(ofClient),
  'service_runs.generate': ofRun(ofSpare, {}, {}),
  'service_runs.store_input': ofRun(ofSpare, {}, INPUT),
  'customer_runs.generate': received({}, {}),
  'customer_runs.store_input': received({}, INPUT),
  'customer_runs.read_document': received(OUTPUT),
  'portal_runs.list': { make: (making) => ({ params: ofSpare(making) }) },
  'portal_runs.read': ofRun(ofSpare),
  // The service is not deleted.
  'portal_runs.delete': { ...ofRun(ofSpare), answers: () => ({ status: 404, key: 'services.not_found' }) },
  'owner_documents.read_file': ofRun(ofSpare, OUTPUT),
  'owner_documents.send_code': ofRun(ofSpare, OUTPUT, {}),
  'owner_documents.sign': ofRun(ofSpare, OUTPUT, { method: 'custodian', content_sha256 }),
  'owner_documents.accept': ofRun(ofSpare, OUTPUT, { content_sha256 }),
  'owner_documents.decline': ofRun(ofSpare, OUTPUT, {}),
}
