import type { Attestation } from '@sealpost/field-types'
import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { holdAccount } from '../account/index.ts'
import { type ContactField, holdContactField, loadRegistry, mayFill } from '../registry/index.ts'
import { demandShares, digestOf, judgeShares, type JudgedShare, strangeHandle, type ValueEdit } from './edit.ts'
import { keepObject } from './garbage/index.ts'
import type { LiveSlot, PreparedFile, Share } from './hooks.ts'
import type { VaultNeeds } from './needs.ts'
import { discardLater, storeAnswer } from './objects.ts'
import { nameValue } from './read-value.ts'
import { invalid, refuseValue } from './refusals.ts'
import { type Judged, judgeValue, laneOf, nameOf, type UserType } from './rules.ts'
import { takeShare } from './store/shares.ts'
import type { WrittenValue } from './store/value-row.ts'
import { findValueRow, insertValue, lockValueRow, type NewValue, replaceValue } from './store/values.ts'
import type { StagedFile, VaultContent, VaultValue } from './value.ts'

export interface ValueOwner {
  readonly accountId: UserId
  readonly userType: UserType
}

/** How often somebody else may be quicker before the caller hears of it. */
const ROUNDS = 5

/** Files are stored before the transaction that names them; what it finds changed since then is prepared again. */
export async function putValue(
  needs: VaultNeeds,
  owner: ValueOwner,
  field: ContactField,
  edit: ValueEdit,
): Promise<VaultValue> {
  if (!mayFill(field, owner.userType)) throw invalid('/path/fieldId', `is not a field of a ${owner.userType}`)
  for (let round = 0; round < ROUNDS; round += 1) {
    const draft = await judgeEdit(needs, owner, field, edit)
    if ('unchanged' in draft) return draft.unchanged
    const prepared = { ...draft, ...(await prepareFiles(needs, owner, field, draft)) }
    const written = await needs.database.transaction((tx) => writeValue(needs, tx, { owner, field, edit }, prepared))
    if (written !== null) return written
  }
  throw new Error(`the value of field ${field.id} could not be written: it kept changing`)
}

interface Draft {
  readonly isPrivate: boolean
  readonly judged: Judged
  readonly shares: readonly JudgedShare[]
  readonly callSha256: string
}

interface PreparedDraft extends Draft {
  readonly content: VaultContent
  readonly sealedFiles: ReadonlyMap<string, StagedFile>
  readonly clearFiles: readonly PreparedFile[]
}

interface Asked {
  readonly owner: ValueOwner
  readonly field: ContactField
  readonly edit: ValueEdit
}

/** Everything that can be refused without storing a file. */
async function judgeEdit(
  { database, caps, hooks }: VaultNeeds,
  { accountId, userType }: ValueOwner,
  field: ContactField,
  edit: ValueEdit,
): Promise<Draft | { readonly unchanged: VaultValue }> {
  const { registry, before, slots } = await database.read(async (read) => ({
    registry: await loadRegistry(read),
    before: await findValueRow(read, accountId, field.id),
    slots: await hooks.liveSlots(read, accountId, field.id),
  }))
  const isPrivate = choosePrivacy(userType, edit.isPrivate, before)
  const judged = judgeValue({ registry, type: field.type, userType, isPrivate, value: edit.value, caps })
  if (!judged.ok) throw refuseValue(judged.refusal, '/body/value')
  const callSha256 = digestOf(judged.value.text, isPrivate, edit.shares)
  if (before?.callSha256 === callSha256) return { unchanged: nameValue(before, field) }
  const shares = judgeShares(edit.shares, judged.value, laneOf(registry, field.type), caps)
  if (judged.value.form !== 'clear_file') demandShares(slots, shares)
  return { isPrivate, judged: judged.value, shares, callSha256 }
}

function choosePrivacy(userType: UserType, wanted: boolean | undefined, before: WrittenValue | null): boolean {
  if (userType === 'person') return wanted ?? before?.isPrivate ?? true
  if (wanted === true) throw invalid('/body/is_private', 'must be false: the values of a company are not private')
  return false
}

