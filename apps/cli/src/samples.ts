import { isQueuedEvent, type ServiceEvent, type ServiceEventKind } from '@sealpost/protocol'

type Members<Kind extends ServiceEventKind> = Omit<ServiceEvent<Kind>, 'id' | 'event' | 'at' | 'service_id'>
type Samples = { readonly [Kind in ServiceEventKind]: (at: string) => Members<Kind> }

const DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** A wrapper with the right lengths that no key opens. */
const UNOPENABLE = JSON.stringify({
  _enc: 1,
  k: Buffer.alloc(256, 1).toString('base64'),
  iv: Buffer.alloc(12, 2).toString('base64'),
  d: Buffer.alloc(24, 3).toString('base64'),
})

const person = {
  person_user_id: idOf(1),
  share_code: 'MARA01',
  connection_id: idOf(2),
  customer_type: 'person',
} as const
const unconnected = { ...person, connection_id: null }
const document = { document_id: idOf(3), name: 'Lease 2026', kind: 'agreement', payload_kind: 'file' } as const
const run = { flow_run_id: idOf(5) }

/** One plausible event of each kind; the types of the protocol decide about the members. */
const samples = {
  connection_created: () => person,
  connection_deleted: () => person,
  field_updated: () => ({ ...person, slug: 'email', type: 'email', live: true, value: UNOPENABLE }),
  field_deleted: () => ({ ...person, slug: 'email' }),
  consent_accepted: () => ({ ...person, slug: 'phone', type: 'phone', live: true, value: UNOPENABLE }),
  consent_declined: () => ({ ...person, slug: 'phone' }),
  document_status_changed: (at) => ({
    ...person,
    document_id: document.document_id,
    status: 'active',
    action: 'signed',
    method: 'biometric',
    content_sha256: DIGEST,
    signed_at: at,
    cancel_effective_date: null,
    sealed_at: at,
    plain_sha256: DIGEST,
    signer_first_name: 'Mara',
    signer_last_name: 'Example',
    signer_name_verified: true,
    note: null,
  }),
  document_created: () => ({ ...person, ...document }),
  document_updated: () => ({ ...person, ...document }),
  document_deleted: () => ({ ...person, ...document }),
  connection_request_accepted: () => ({ ...person, request_id: idOf(4) }),
  connection_request_rejected: () => ({ ...unconnected, request_id: idOf(4) }),
  flow_run_turn: () => ({ ...person, ...run, awaiting_party: 'customer' }),
  flow_completed: () => ({ ...person, ...run }),
  flow_cancelled: () => ({ ...person, ...run, cancelled_by: 'customer' }),
  '2fa_challenge_completed': (at) => ({ ...person, challenge_id: idOf(6), status: 'approved', completed_at: at }),
  key_rotated: () => ({ ...person, public_key_sha256: DIGEST }),
  message_received: (at) => ({
    ...person,
    connection_id: person.connection_id,
    message_id: idOf(7),
    person_public_key: Buffer.alloc(294, 4).toString('base64'),
    created_at: at,
    body: UNOPENABLE,
  }),
  test: () => ({ person_user_id: null, share_code: null, connection_id: null, customer_type: null }),
} as const satisfies Samples

export const sampleKinds: readonly string[] = Object.keys(samples)

export interface Sample {
  readonly id: string
  readonly event: ServiceEventKind
  readonly [member: string]: unknown
}

/** A sample of this kind with some members replaced; null when the kind does not allow them. */
export function sampleOf(
  kind: ServiceEventKind,
  at: string,
  others: Readonly<Record<string, unknown>> = {},
): Sample | null {
  const { id = idOf(kindNo(kind)), event: _given, ...members } = others
  const sample = { id: String(id), event: kind, at, service_id: idOf(9), ...samples[kind](at), ...members }
  return kind === 'test' || isQueuedEvent(sample) ? sample : null
}

export function isSampleKind(kind: string): kind is ServiceEventKind {
  return Object.hasOwn(samples, kind)
}

/** The member of this kind that is sealed to the service; null when it has none. */
export function sealedMemberOf(kind: ServiceEventKind): 'value' | 'body' | null {
  const sample = samples[kind]('')
  if ('value' in sample) return 'value'
  return 'body' in sample ? 'body' : null
}

/** Each kind has its own id, so that a receiver that deduplicates by id accepts one of each. */
function kindNo(kind: ServiceEventKind): number {
  return 100 + sampleKinds.indexOf(kind)
}

/** Stable and recognisable ids. */
function idOf(no: number): string {
  return `0196a8c4-5e6f-7a10-8000-${String(no).padStart(12, '0')}`
}
