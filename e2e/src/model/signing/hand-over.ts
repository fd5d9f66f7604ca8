import { createCryptoPlatform, generateOneTimeKey, importOneTimeKey, sealOnce } from '@sealpost/crypto'
import type { Calls } from '@sealpost/testkit'
import type { Outcome } from '../flows/doors/door.ts'
import type { Play, Running } from '../flows/play.ts'

const platform = createCryptoPlatform(globalThis)

/** Texts under one fresh key. */
export async function newKey() {
  const otk = generateOneTimeKey(platform)
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) throw new Error('a one-time key cannot be used')
  const seal = (text: string) => sealOnce(platform, key.value, Uint8Array.from(Buffer.from(text)))
  return { otk: otk.reveal(), seal }
}

export const RUNS = '/api/company-data/flow-runs'

/** The calls of a party's user, and the path of the run for them. */
export function callsOf({ cast, lane }: Play, party: string, runId: string): { calls: Calls; path: string } {
  const customer = cast.customers.get(party)
  if (customer === undefined) return { calls: lane.service.data, path: `${RUNS}/${runId}` }
  const { account, connectionId } = customer
  return { calls: account.calls, path: `/api/company-connections/${connectionId}/flow-runs/${runId}` }
}

export async function post(play: Running, party: string, below: string, body: object): Promise<Outcome> {
  const { calls, path } = callsOf(play, party, play.runId)
  return outcomeOf(calls('POST', `${path}${below}`, { body }))
}

export async function outcomeOf(answering: ReturnType<Calls>): Promise<Outcome> {
  const { status, body } = await answering
  if (status < 300) return { ok: true, body }
  return { ok: false, key: String(body['error_key']), status, body }
}
