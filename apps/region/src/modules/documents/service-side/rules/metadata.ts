import { accept, decline, type Result } from '@sealpost/kernel'
import type { DocumentKind, DocumentMetadata } from '@sealpost/protocol'

export interface MemberProblem {
  readonly path: string
  readonly message: string
}

type Given = Readonly<Record<string, unknown>>

const LARGEST_BYTES = 16 * 1024
const LONGEST_NOTICE_DAYS = 3650
const TEXTS: readonly string[] = [
  'plan_name',
  'price',
  'currency',
  'renewal_term',
  'renewal_date',
  'valid_until',
  'management_url',
]

/** Merges by key; null removes a member. A contract says whether its customer may cancel it: a subscription unless stated. */
export function mergeMetadata(
  kind: DocumentKind,
  before: Given,
  changes: Given,
): Result<DocumentMetadata, MemberProblem> {
  const merged = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null && value !== undefined),
  )
  const { can_be_cancelled_in_app: given = kind === 'subscription', ...others } = merged
  if (typeof given !== 'boolean') return misfit('can_be_cancelled_in_app', 'must be true or false')
  const metadata: DocumentMetadata = { ...others, can_be_cancelled_in_app: given }
  const problem = problemOf(metadata)
  return problem === null ? accept(metadata) : problem
}

function problemOf(metadata: Given): Result<never, MemberProblem> | null {
  const { cancel_notice_days: days } = metadata
  if (days !== undefined && !isNotice(days))
    return misfit('cancel_notice_days', `must be a whole number from 0 to ${LONGEST_NOTICE_DAYS}`)
  const wrong = TEXTS.find((name) => metadata[name] !== undefined && typeof metadata[name] !== 'string')
  if (wrong !== undefined) return misfit(wrong, 'must be a text')
  if (JSON.stringify(metadata).length > LARGEST_BYTES)
    return decline({ path: '/body/metadata', message: `must not have more than ${LARGEST_BYTES} characters` })
  return null
}

function isNotice(days: unknown): boolean {
  return typeof days === 'number' && Number.isInteger(days) && days >= 0 && days <= LONGEST_NOTICE_DAYS
}

function misfit(name: string, message: string): Result<never, MemberProblem> {
  return decline({ path: `/body/metadata/${name}`, message })
}

/** Days from a cancellation to its effect. */
export function noticeDays({ cancel_notice_days: days = 0 }: DocumentMetadata): number {
  return days
}
