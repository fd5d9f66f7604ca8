import type { Attestation } from '@sealpost/field-types'
import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { findAccount, holdAccount } from '../../account/index.ts'
import { CODE_TRIES } from '../../mail/index.ts'
import { type ContactField, loadRegistry } from '../../registry/index.ts'
import type { VaultNeeds } from '../needs.ts'
import { lockVaultValue } from '../read-value.ts'
import { invalid } from '../refusals.ts'
import { setAttestation } from '../store/values.ts'
import {
  countTry,
  lockVerification,
  markConfirmed,
  putVerification,
  type Verification,
} from '../store/verifications.ts'
import type { VaultValue } from '../value.ts'
import { platformEmail } from './platform-email.ts'
import type { Proof, Proven, VerificationProvider } from './provider.ts'
import { signedStatement } from './signed-statement.ts'

export interface BegunVerification {
  readonly id: string
  readonly provider: string
  readonly challenge: string | null
  readonly providerUrl: string | null
  readonly expiresAt: Instant
}

export async function beginVerification(
  needs: VaultNeeds,
  accountId: UserId,
  field: ContactField,
  wanted: string,
): Promise<BegunVerification> {
  const provider = demandProvider(needs, wanted)
  const id = needs.ids.uuid()
  return needs.database.transaction(async (tx) => {
    const isHeld = await holdAccount(tx, accountId)
    const account = isHeld ? await findAccount(tx, accountId) : null
    if (account === null) throw refuse('auth.token_invalid')
    const refusal = provider.refusal(await loadRegistry(tx), field.type)
    if (refusal !== null) throw invalid('/body/provider', refusal)
    const { providerUrl, ...beginning } = await provider.begin(tx, { id, account })
    const name = { accountId, fieldId: field.id, id, provider: provider.name, fieldType: field.type }
    await putVerification(tx, { ...name, ...beginning })
    const { challenge, expiresAt } = beginning
    return { id, provider: provider.name, challenge, providerUrl, expiresAt }
  })
}

export interface Confirmation {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly id: string
  readonly proof: Proof
}

/** A try is counted before it is judged, so that guesses made at the same time count, too. */
export async function confirmVerification(needs: VaultNeeds, confirmation: Confirmation): Promise<VaultValue> {
  const { proof } = confirmation
  if ((proof.code === undefined) === (proof.statement === undefined)) {
    throw invalid('/body', 'needs either code or statement')
  }
  const now = needs.clock.now()
  const verification = await needs.database.transaction((tx) => takeTry(tx, confirmation, now))
  const provider = demandProvider(needs, verification.provider)
  const proven = await provider.prove(verification, proof, now)
  if (proven === null) throw wrongProof(proof)
  return needs.database.transaction((tx) => attach(needs, tx, { confirmation, provider, proven, now }))
}

async function takeTry(tx: Tx, { proof, ...name }: Confirmation, now: Instant): Promise<Verification> {
  const found = await lockVerification(tx, name)
  if (found === null) throw refuse('request.not_found')
  if (now >= found.expiresAt || found.tries >= CODE_TRIES) throw wrongProof(proof)
  await countTry(tx, found)
  return found
}

interface Attaching {
  readonly confirmation: Confirmation
  readonly provider: VerificationProvider
  readonly proven: Proven
  readonly now: Instant
}

/** Once: the same proof again finds its work done, but never brings back what has been lost since. */
async function attach(
  { hooks }: VaultNeeds,
  tx: Tx,
  { confirmation: { proof, ...name }, provider, proven, now }: Attaching,
): Promise<VaultValue> {
  const { accountId, fieldId, id } = name
  if (!(await holdAccount(tx, accountId))) throw refuse('auth.token_invalid')
  const value = await lockVaultValue(tx, accountId, fieldId)
  const verification = await lockVerification(tx, name)
  if (value === null || verification === null) throw refuse('request.not_found')
  // A field without a value may change its type: what was verified for the old one says nothing about the new.
  if (value.type !== verification.fieldType) throw wrongProof(proof)
  if (verification.confirmedAt !== null) {
    if (value.attestation?.source?.verificationId === id) return value
    throw wrongProof(proof)
  }
  const source = { method: provider.method, provider: provider.name, verificationId: id }
  const attestation: Attestation = { ...proven, source }
  await markConfirmed(tx, verification, now)
  await setAttestation(tx, value, attestation)
  await hooks.onAttestationChanged(tx, { accountId, fieldId, attestation, at: now })
  return { ...value, attestation }
}

/** What was said about the value is taken back; the value stays. Nothing to take back is no error. */
export async function loseAttestation(
  { database, clock, hooks }: Pick<VaultNeeds, 'database' | 'clock' | 'hooks'>,
  accountId: UserId,
  fieldId: FieldId,
  isLost: (attestation: Attestation) => boolean = () => true,
): Promise<void> {
  const at = clock.now()
  await database.transaction(async (tx) => {
    if (!(await holdAccount(tx, accountId))) return
    const value = await lockVaultValue(tx, accountId, fieldId)
    if (value === null || value.attestation === null || !isLost(value.attestation)) return
    await setAttestation(tx, value, null)
    await hooks.onAttestationChanged(tx, { accountId, fieldId, attestation: null, at })
  })
}

function demandProvider(needs: VaultNeeds, name: string): VerificationProvider {
  const all = [platformEmail(needs), ...needs.verifiers.map((verifier) => signedStatement(needs, verifier))]
  const provider = all.find((known) => known.name === name)
  if (provider !== undefined) return provider
  throw invalid('/body/provider', `must be one of ${all.map((known) => known.name).join(', ')}`)
}

function wrongProof({ code }: Proof): Error {
  return code === undefined
    ? invalid('/body/statement', 'does not prove this verification, or was used, or is too old; begin again')
    : invalid('/body/code', 'is wrong or no longer good; begin again')
}
