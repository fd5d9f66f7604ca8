import { createHash } from 'node:crypto'
import { plainPdf } from '@sealpost/pdf-format/testing'
import {
  bodyOf,
  type Calls,
  clientCalls,
  type ConnectedUser,
  connectNewUser,
  dataUri,
  northwind,
  type ScenarioContext,
  sealTo,
  underOneTimeKey,
  waitUntil,
} from '@sealpost/testkit'
import type { Site } from './site.ts'

/** A PDF that a customer is to sign. */
export interface Contract {
  readonly id: string
  readonly customer: ConnectedUser
  readonly path: string
  readonly contentSha256: string
  /** The same for each repetition of the act. */
  readonly body: Readonly<Record<string, string>>
  readonly key: string
  /** What the answer of the act said; null until then. */
  plainSha256: string | null
}

export const DOCUMENTS = '/api/company-data/documents'
export const PDF = plainPdf(2)
const ARRIVAL_MS = 120_000

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export interface Offered {
  readonly service: Calls
  readonly contracts: readonly Contract[]
}

/** Before any fault: all contracts have arrived at their customers. */
export async function offerContracts(
  context: ScenarioContext,
  { installation }: Site,
  { customers, acts }: { readonly customers: number; readonly acts: number },
): Promise<Offered> {
  const service = await clientCalls(installation, northwind.clientId, northwind.clientSecret)
  // Companies, which sign by their portal users.
  const wanted = { userType: 'company', region: 'us' } as const
  const signers: ConnectedUser[] = []
  for (let number = 0; number < customers; number += 1)
    signers.push(await connectNewUser(installation, wanted, northwind))
  const contracts: Contract[] = []
  for (let number = 0; number < acts; number += 1) {
    const customer = signers[number % signers.length]
    if (customer !== undefined) contracts.push(await offer(service, customer))
  }
  await waitUntil('all contracts have arrived', ARRIVAL_MS, async () => {
    const answers = await Promise.all(contracts.map(({ customer, path }) => customer.calls('GET', path)))
    return answers.every(({ status }) => status === 200)
  })
  context.progress(`${contracts.length} contracts wait for ${signers.length} customers in the other region`)
  return { service, contracts }
}

async function offer(service: Calls, customer: ConnectedUser): Promise<Contract> {
  const { connectionId, user } = customer
  const facts = { name: 'Supply agreement', kind: 'agreement', payload_kind: 'file', requires_signature: true }
  const plain_sha256 = sha256(PDF)
  const body = { ...facts, plain_sha256, target: { connection_id: connectionId } }
  const id = String((await bodyOf(service('POST', DOCUMENTS, { body }), 201))['id'])
  const envelope = JSON.stringify({ file: dataUri('application/pdf', PDF), original_name: 'terms.pdf' })
  const value = await sealTo(user.keys.publicKey, envelope)
  await bodyOf(service('POST', `${DOCUMENTS}/${id}/file`, { body: { value } }))
  const contentSha256 = sha256(value)
  const handedOver = await underOneTimeKey(PDF)
  return {
    id,
    customer,
    path: `/api/company-connections/${connectionId}/documents/${id}`,
    contentSha256,
    body: { method: 'custodian', content_sha256: contentSha256, plain_sha256, ...handedOver },
    key: `sign-${id}`,
    plainSha256: null,
  }
}