async function prepareFiles(
  needs: VaultNeeds,
  { accountId }: ValueOwner,
  { id: fieldId }: ContactField,
  { judged: { form, text }, shares }: Draft,
): Promise<Pick<PreparedDraft, 'content' | 'sealedFiles' | 'clearFiles'>> {
  const nothing = { sealedFiles: new Map(), clearFiles: [] }
  if (form === 'wrapper') return { content: { kind: 'sealed', wrapper: text }, ...nothing }
  if (form === 'text') return { content: { kind: 'plain', text }, ...nothing }
  const isSealed = form === 'sealed_file'
  const own = await storeAnswer(needs, isSealed, text)
  const content = { kind: 'object', form: isSealed ? 'sealed' : 'clear', ...own } as const
  if (!isSealed) {
    return {
      ...nothing,
      content,
      clearFiles: await needs.hooks.prepareClearFiles({ accountId, fieldId, envelope: text }),
    }
  }
  const sealedFiles = new Map<string, StagedFile>()
  for (const share of shares) {
    const { content: sealed } = share
    if (sealed.kind === 'sealed_file') sealedFiles.set(nameOf(share), await storeAnswer(needs, true, sealed.text))
  }
  return { ...nothing, content, sealedFiles }
}

/** Null when something has changed since the files were prepared. Nothing is written then. */
async function writeValue(
  needs: VaultNeeds,
  tx: Tx,
  { owner: { accountId, userType }, field, edit }: Asked,
  draft: PreparedDraft,
): Promise<VaultValue | null> {
  if (!(await holdAccount(tx, accountId))) throw refuse('auth.token_invalid')
  const held = await holdContactField(tx, accountId, field.id)
  if (held === null) throw refuse('request.not_found')
  const before = await lockValueRow(tx, accountId, field.id)
  if (before?.callSha256 === draft.callSha256) return nameValue(before, held)
  const isStale = held.type !== field.type || choosePrivacy(userType, edit.isPrivate, before) !== draft.isPrivate
  const slots = await needs.hooks.liveSlots(tx, accountId, field.id)
  const clearFiles = pickFiles(slots, draft)
  if (isStale || clearFiles === null) return null
  const at = needs.clock.now()
  const { content, isPrivate, callSha256 } = draft
  const attestation = keptAttestation(before, content)
  const fresh: NewValue = { accountId, fieldId: field.id, isPrivate, content, callSha256, attestation, at }
  const rev = before === null ? await insertValue(tx, fresh) : await replaceValue(tx, fresh)
  if (rev === null) return null
  if (content.kind === 'object') await keepObject(tx, content.objectKey)
  if (before?.content.kind === 'object') await discardLater(tx, [before.content.objectKey], at)
  const value = nameValue({ ...fresh, rev, updatedAt: at }, held)
  const shares = await takeShares(tx, { accountId, fieldId: field.id, at }, draft)
  for (const { objectKey } of clearFiles) await keepObject(tx, objectKey)
  await needs.hooks.onValueChanged(tx, { accountId, fieldId: field.id, value, shares, files: clearFiles, at })
  const isPlain = content.kind === 'plain' || before?.content.kind === 'plain'
  if (isPlain) await needs.hooks.onPlainValueChanged(tx, { accountId, fieldId: field.id })
  return value
}

/** The prepared files of the slots that are live now; null when one is missing. Those of others are garbage. */
function pickFiles(slots: readonly LiveSlot[], draft: PreparedDraft): readonly PreparedFile[] | null {
  if (draft.judged.form !== 'clear_file') {
    demandShares(slots, draft.shares)
    return []
  }
  const prepared = new Map(draft.clearFiles.map((file) => [nameOf(file), file]))
  const files = slots.flatMap((slot) => prepared.get(nameOf(slot)) ?? [])
  return files.length === slots.length ? files : null
}

/** Sealing is never the same twice: the same wrapper is the same value. */
function keptAttestation(before: WrittenValue | null, content: VaultContent): Attestation | null {
  return before !== null && isSame(before.content, content) ? before.attestation : null
}

function isSame(one: VaultContent, other: VaultContent): boolean {
  if (one.kind === 'object') return other.kind === 'object' && one.sha256 === other.sha256
  return JSON.stringify(one) === JSON.stringify(other)
}

async function takeShares(
  tx: Tx,
  { accountId, fieldId, at }: Pick<NewValue, 'accountId' | 'fieldId' | 'at'>,
  { shares, sealedFiles }: PreparedDraft,
): Promise<readonly Share[]> {
  const taken: Share[] = []
  for (const [place, share] of shares.entries()) {
    const { connectionId, slug, content } = share
    if (content.kind === 'wrapper') {
      taken.push({ connectionId, slug, value: content.text, file: null })
      continue
    }
    const stored = sealedFiles.get(nameOf(share)) ?? null
    if (stored !== null) await keepObject(tx, stored.objectKey)
    const file = content.kind === 'staged' ? await takeShare(tx, { accountId, fieldId, id: content.id }, at) : stored
    if (file === null) throw strangeHandle(`/body/shares/${place}`)
    taken.push({ connectionId, slug, value: null, file })
  }
  return taken
}
