import { setTimeout as pause } from 'node:timers/promises'
import type { Answer } from '@sealpost/testkit'
import type { GatedLoad } from '../inject-faults.ts'
import { type Contract, DOCUMENTS, type Offered } from './contracts.ts'

/** What callers saw. */
export interface Tally {
  done: number
  /** 503, by its key. */
  readonly refused: Map<string, number>
  /** No answer at all. */
  broken: number
  /** 409 because a killed process still claims the Idempotency-Key. */
  claimed: number
  /** Answers that no fault explains. */
  readonly wrong: string[]
  /** A refused act that changed something. */
  halfStates: number
  /** Acts that may begin up to now. */
  allowed: number
  isEnding: boolean
}

export function openTally(): Tally {
  return { done: 0, refused: new Map(), broken: 0, claimed: 0, wrong: [], halfStates: 0, allowed: 0, isEnding: false }
}

export function loadOf(tally: Tally, acts: number): GatedLoad {
  const refusals = (): number => [...tally.refused.values()].reduce((sum, count) => sum + count, 0)
  return {
    total: acts,
    allow(count) {
      tally.allowed = count
    },
    begun: () => tally.done,
    done() {
      if (tally.wrong.length > 0) throw new Error(`a wrong answer: ${tally.wrong[0]}`)
      return tally.done
    },
    troubles: () => tally.broken + refusals(),
    describe: () =>
      `${tally.done} acts, ${refusals()} refused, ${tally.broken} broken, ${tally.halfStates} half states`,
  }
}

const AGAIN_MS = 100
const FIRST = 0

/** Signs the contracts of one worker in turn, each until it is signed. */
export async function signInTurn(tally: Tally, { service, contracts }: Offered): Promise<void> {
  for (const contract of contracts) {
    while (!tally.isEnding && contract.plainSha256 === null) {
      // A gate of the run, so that acts are in flight during every fault.
      if (tally.done >= tally.allowed) await pause(AGAIN_MS)
      else await signOnce(tally, service, contract)
    }
  }
}

async function signOnce(tally: Tally, service: Offered['service'], contract: Contract): Promise<void> {
  const { customer, path, body, key } = contract
  const answer = await customer.calls('POST', `${path}/sign`, { body, key }).catch(() => null)
  if (answer === null) tally.broken += 1
  else if (answer.status === 200) {
    contract.plainSha256 = String(answer.body['plain_sha256'])
    tally.done += 1
    return
  } else if (answer.status === 503) await countRefusal(tally, service, contract, String(answer.body['error_key']))
  // The process with the first call was killed; its claim on the key expires.
  else if (answer.body['error_key'] === 'idempotency.in_progress') tally.claimed += 1
  else tally.wrong.push(`${answer.status} ${answer.text}`)
  await pause(AGAIN_MS)
}

/** Nothing is stored when a seal could not be made; only then the call knows that nothing happened. */
async function countRefusal(
  tally: Tally,
  service: Offered['service'],
  { id, customer, path, contentSha256 }: Contract,
  key: string,
): Promise<void> {
  tally.refused.set(key, (tally.refused.get(key) ?? FIRST) + 1)
  if (key !== 'documents.seal_failed') return
  const copy = await customer.calls('GET', path).catch(() => null)
  const document = await service('GET', `${DOCUMENTS}/${id}`).catch(() => null)
  for (const read of [copy, document]) if (read?.status === 200 && !isUntouched(read)) tally.halfStates += 1
  if (copy?.status === 200 && copy.body['content_sha256'] !== contentSha256) tally.halfStates += 1
}

function isUntouched({ body }: Answer): boolean {
  const { status, signatures, sealed_at: sealedAt } = body
  return status === 'ready_to_sign' && sealedAt === null && Array.isArray(signatures) && signatures.length === 0
}
