import type { FileCaps, Lane } from '@sealpost/field-types'
import { type ConnectionId, parseUuid } from '@sealpost/kernel'
import type { ApiError } from '@sealpost/protocol'
import type { LiveSlot, SlotName } from '../model.ts'
import { invalid, refuseShares, refuseValue } from './refusals.ts'
import { type ValidatedValue, validateSealedFile, validateWrapper } from './values.ts'

export interface GivenShare {
  readonly connectionId: ConnectionId
  readonly slug: string
  readonly value: unknown
  readonly file: string | undefined
  readonly senderSignature: string | null
}

/** A share that has the right form: a wrapper for the row, the sealed text of a file, or the id of a staged file. */
export interface ValidatedShare {
  readonly connectionId: ConnectionId
  readonly slug: string
  readonly senderSignature: string | null
  readonly content:
    | { readonly kind: 'wrapper'; readonly text: string }
    | { readonly kind: 'sealed_file'; readonly text: string }
    | { readonly kind: 'staged'; readonly id: string }
}

const HANDLE = 'sh_'

/** The name of a staged file on the wire. */
export function handleOf(id: string): string {
  return `${HANDLE}${id}`
}

/** Validates the form of the shares that come with a value. */
export function validateShares(
  shares: readonly GivenShare[],
  { form }: Pick<ValidatedValue, 'form'>,
  lane: Lane,
  caps: FileCaps,
): readonly ValidatedShare[] {
  if (form === 'clear_file' && shares.length > 0) {
    throw invalid('/body/shares', 'must be empty: the platform itself shares a file in the clear')
  }
  return shares.map((share, place) => {
    const content = validateShare(share, `/body/shares/${place}`, form === 'sealed_file' ? { lane, caps } : null)
    const { connectionId, slug, senderSignature } = share
    return { connectionId, slug, senderSignature, content }
  })
}

/** `file`: null where the field is no file. */
function validateShare(
  { value, file: handle }: GivenShare,
  path: string,
  file: { readonly lane: Lane; readonly caps: FileCaps } | null,
): ValidatedShare['content'] {
  if ((value === undefined) === (handle === undefined)) throw invalid(path, 'needs either value or file')
  if (handle !== undefined) {
    const id = parseUuid(handle.slice(HANDLE.length))
    if (file === null) throw invalid(`${path}/file`, 'is for files; send the wrapper as value')
    if (id === null) throw unknownHandle(path)
    return { kind: 'staged', id }
  }
  const validated = file === null ? validateWrapper(value) : validateSealedFile(value, file.lane, file.caps)
  if (!validated.ok) throw refuseValue(validated.refusal, `${path}/value`)
  return { kind: file === null ? 'wrapper' : 'sealed_file', text: validated.value.text }
}

export function unknownHandle(path: string): ApiError {
  return invalid(`${path}/file`, 'is no staged file of this field, or was used, or has expired; stage it again')
}

/** Refuses an edit unless it has exactly one share for every live slot. */
export function requireShares(slots: readonly LiveSlot[], shares: readonly ValidatedShare[]): void {
  const { missing, unknown } = matchShares(slots, shares)
  const [first] = unknown
  if (first !== undefined) {
    throw invalid(`/body/shares/${first}`, 'names no slot that this field feeds, or one that an earlier share names')
  }
  if (missing.length > 0) throw refuseShares(missing)
}

export interface ShareMatch {
  /** Live slots without a share. */
  readonly missing: readonly SlotName[]
  /** Places of shares that name no live slot, or one that an earlier share names. */
  readonly unknown: readonly number[]
}

export function matchShares(slots: readonly SlotName[], shares: readonly SlotName[]): ShareMatch {
  const open = new Map(slots.map((slot) => [slotKey(slot), slot]))
  const unknown = shares.flatMap((share, place) => (open.delete(slotKey(share)) ? [] : [place]))
  return { missing: [...open.values()], unknown }
}

/** A text that is the same for the same slot. */
export function slotKey({ connectionId, slug }: SlotName): string {
  return `${connectionId} ${slug}`
}
