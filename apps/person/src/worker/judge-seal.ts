import { type SealedAct, type SealProblem, verifySealedPdf } from '@sealpost/sdk'

export type SealProblemKey = SealProblem | 'other_document' | 'no_roots'

/** What this device found out about the seal of a PDF, without asking the platform. */
export interface SealView {
  readonly isValid: boolean
  readonly problems: readonly SealProblemKey[]
  readonly sealedBy: string | null
  readonly sealedAt: string | null
  /** Who confirmed the time; null when it is the word of the sealing party. */
  readonly timeBy: string | null
  readonly acts: readonly SealedAct[]
}

/** With the app itself, not from the API: the platform seals, so it must not choose who is believed. */
const ROOTS = '/seal-roots.pem'

/** `sealedId`: what the seal must name. */
export async function judgeSeal(pdf: Uint8Array, sealedId: string): Promise<SealView> {
  const roots = await readRoots()
  const { problems, seal } = await verifySealedPdf(pdf, { certificates: roots ?? [] })
  const found = problems.map(({ problem }) => problem)
  // Without certificates every seal is untrusted, which says nothing about this one.
  const own = roots === null ? found.filter((problem) => !problem.startsWith('untrusted_')) : found
  const isOther = seal !== null && seal.document?.id !== sealedId
  const all = [
    ...own,
    ...(isOther ? ['other_document' as const] : []),
    ...(roots === null ? ['no_roots' as const] : []),
  ]
  return {
    isValid: all.length === 0,
    problems: all,
    sealedBy: seal === null ? null : (seal.sealedBy.organization ?? seal.sealedBy.name),
    sealedAt: timeOf(seal?.sealedAt ?? null),
    timeBy: seal?.timestamp?.authority.name ?? null,
    acts: seal?.acts ?? [],
  }
}

/** Null where the site has none. */
async function readRoots(): Promise<string | null> {
  // oxlint-disable-next-line sealpost/egress -- in a browser, to the own origin only
  const answer = await fetch(ROOTS).catch(() => null)
  return answer?.ok === true ? answer.text() : null
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
