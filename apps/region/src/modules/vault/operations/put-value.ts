import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { fileCaps } from '../../../settings.ts'
import { lockAccountForShare } from '../../account/index.ts'
import { type ContactField, loadRegistry, lockContactFieldForShare, mayFill } from '../../registry/index.ts'
import type { VaultContext } from '../context.ts'
import { keepObject, supersedeObject } from '../garbage/index.ts'
import type {
  LiveSlot,
  PreparedFile,
  Share,
  StagedFile,
  StoredValue,
  UserType,
  VaultContent,
  VaultValue,
} from '../model.ts'
import { invalid, refuseValue } from '../rules/refusals.ts'
import {
  type GivenShare,
  requireShares,
  slotKey,
  unknownHandle,
  type ValidatedShare,
  validateShares,
} from '../rules/shares.ts'
import { keptAttestation, laneOf, validateFiles, validateForm, type ValidatedValue } from '../rules/values.ts'
import { takeShare } from '../store/shares.ts'
import { findValueRow, insertValue, lockValueRow, type NewValue, replaceValue } from '../store/values.ts'
import { sha256OfTexts } from './file-answer.ts'
import { storeFile } from './files.ts'
import { nameValue } from './read-value.ts'
import { countStored, requireRoom } from './stored-bytes.ts'

export interface ValueOwner {
  readonly accountId: UserId
  readonly userType: UserType
}

/** The wanted value of a field, and the shares of it. */
export interface ValueEdit {
  readonly value: unknown
  readonly isPrivate: boolean | undefined
  readonly shares: readonly GivenShare[]
}

/** How often concurrent changes may overtake the call before it fails. */
const ATTEMPTS = 5

/** Stores files before the transaction that names them; if the transaction finds a concurrent change, it starts again. */
export async function putValue(
  vault: VaultContext,
  owner: ValueOwner,
  field: ContactField,
  edit: ValueEdit,
): Promise<VaultValue> {
  if (!mayFill(field, owner.userType)) throw invalid('/path/fieldId', `is not a field of a ${owner.userType}`)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const draft = await validateEdit(vault, owner, field, edit)
    if ('unchanged' in draft) return draft.unchanged
    const prepared = { ...draft, ...(await prepareFiles(vault, owner, field, draft)) }
    const written = await vault.database.transaction((tx) => writeValue(vault, tx, { owner, field, edit }, prepared))
    if (written !== null) return written
  }
  throw new Error(`the value of field ${field.id} could not be written: it kept changing`)
}

interface Draft {
  readonly isPrivate: boolean
  readonly validated: ValidatedValue
  readonly shares: readonly ValidatedShare[]
  readonly callSha256: string
  /** Of the file that the new one replaces. */
  readonly beforeBytes: number
}

interface PreparedDraft extends Draft {
  readonly content: VaultContent
  readonly sealedFiles: ReadonlyMap<string, StagedFile>
  readonly clearFiles: readonly PreparedFile[]
}

interface Edit {
  readonly owner: ValueOwner
  readonly field: ContactField
  readonly edit: ValueEdit
}

/** Refuses everything that can be refused before a file is stored. */
async function validateEdit(
  { database, settings, hooks }: VaultContext,
  { accountId, userType }: ValueOwner,
  field: ContactField,
  edit: ValueEdit,
): Promise<Draft | { readonly unchanged: VaultValue }> {
  const { registry, before, slots } = await database.read(async (read) => ({
    registry: await loadRegistry(read),
    before: await findValueRow(read, accountId, field.id),
    slots: await hooks.liveSlots(read, accountId, field.id),
  }))
  const caps = fileCaps(settings)
  const isPrivate = choosePrivacy(userType, edit.isPrivate, before)
  const given = { registry, type: field.type, userType, isPrivate, value: edit.value, caps }
  const formed = validateForm(given)
  if (!formed.ok) throw refuseValue(formed.refusal, '/body/value')
  await nextTurn()
  const validated = validateFiles(given, formed.value)
  if (!validated.ok) throw refuseValue(validated.refusal, '/body/value')
  await nextTurn()
  const callSha256 = await digestCall(validated.value.text, isPrivate, edit.shares)
  if (before?.callSha256 === callSha256) return { unchanged: nameValue(before, field) }
  const shares = validateShares(edit.shares, validated.value, laneOf(registry, field.type), caps)
  if (validated.value.form !== 'clear_file') requireShares(slots, shares)
  return { isPrivate, validated: validated.value, shares, callSha256, beforeBytes: bytesOf(before?.content) }
}

function choosePrivacy(
  userType: UserType,
  wanted: boolean | undefined,
  before: Pick<StoredValue, 'isPrivate'> | null,
): boolean {
  if (userType === 'person') return wanted ?? before?.isPrivate ?? true
  if (wanted === true) throw invalid('/body/is_private', 'must be false: the values of a company are not private')
  return false
}

/** Equal for a repeated call, so that a repeat after a lost answer is recognised. */
function digestCall(text: string, isPrivate: boolean, shares: readonly GivenShare[]): Promise<string> {
  return sha256OfTexts(textsOfCall(text, isPrivate, shares))
}

function* textsOfCall(text: string, isPrivate: boolean, shares: readonly GivenShare[]): Generator<string> {
  yield `${isPrivate} ${text.length} `
  yield text
  for (const { connectionId, slug, value, file, senderSignature } of shares) {
    const sealed = typeof value === 'string' ? value : null
    yield JSON.stringify([connectionId, slug, file ?? null, sealed, senderSignature])
  }
}

