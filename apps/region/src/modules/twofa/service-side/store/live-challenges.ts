import { createHash } from 'node:crypto'
import { type Clock, instant, parseUuid } from '@sealpost/kernel'
import { parseAs, refuse } from '@sealpost/protocol'
import type { RedisConnection } from '@sealpost/redis'
import Type from 'typebox'
import type { ChallengeId } from '../../model.ts'
import type { LiveChallenges, LiveName } from '../context.ts'
import type { LiveChallenge } from '../model.ts'

const Stored = Type.Object({
  id: Type.String(),
  digits: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.Integer(),
  expiresAt: Type.Integer(),
  fingerprint: Type.String(),
})

/** One entry by key of the caller, one by id: both are written or none is. */
const RAISE = `
local known = redis.call('get', KEYS[1])
if known and cjson.decode(known).expiresAt > tonumber(ARGV[1]) then return known end
redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('set', KEYS[2], ARGV[2], 'PX', ARGV[3])
return ARGV[2]`
const FIND = `return redis.call('get', KEYS[1])`
const REMOVE = `return redis.call('del', unpack(KEYS))`

/** Longer than any lifetime: the clock of the region decides about expiry, not that of Redis. */
const MARGIN_MS = 3_600_000

export function openLiveChallenges(redis: RedisConnection | null, clock: Clock): LiveChallenges {
  const run = { raise: redis?.script(RAISE), find: redis?.script(FIND), remove: redis?.script(REMOVE) }
  return {
    async raise(name, fresh) {
      const ttl = fresh.expiresAt - fresh.createdAt + MARGIN_MS
      const args = [String(clock.now()), JSON.stringify(fresh), String(ttl)]
      return read(await reach(run.raise?.([keyOf(name), idOf(fresh.id)], args)))
    },
    async find(id) {
      const text = await reach(run.find?.([idOf(id)], []))
      return text === null ? null : read(text)
    },
    async remove(id, name) {
      const keys = [idOf(id), ...(name === null ? [] : [keyOf(name)])]
      await run.remove?.(keys, []).catch(() => {})
    },
  }
}

/** Redis that is away, slow or read-only leaves nothing known. */
async function reach(running: Promise<unknown> | undefined): Promise<unknown> {
  if (running === undefined) throw refuse('twofa.unavailable')
  try {
    return await running
  } catch {
    throw refuse('twofa.unavailable')
  }
}

function read(text: unknown): LiveChallenge {
  const stored = parseAs(Stored, JSON.parse(String(text)), 'twofa.live_challenge')
  return {
    ...stored,
    // Written by `raise` alone.
    id: asChallengeId(stored.id),
    createdAt: instant(stored.createdAt),
    expiresAt: instant(stored.expiresAt),
  }
}

function keyOf({ serviceId, idempotencyKey }: LiveName): string {
  return `twofa:key:${serviceId}:${createHash('sha256').update(idempotencyKey).digest('hex')}`
}

function idOf(id: ChallengeId): string {
  return `twofa:id:${id}`
}

function asChallengeId(text: string): ChallengeId {
  const id = parseUuid<ChallengeId>(text)
  if (id === null) throw new Error('invalid id of a challenge in Redis')
  return id
}
