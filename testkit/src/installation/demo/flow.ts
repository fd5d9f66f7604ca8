import type { CustomerClient, ServiceClient, ServiceKey } from '@sealpost/sdk'
import type { UserLogin } from '@sealpost/sdk/login'
import { waitUntil } from '../../engines/wait-until.ts'
import { bodyOf } from '../../people/call.ts'
import { callsWith } from '../../people/client-calls.ts'
import { northwind } from '../../personas.ts'
import { listOf } from '../../sharing/members.ts'
import { scaled } from '../../slowness.ts'
import { flowAuthor } from '../../world/flow-author.ts'

const NAME = 'Deposit for a treatment'
const field = (slug: string, field_type: string, label: string) =>
  ({ kind: 'field', slug, field_type, label, required: true }) as const

/** The clinic says an amount; the patient chooses a day, and above 500 says who pays. */
const DEFINITION = {
  entry: 'amount',
  output_mode: 'data_only',
  parties: [
    { key: 'clinic', label: 'Northwind Clinic', type: 'owner' },
    { key: 'patient', label: 'Patient', type: 'person' },
  ],
  nodes: [
    { key: 'amount', party: 'clinic', title: 'Deposit', elements: [field('deposit', 'number', 'Amount')] },
    { key: 'day', party: 'patient', title: 'Your visit', elements: [field('visit', 'date', 'Day of the visit')] },
    { key: 'payer', party: 'patient', title: 'Who pays', elements: [field('payer', 'text', 'Insurance or yourself')] },
  ],
  edges: [
    { from: 'amount', to: 'day', sort: 0, condition: null },
    { from: 'day', to: 'payer', sort: 0, condition: { field: 'deposit', op: 'gt', value: 500 } },
  ],
  constants: [],
}

export interface Patient {
  readonly client: CustomerClient
  readonly connectionId: string
}

/** A published flow with two runs: one waits for a patient, one is completed. */
export async function seedFlow(
  portal: UserLogin,
  service: { readonly client: ServiceClient; readonly key: ServiceKey },
  [waiting, done]: readonly [Patient, Patient],
): Promise<void> {
  const { token, apiUrl } = await portal.accessToken()
  const calls = callsWith(apiUrl, token)
  const author = flowAuthor({ portal: calls, serviceId: northwind.serviceId })
  const known = listOf((await bodyOf(author.call('GET', '')))['items'])
  if (known.some(({ name }) => name === NAME)) return
  const { flowId } = await author.published(DEFINITION, NAME)
  await startRun(service, flowId, waiting, 800)
  const runId = await startRun(service, flowId, done, 200)
  const { client, connectionId } = done
  const isTurn = async (): Promise<boolean> =>
    (await client.flows.list(connectionId)).some(({ id, status }) => id === runId && status === 'awaiting_patient')
  await waitUntil('it is the turn of the patient', scaled(30_000), isTurn)
  await client.flows.answer({ connection_id: connectionId, id: runId }, { visit: { value: '2027-03-01' } })
}

async function startRun(
  { client, key }: { readonly client: ServiceClient; readonly key: ServiceKey },
  flowId: string,
  { connectionId }: Patient,
  deposit: number,
): Promise<string> {
  const { id } = await client.flows.start(flowId, { targets: { patient: { connection_id: connectionId } } }, key)
  await client.flows.answer(id, { deposit: { value: deposit } }, key)
  return id
}
