import type { Registry } from '@sealpost/field-types'
import { type FieldId, type Instant, parseUuid } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type AskedRow, type Decision, refuse } from '@sealpost/protocol'
import { fileCaps } from '../../../../settings.ts'
import { findContactField, loadRegistry } from '../../../registry/index.ts'
import { findVaultValue, liveAttestation, lockVaultValue, type VaultValue } from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Customer, Mapping } from '../model.ts'
import { type Planned, type Source, sourceIdsOf, validateDecisions } from '../rules/decisions.ts'
import { refuseDecisions } from '../rules/refusals.ts'
import { isAnswered } from '../rules/remap.ts'
import { rowsFor } from '../rules/rows.ts'
import { requireClearFiles } from './make-file.ts'

export interface PreparedDecisions {
  readonly registry: Registry
  readonly planned: readonly Planned[]
}

/** Validates decisions against the request rows and the vault; throws the refusal. */
export async function prepareDecisions(
  context: CustomerContext,
  { accountId, userType }: Customer,
  { rows, mappings }: { readonly rows: readonly AskedRow[]; readonly mappings: readonly Mapping[] },
  decisions: readonly Decision[],
): Promise<PreparedDecisions> {
  const now = context.clock.now()
  const caps = fileCaps(context.settings)
  const { registry, sources } = await context.database.read(async (read) => ({
    registry: await loadRegistry(read),
    sources: await findSources(read, accountId, decisions, now),
  }))
  const validated = validateDecisions(decisions, {
    rows: rowsFor(rows, userType),
    userType,
    registry,
    sources,
    answered: new Map(mappings.filter(isAnswered).map((mapping) => [mapping.requestFieldId, mapping])),
    caps,
    now,
  })
  if (!validated.ok) throw refuseDecisions(validated.refusal)
  requireClearFiles(caps, registry, validated.value)
  return { registry, planned: validated.value }
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
 * Locks the values behind the decisions in the order of their field ids; see [Note: value lock]. False when a value has
 * changed and the decisions must be validated again. Throws a refusal if the device sealed an older value.
 */
export async function lockSources(tx: Tx, { accountId }: Customer, planned: readonly Planned[]): Promise<boolean> {
  // Several decisions may name one field, with or without a value.
  const byField = Map.groupBy(planned, ({ source }) => source?.value.fieldId ?? null)
  let isSame = true
  for (const fieldId of [...byField.keys()].filter((id) => id !== null).toSorted()) {
    const present = await lockVaultValue(tx, accountId, fieldId)
    for (const { source, content } of byField.get(fieldId) ?? []) {
      const isSealed = content.from === 'wrapper' || content.from === 'sealed_file'
      if (isSealed && present?.rev !== source?.value.rev) throw refuse('company_connections.source_changed')
      isSame &&= present !== null && isUnchanged(present, source?.value)
    }
  }
  return isSame
}

function isUnchanged(present: VaultValue, validated: VaultValue | undefined): boolean {
  const [now, then] = [present.attestation, validated?.attestation ?? null]
  return present.rev === validated?.rev && now?.hash === then?.hash && now?.verifiedAt === then?.verifiedAt
}
