import type { Attestation } from '@sealpost/field-types'
import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { findAccount, lockAccountForShare } from '../../../account/index.ts'
import { CODE_TRIES } from '../../../mail/index.ts'
import { type ContactField, loadRegistry } from '../../../registry/index.ts'
import type { VaultContext } from '../../context.ts'
import type { VaultValue } from '../../model.ts'
import { lockVaultValue } from '../../operations/read-value.ts'
import { invalid } from '../../rules/refusals.ts'
import { setAttestation } from '../../store/values.ts'
import { begunVerificationToWire } from '../../wire.ts'
import type { BegunVerification, Confirmation, Proof, Proven, Verification, VerificationProvider } from '../model.ts'
import { countTry, lockVerification, markConfirmed, putVerification } from '../store/verifications.ts'
import { platformEmail } from './platform-email.ts'
import { platformSms } from './platform-sms.ts'
import { signedStatement } from './signed-statement.ts'

const NOTHING_SENT = { keyId: null, hash: null, email: null, textSalt: null, textHash: null }

export async function beginVerification(
  vault: VaultContext,
  accountId: UserId,
  field: ContactField,
  wanted: { readonly provider: string; readonly phone: string | null },
): Promise<BegunVerification> {
  const provider = requireProvider(vault, wanted.provider)
  const id = vault.ids.uuid()
  return vault.database.transaction(async (tx) => {
    const isLocked = await lockAccountForShare(tx, accountId)
    const account = isLocked ? await findAccount(tx, accountId) : null
    if (account === null) throw refuse('auth.token_invalid')
    const refusal = provider.refusal(await loadRegistry(tx), field.type)
    if (refusal !== null) throw invalid('/body/provider', refusal)
    const { providerUrl, challenge, expiresAt, sent } = await provider.begin(tx, { id, account, phone: wanted.phone })
    const name = { accountId, fieldId: field.id, id, provider: provider.name, fieldType: field.type }
    await putVerification(tx, { ...name, challenge, expiresAt, ...NOTHING_SENT, ...sent })
    const begun = { id, provider: provider.name, challenge, providerUrl, expiresAt }
    await tx.storeAnswer(begunVerificationToWire(begun))
    return begun
  })
}

/** Counts the try in a transaction of its own before it checks the proof, so that concurrent guesses count, too. */
export async function confirmVerification(vault: VaultContext, confirmation: Confirmation): Promise<VaultValue> {
  const { proof } = confirmation
  if ((proof.code === undefined) === (proof.statement === undefined)) {
    throw invalid('/body', 'needs either code or statement')
  }
  const now = vault.clock.now()
  const verification = await vault.database.transaction((tx) => takeTry(tx, confirmation, now))
  const provider = requireProvider(vault, verification.provider)
  const proven = await provider.prove(verification, proof, now)
  if (proven === null) throw wrongProof(proof)
  return vault.database.transaction((tx) => attest(vault, tx, { confirmation, provider, proven, now }))
}

async function takeTry(tx: Tx, { proof, ...name }: Confirmation, now: Instant): Promise<Verification> {
  const found = await lockVerification(tx, name)
  if (found === null) throw refuse('request.not_found')
  if (now >= found.expiresAt || found.tries >= CODE_TRIES) throw wrongProof(proof)
  await countTry(tx, found)
  return found
}

interface Proved {
  readonly confirmation: Confirmation
  readonly provider: VerificationProvider
  readonly proven: Proven
  readonly now: Instant
}

/** A verification attests once: repeating the proof answers the attested value, but never restores a lost attestation. */
async function attest(
  { hooks }: VaultContext,
  tx: Tx,
  { confirmation: { proof, ...name }, provider, proven, now }: Proved,
): Promise<VaultValue> {
  const { accountId, fieldId, id } = name
  if (!(await lockAccountForShare(tx, accountId))) throw refuse('auth.token_invalid')
  const value = await lockVaultValue(tx, accountId, fieldId)
  const verification = await lockVerification(tx, name)
  if (value === null || verification === null) throw refuse('request.not_found')
  // A field without a value may change its type; a proof for the old type says nothing about the new one.
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

/** Removes the attestation of a value; the value stays. Idempotent. */
export async function withdrawAttestation(
  { database, clock, hooks }: Pick<VaultContext, 'database' | 'clock' | 'hooks'>,
  accountId: UserId,
  fieldId: FieldId,
  isMeant: (attestation: Attestation) => boolean = () => true,
): Promise<void> {
  const at = clock.now()
  await database.transaction(async (tx) => {
    if (!(await lockAccountForShare(tx, accountId))) return
    const value = await lockVaultValue(tx, accountId, fieldId)
    if (value === null || value.attestation === null || !isMeant(value.attestation)) return
    await setAttestation(tx, value, null)
    await hooks.onAttestationChanged(tx, { accountId, fieldId, attestation: null, at })
  })
}

function requireProvider(vault: VaultContext, name: string): VerificationProvider {
  const external = vault.settings.VERIFIERS.map((verifier) => signedStatement(vault, verifier))
  const own = [platformEmail(vault), ...(vault.settings.SMS_URL === null ? [] : [platformSms(vault)])]
  const all = [...own, ...external]
  const provider = all.find((known) => known.name === name)
  if (provider !== undefined) return provider
  throw invalid('/body/provider', `must be one of ${all.map((known) => known.name).join(', ')}`)
}

function wrongProof({ code }: Proof): Error {
  return code === undefined
    ? invalid('/body/statement', 'does not prove this verification, or was used, or has expired; begin again')
    : invalid('/body/code', 'is wrong or has expired; begin again')
}
