import type { Registry } from '@sealpost/field-types'
import { formatInstant, type Instant, parseUuid, type FieldId, type RequestFieldId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type AskedRow, type Attested, type Decision, refuse, type SlotAnswer } from '@sealpost/protocol'
import { findContactField, loadRegistry } from '../../../registry/index.ts'
import { findVaultValue, liveAttestation, lockVaultValue, type VaultValue } from '../../../vault/index.ts'
import type { Answered, Customer, Mapping } from '../connection.ts'
import type { CustomerNeeds } from '../needs.ts'
import { judgeDecisions, type Planned, type Source, sourceIdsOf } from '../rules/decisions.ts'
import { isAnswered } from '../rules/remap.ts'
import { rowsFor } from '../rules/rows.ts'
import { demandClearFiles, type MadeFile } from './files.ts'
import { refuseDecisions } from './refusals.ts'

export interface Decided {
  readonly registry: Registry
  readonly planned: readonly Planned[]
}

/** Judges what a customer sent against what the service asks and what the vault holds; throws the refusal. */
export async function judge(
  { database, clock, caps }: CustomerNeeds,
  { accountId, userType }: Customer,
  { rows, mappings }: { readonly rows: readonly AskedRow[]; readonly mappings: readonly Mapping[] },
  decisions: readonly Decision[],
): Promise<Decided> {
  const now = clock.now()
  const { registry, sources } = await database.read(async (read) => ({
    registry: await loadRegistry(read),
    sources: await findSources(read, accountId, decisions, now),
  }))
  const judged = judgeDecisions(decisions, {
    rows: rowsFor(rows, userType),
    userType,
    registry,
    sources,
    answered: new Map(mappings.filter(isAnswered).map((mapping) => [mapping.requestFieldId, mapping])),
    caps,
    now,
  })
  if (!judged.ok) throw refuseDecisions(judged.refusal)
  demandClearFiles({ caps }, registry, judged.value)
  return { registry, planned: judged.value }
}

async function findSources(
  read: Read,
  accountId: Customer['accountId'],
  decisions: readonly Decision[],
  now: Instant,
): Promise<ReadonlyMap<string, Source>> {
  const sources = new Map<string, Source>()
  for (const text of sourceIdsOf(decisions)) {
    const id = parseUuid<FieldId>(text)
    const field = id === null ? null : await findContactField(read, accountId, id)
    const value = id === null ? null : await findVaultValue(read, accountId, id)
    if (field === null || value === null) continue
    sources.set(text, { field, value, attestation: liveAttestation(value.attestation, now) })
  }
  return sources
}

/**
 * Holds the values behind the decisions until the transaction ends, in the order of their fields: see [Note: value lock].
 * False when one must be judged again. One that the device has sealed is refused then: it sealed what is no longer there.
 */
export async function holdSources(tx: Tx, { accountId }: Customer, planned: readonly Planned[]): Promise<boolean> {
  // Several decisions may name one field, and not all of them bring a value.
  const judged = Map.groupBy(planned, ({ source }) => source?.value.fieldId ?? null)
  let isSame = true
  for (const fieldId of [...judged.keys()].filter((id) => id !== null).toSorted()) {
    const present = await lockVaultValue(tx, accountId, fieldId)
    for (const { source, content } of judged.get(fieldId) ?? []) {
      const isSealed = content.from === 'wrapper' || content.from === 'sealed_file'
      if (isSealed && present?.rev !== source?.value.rev) throw refuse('company_connections.source_changed')
      isSame &&= present !== null && isUnchanged(present, source?.value)
    }
  }
  return isSame
}

function isUnchanged(present: VaultValue, judged: VaultValue | undefined): boolean {
  const [now, then] = [present.attestation, judged?.attestation ?? null]
  return present.rev === judged?.rev && now?.hash === then?.hash && now?.verifiedAt === then?.verifiedAt
}

export interface Numbered {
  readonly rev: number
  readonly at: Instant
}

/** What the service's side is told of a decision. */
export function answerOf(
  { row, live, source, content }: Planned,
  file: MadeFile | null,
  { rev, at }: Numbered,
): SlotAnswer {
  return {
    request_field_id: row.id,
    rev,
    live,
    is_private: source?.value.isPrivate ?? false,
    value: content.from === 'wrapper' ? content.wrapper : null,
    file: file === null ? null : showFile(file),
    attested: showAttestation(source?.attestation ?? null),
    at: formatInstant(at),
  }
}

/** What is remembered of it here. */
export function mappingOf({ row, kind, live, source }: Planned, { rev, at }: Numbered): Answered {
  return {
    state: 'answered',
    requestFieldId: requestFieldId(row),
    kind,
    live,
    sourceFieldId: source?.value.fieldId ?? null,
    rev,
    providedAt: at,
  }
}

export function showFile({ form, contentType, sha256, bytes }: MadeFile) {
  return { form, content_type: contentType, sha256, bytes }
}

export function showAttestation(attestation: Source['attestation']): Attested | null {
  if (attestation === null) return null
  const { hash, salt, verifiedAt, expiresAt, source } = attestation
  return {
    verified_hash: hash,
    verified_salt: salt,
    verified_at: formatInstant(verifiedAt),
    verified_expires_at: expiresAt === null ? null : formatInstant(expiresAt),
    verified_method: source?.method ?? null,
    verified_provider: source?.provider ?? null,
    verification_id: source?.verificationId ?? null,
  }
}

export function requestFieldId({ id }: Pick<AskedRow, 'id'>): RequestFieldId {
  const parsed = parseUuid<RequestFieldId>(id)
  if (parsed === null) throw new Error(`a request row has no readable id: ${id}`)
  return parsed
}
