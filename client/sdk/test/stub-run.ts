import { createHash } from 'node:crypto'
import { generateKeyPair } from '@sealpost/crypto'
import { seedRows } from '@sealpost/field-types'
import { hostPlatform } from '../src/keys/host.ts'
import { AccountKey } from '../src/keys/private-keys.ts'
import { readRun } from '../src/routes.generated.ts'
import type { Received, Reply } from './stub-server.ts'

export const RUN = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607100'
export const FLOW = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607101'
export const CONNECTION = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607102'
export const SERVICE = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607103'
export const COMPANY = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607104'
export const PERSON = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607105'
export const PARTNER = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607106'

/** A user of a run with a new key. */
export interface RunUser {
  readonly publicKey: string
  readonly key: AccountKey
}

export async function newUser(): Promise<RunUser> {
  const { publicKey, privateKey } = await generateKeyPair(hostPlatform())
  return { publicKey, key: await AccountKey.fromPkcs8(privateKey.reveal()) }
}

export function field(slug: string, members: object = {}) {
  return { kind: 'field', slug, field_type: 'text', label: slug, required: true, ...members }
}

/** Of three parties; `nodes` and `edges` are the test's. */
export function definition(members: object) {
  return {
    entry: 'first',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
      { key: 'partner', label: 'Partner', type: 'company' },
    ],
    nodes: [],
    edges: [],
    constants: [],
    ...members,
  }
}

/** Every member that an answer of the route has, null. */
export function emptyAnswer({ answers }: { readonly answers: readonly string[] }): object {
  return Object.fromEntries(answers.map((name) => [name, null]))
}

/** A run as the wire has it, at the step `first` of the company unless told. */
export function runWith(pinned: object, members: object = {}) {
  return {
    ...emptyAnswer(readRun),
    id: RUN,
    flow_id: FLOW,
    flow_version: 3,
    status: 'awaiting_us',
    current_node: 'first',
    connection_id: CONNECTION,
    service_id: SERVICE,
    company_user_id: COMPANY,
    bindings: { us: COMPANY, customer: PERSON, partner: PARTNER },
    participants: [],
    output_mode: 'data_only',
    parties: definition({}).parties,
    answers: [],
    definition: pinned,
    reference_date: '2026-05-01',
    private_slugs: [],
    source_files: {},
    ...members,
  }
}

export interface Submitted {
  readonly answers: readonly {
    readonly slug: string
    readonly values: readonly { readonly for_user_id: string; readonly value: string }[]
    readonly source_private: boolean
    readonly link?: object
  }[]
  readonly next_node?: string
  readonly leaf?: boolean
}

/** The bodies that were posted to paths with this end, in order. */
export function postedTo<Body = Submitted>(received: readonly Received[], end: string): readonly Body[] {
  const posts = received.filter(({ method, path }) => method === 'POST' && path.endsWith(end))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller names the body of its own route
  return posts.map(({ body }) => JSON.parse(body) as Body)
}

/** The copy of an answer for one user. */
export function copyFor(submitted: Submitted | undefined, slug: string, userId: string): string {
  const answer = submitted?.answers.find((one) => one.slug === slug)
  return answer?.values.find(({ for_user_id: forUser }) => forUser === userId)?.value ?? ''
}

/** Of the copy that was uploaded with this body. */
function handleOf(body: string): string {
  const hex = createHash('sha256').update(body).digest('hex')
  return `af_${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`
}

/** Answers the registry, keys, uploads and turns; everything else is the test's. */
export function runRoutes(
  keys: Readonly<Record<string, string>>,
  run: () => object,
  others: (received: Received) => Reply | null = () => null,
): (received: Received) => Reply {
  return (received) => {
    const { method, path, body } = received
    const own = others(received)
    if (own !== null) return own
    if (path === '/api/contact-field-types') return { status: 200, json: [...seedRows] }
    if (path === '/api/keys/batch') {
      const asked = Object.entries(keys).filter(([id]) => body.includes(id))
      return { status: 200, json: { keys: Object.fromEntries(asked) } }
    }
    if (path.endsWith('/answer-files') || path.endsWith('/run-files'))
      return { status: 201, json: { file: handleOf(body) } }
    const isRun = path.includes('/flow-runs/') && (method === 'GET' || path.endsWith('/answers'))
    return isRun ? { status: 200, json: run() } : { status: 404, json: {} }
  }
}
