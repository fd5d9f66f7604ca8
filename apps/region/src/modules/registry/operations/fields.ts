import type { FieldId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type FieldUsertype, refuse } from '@sealpost/protocol'
import { lockAccountForShare, lockAccount } from '../../account/index.ts'
import type { RegistryContext } from '../context.ts'
import type { ContactField, OwnField } from '../model.ts'
import { slugFor } from '../rules/fields.ts'
import { findPlatformField, isPlatformSlug, platformFields } from '../rules/platform-fields.ts'
import {
  deleteOwnField,
  deleteOwnFields,
  findOwnField,
  insertOwnField,
  listOwnFields,
  lockOwnField,
  lockOwnFieldForShare,
  lockSlugs,
  updateOwnField,
} from '../store/fields.ts'
import { fieldToWire } from '../wire.ts'
import { loadRegistry } from './types.ts'

/** Lists are answered from memory. */
const MAX_OWN_FIELDS = 200

/** Platform fields first, then the account's own, each oldest first. */
export async function listContactFields(
  read: Read,
  accountId: UserId,
  usertype?: FieldUsertype,
): Promise<readonly ContactField[]> {
  const all = [...platformFields, ...(await listOwnFields(read, accountId))]
  return usertype === undefined ? all : all.filter((field) => field.usertype === usertype)
}

/** Null for an unknown field and for another account's. */
export async function findContactField(read: Read, accountId: UserId, id: FieldId): Promise<ContactField | null> {
  return findPlatformField(id) ?? (await findOwnField(read, accountId, id))
}

/** FOR SHARE: a transaction that stores a value keeps the field unchanged until it ends. */
export async function lockContactFieldForShare(tx: Tx, accountId: UserId, id: FieldId): Promise<ContactField | null> {
  return findPlatformField(id) ?? (await lockOwnFieldForShare(tx, accountId, id))
}

/** Part of the erasure of an account; the vault deletes the values. */
export async function deleteContactFields(tx: Tx, accountId: UserId): Promise<void> {
  await lockAccount(tx, accountId)
  await deleteOwnFields(tx, accountId)
}

export interface WantedField {
  /** Absent: made from the label. */
  readonly slug: string | undefined
  readonly label: string
  readonly type: string
  readonly usertype: FieldUsertype
}

export async function createField(
  { database, clock, ids }: RegistryContext,
  owner: UserId,
  wanted: WantedField,
): Promise<ContactField> {
  const id = ids.uuid<FieldId>()
  return database.transaction(async (tx) => {
    await lockSlugs(tx, owner)
    if (!(await lockAccountForShare(tx, owner))) throw refuse('auth.token_invalid')
    await requireType(tx, wanted.type)
    const own = await listOwnFields(tx, owner)
    if (own.length >= MAX_OWN_FIELDS)
      throw invalid('', `an account has at most ${MAX_OWN_FIELDS} fields of its own; delete one first`)
    const slug = wanted.slug ?? slugFor(wanted.label, new Set(own.map((field) => field.slug)))
    const field: OwnField = { ...wanted, slug, id, isSystem: false, owner }
    if (isPlatformSlug(slug) || !(await insertOwnField(tx, field, clock.now()))) throw slugTaken()
    await tx.storeAnswer(fieldToWire(field))
    return field
  })
}

export type FieldChange = Partial<Pick<ContactField, 'slug' | 'label' | 'type' | 'usertype'>>

export async function changeField(
  { database, hooks }: RegistryContext,
  owner: UserId,
  id: FieldId,
  change: FieldChange,
): Promise<ContactField> {
  return database.transaction(async (tx) => {
    await lockSlugs(tx, owner)
    const before = await lockOwnField(tx, owner, id)
    if (before === null) throw refuse('request.not_found')
    const after: OwnField = { ...before, ...change }
    if (after.type !== before.type) await requireType(tx, after.type)
    const fixed = (['type', 'usertype'] as const).find((member) => after[member] !== before[member])
    if (fixed !== undefined && (await hooks.hasValue(tx, owner, id))) {
      throw invalid(`/${fixed}`, 'cannot change once the field holds a value; add another field instead')
    }
    if (isPlatformSlug(after.slug) || !(await updateOwnField(tx, after))) throw slugTaken()
    if (after.slug !== before.slug || after.label !== before.label)
      await hooks.onFieldChanged(tx, { accountId: owner, fieldId: id })
    return after
  })
}

export async function deleteField(
  { database, clock, hooks }: RegistryContext,
  owner: UserId,
  id: FieldId,
): Promise<void> {
  await database.transaction(async (tx) => {
    // The account first: the same lock order as its erasure.
    if (!(await lockAccountForShare(tx, owner))) throw refuse('auth.token_invalid')
    if ((await lockOwnField(tx, owner, id)) === null) throw refuse('request.not_found')
    await hooks.onFieldDeleted(tx, { accountId: owner, fieldId: id, at: clock.now() })
    await deleteOwnField(tx, owner, id)
  })
}

async function requireType(tx: Tx, type: string): Promise<void> {
  const registry = await loadRegistry(tx)
  if (!registry.nodes.has(type)) throw invalid('/type', 'is not a type of GET /api/contact-field-types')
}

function slugTaken(): Error {
  return invalid('/slug', 'belongs to another field; choose another')
}

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/body${path}`, message }] })
}
