import type { FieldId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type FieldUsertype, refuse } from '@sealpost/protocol'
import { holdAccount, lockAccount } from '../account/index.ts'
import { type ContactField, findPlatformField, isPlatformSlug, platformFields } from './catalog.ts'
import type { RegistryNeeds } from './needs.ts'
import { slugFor } from './rules.ts'
import {
  deleteOwnField,
  deleteOwnFields,
  findOwnField,
  insertOwnField,
  listOwnFields,
  lockOwnField,
  type OwnField,
  queueForNames,
  shareOwnField,
  updateOwnField,
} from './store/fields.ts'
import { loadRegistry } from './types.ts'

export { mayFill } from './rules.ts'

/** Lists are answered from memory, and a profile with more fields than this is not filled by people. */
const MOST_OWN_FIELDS = 200

/** Platform fields first, then the account's own, each oldest first. */
export async function listContactFields(
  read: Read,
  accountId: UserId,
  usertype?: FieldUsertype,
): Promise<readonly ContactField[]> {
  const all = [...platformFields, ...(await listOwnFields(read, accountId))]
  return usertype === undefined ? all : all.filter((field) => field.usertype === usertype)
}

/** Null for an unknown field and for somebody else's. */
export async function findContactField(read: Read, accountId: UserId, id: FieldId): Promise<ContactField | null> {
  return findPlatformField(id) ?? (await findOwnField(read, accountId, id))
}

/** The same for the transaction that stores a value: the field stays as it is until that ends. */
export async function holdContactField(tx: Tx, accountId: UserId, id: FieldId): Promise<ContactField | null> {
  return findPlatformField(id) ?? (await shareOwnField(tx, accountId, id))
}

/** The account is gone. Its values end by the vault's own hook. */
export async function forgetContactFields(tx: Tx, accountId: UserId): Promise<void> {
  await lockAccount(tx, accountId)
  await deleteOwnFields(tx, accountId)
}

export interface WantedField {
  /** Made from the label when absent. */
  readonly slug: string | undefined
  readonly label: string
  readonly type: string
  readonly usertype: FieldUsertype
}

export async function createField(
  { database, clock, ids }: RegistryNeeds,
  owner: UserId,
  wanted: WantedField,
  storeAnswer: (tx: Tx, field: ContactField) => Promise<void>,
): Promise<ContactField> {
  const id = ids.uuid<FieldId>()
  return database.transaction(async (tx) => {
    await queueForNames(tx, owner)
    if (!(await holdAccount(tx, owner))) throw refuse('auth.token_invalid')
    await demandType(tx, wanted.type)
    const own = await listOwnFields(tx, owner)
    if (own.length >= MOST_OWN_FIELDS) throw invalid('', `an account has at most ${MOST_OWN_FIELDS} fields of its own`)
    const slug = wanted.slug ?? slugFor(wanted.label, new Set(own.map((field) => field.slug)))
    const field: OwnField = { ...wanted, slug, id, isSystem: false, owner }
    if (isPlatformSlug(slug) || !(await insertOwnField(tx, field, clock.now()))) throw slugTaken()
    await storeAnswer(tx, field)
    return field
  })
}

export type FieldChange = Partial<Pick<ContactField, 'slug' | 'label' | 'type' | 'usertype'>>

export async function changeField(
  { database, hooks }: RegistryNeeds,
  owner: UserId,
  id: FieldId,
  change: FieldChange,
): Promise<ContactField> {
  return database.transaction(async (tx) => {
    await queueForNames(tx, owner)
    const before = await lockOwnField(tx, owner, id)
    if (before === null) throw refuse('request.not_found')
    const after: OwnField = { ...before, ...change }
    if (after.type !== before.type) await demandType(tx, after.type)
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
  { database, clock, hooks }: RegistryNeeds,
  owner: UserId,
  id: FieldId,
): Promise<void> {
  await database.transaction(async (tx) => {
    // Before anything of it, as an erasure does.
    if (!(await holdAccount(tx, owner))) throw refuse('auth.token_invalid')
    if ((await lockOwnField(tx, owner, id)) === null) throw refuse('request.not_found')
    await hooks.onFieldDeleted(tx, { accountId: owner, fieldId: id, at: clock.now() })
    await deleteOwnField(tx, owner, id)
  })
}

async function demandType(tx: Tx, type: string): Promise<void> {
  const registry = await loadRegistry(tx)
  if (!registry.nodes.has(type)) throw invalid('/type', 'is not a type of GET /api/contact-field-types')
}

function slugTaken(): Error {
  return invalid('/slug', 'belongs to another field; choose another')
}

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/body${path}`, message }] })
}