async function prepareFiles(
  vault: VaultContext,
  { accountId }: ValueOwner,
  { id: fieldId }: ContactField,
  { validated: { form, text }, shares, beforeBytes }: Draft,
): Promise<Pick<PreparedDraft, 'content' | 'sealedFiles' | 'clearFiles'>> {
  const noFiles = { sealedFiles: new Map(), clearFiles: [] }
  if (form === 'wrapper') return { content: { kind: 'sealed', wrapper: text }, ...noFiles }
  if (form === 'text') return { content: { kind: 'plain', text }, ...noFiles }
  const isSealed = form === 'sealed_file'
  await vault.database.read((read) => requireRoom(vault, read, accountId, Buffer.byteLength(text) - beforeBytes))
  const own = await storeFile(vault, isSealed, text)
  const content = { kind: 'object', form: isSealed ? 'sealed' : 'clear', ...own } as const
  if (!isSealed) {
    const clearFiles = await vault.hooks.prepareClearFiles({ accountId, fieldId, envelope: text })
    return { ...noFiles, content, clearFiles }
  }
  const sealedFiles = new Map<string, StagedFile>()
  for (const share of shares) {
    const { content: sealed } = share
    if (sealed.kind === 'sealed_file') sealedFiles.set(slotKey(share), await storeFile(vault, true, sealed.text))
  }
  return { ...noFiles, content, sealedFiles }
}

/** Null when a concurrent change made the prepared files stale; nothing is written then. */
async function writeValue(
  vault: VaultContext,
  tx: Tx,
  { owner: { accountId, userType }, field, edit }: Edit,
  draft: PreparedDraft,
): Promise<VaultValue | null> {
  if (!(await lockAccountForShare(tx, accountId))) throw refuse('auth.token_invalid')
  const locked = await lockContactFieldForShare(tx, accountId, field.id)
  if (locked === null) throw refuse('request.not_found')
  const before = await lockValueRow(tx, accountId, field.id)
  if (before?.callSha256 === draft.callSha256) return nameValue(before, locked)
  const isStale = locked.type !== field.type || choosePrivacy(userType, edit.isPrivate, before) !== draft.isPrivate
  const slots = await vault.hooks.liveSlots(tx, accountId, field.id)
  const clearFiles = pickFiles(slots, draft)
  if (isStale || clearFiles === null) return null
  const at = vault.clock.now()
  const { content, isPrivate, callSha256 } = draft
  const attestation = keptAttestation(before, content)
  const fresh: NewValue = { accountId, fieldId: field.id, isPrivate, content, callSha256, attestation, at }
  const rev = before === null ? await insertValue(tx, fresh) : await replaceValue(tx, fresh)
  if (rev === null) return null
  if (content.kind === 'object') await keepObject(tx, content.objectKey)
  if (before?.content.kind === 'object')
    await supersedeObject(vault, tx, before.content.objectKey, { subjectId: accountId, partId: field.id })
  await countStored(vault, tx, accountId, bytesOf(content) - bytesOf(before?.content))
  const value = nameValue({ ...fresh, rev, updatedAt: at }, locked)
  const shares = await takeShares(tx, { accountId, fieldId: field.id, at }, draft)
  for (const { objectKey } of clearFiles) await keepObject(tx, objectKey)
  await vault.hooks.onValueChanged(tx, { accountId, fieldId: field.id, value, shares, files: clearFiles, at })
  const isPlain = content.kind === 'plain' || before?.content.kind === 'plain'
  if (isPlain) await vault.hooks.onPlainValueChanged(tx, { accountId, fieldId: field.id })
  if (userType === 'person') await vault.hooks.onOwnValueChanged(tx, { accountId, fieldId: field.id })
  return value
}

function bytesOf(content: VaultContent | undefined): number {
  return content?.kind === 'object' ? content.bytes : 0
}

/** The prepared files of the slots that are live now; null when one is missing. Files of other slots stay garbage. */
function pickFiles(slots: readonly LiveSlot[], draft: PreparedDraft): readonly PreparedFile[] | null {
  if (draft.validated.form !== 'clear_file') {
    requireShares(slots, draft.shares)
    return []
  }
  const prepared = new Map(draft.clearFiles.map((file) => [slotKey(file), file]))
  const files = slots.flatMap((slot) => prepared.get(slotKey(slot)) ?? [])
  return files.length === slots.length ? files : null
}

async function takeShares(
  tx: Tx,
  { accountId, fieldId, at }: Pick<NewValue, 'accountId' | 'fieldId' | 'at'>,
  { shares, sealedFiles }: PreparedDraft,
): Promise<readonly Share[]> {
  const taken: Share[] = []
  for (const [place, share] of shares.entries()) {
    const { connectionId, slug, content, senderSignature } = share
    if (content.kind === 'wrapper') {
      taken.push({ connectionId, slug, value: content.text, file: null, senderSignature })
      continue
    }
    const stored = sealedFiles.get(slotKey(share)) ?? null
    if (stored !== null) await keepObject(tx, stored.objectKey)
    const file = content.kind === 'staged' ? await takeShare(tx, { accountId, fieldId, id: content.id }, at) : stored
    if (file === null) throw unknownHandle(`/body/shares/${place}`)
    taken.push({ connectionId, slug, value: null, file, senderSignature })
  }
  return taken
}
