import { createHash } from 'node:crypto'
import type { FileCaps, Lane } from '@sealpost/field-types'
import { type ConnectionId, parseUuid } from '@sealpost/kernel'
import type { ApiError } from '@sealpost/protocol'
import type { LiveSlot } from './hooks.ts'
import { invalid, refuseShares, refuseValue } from './refusals.ts'
import { type Judged, judgeSealedFile, judgeWrapper, matchShares } from './rules.ts'

/** What a caller wants a field to hold, and the shares of it. */
export interface ValueEdit {
  readonly value: unknown
  readonly isPrivate: boolean | undefined
  readonly shares: readonly ShareText[]
}

export interface ShareText {
  readonly connectionId: ConnectionId
  readonly slug: string
  readonly value: unknown
  readonly file: string | undefined
}

/** A share that has the right form: a wrapper for the row, the sealed text of a file, or the id of a staged one. */
export interface JudgedShare {
  readonly connectionId: ConnectionId
  readonly slug: string
  readonly content:
    | { readonly kind: 'wrapper'; readonly text: string }
    | { readonly kind: 'sealed_file'; readonly text: string }
    | { readonly kind: 'staged'; readonly id: string }
}

const HANDLE = 'sh_'

export function nameHandle(id: string): string {
  return `${HANDLE}${id}`
}

export function judgeShares(
  shares: readonly ShareText[],
  judged: Judged,
  lane: Lane,
  caps: FileCaps,
): readonly JudgedShare[] {
  if (judged.form === 'clear_file' && shares.length > 0) {
    throw invalid('/body/shares', 'must be empty: the platform shares a file in the clear by itself')
  }
  return shares.map((share, place) => {
    const isFile = judged.form === 'sealed_file'
    const content = judgeShare(share, `/body/shares/${place}`, isFile ? { lane, caps } : null)
    return { connectionId: share.connectionId, slug: share.slug, content }
  })
}

/** `file`: null where the field is no file. */
function judgeShare(
  { value, file: handle }: ShareText,
  path: string,
  file: { readonly lane: Lane; readonly caps: FileCaps } | null,
): JudgedShare['content'] {
  if ((value === undefined) === (handle === undefined)) throw invalid(path, 'needs either value or file')
  if (handle !== undefined) {
    const id = parseUuid(handle.slice(HANDLE.length))
    if (file === null) throw invalid(`${path}/file`, 'is for files; send the wrapper as value')
    if (id === null) throw strangeHandle(path)
    return { kind: 'staged', id }
  }
  const judged = file === null ? judgeWrapper(value) : judgeSealedFile(value, file.lane, file.caps)
  if (!judged.ok) throw refuseValue(judged.refusal, `${path}/value`)
  return { kind: file === null ? 'wrapper' : 'sealed_file', text: judged.value.text }
}

export function strangeHandle(path: string): ApiError {
  return invalid(`${path}/file`, 'is no staged file of this field, or was used, or is too old; stage it again')
}

/** Refuses an edit that leaves a live slot out, or names what is none. */
export function demandShares(slots: readonly LiveSlot[], shares: readonly JudgedShare[]): void {
  const { missing, strange } = matchShares(slots, shares)
  const [first] = strange
  if (first !== undefined) throw invalid(`/body/shares/${first}`, 'names no slot that this field feeds, or one twice')
  if (missing.length > 0) throw refuseShares(missing)
}

/** The same for the same call, so that one repeated after a lost answer is recognised. */
export function digestOf(text: string, isPrivate: boolean, shares: readonly ShareText[]): string {
  const hash = createHash('sha256').update(`${isPrivate} ${text.length} `).update(text)
  for (const { connectionId, slug, value, file } of shares) {
    hash.update(JSON.stringify([connectionId, slug, file ?? null, typeof value === 'string' ? value : null]))
  }
  return hash.digest('hex')
}
