import { createKeyRing, type KeyRing } from '@sealpost/access-token'
import { type Party, parseParty } from '@sealpost/bus'
import { createBoundedCache } from '@sealpost/kernel'
import { startLoop } from '@sealpost/process'
import { listPassKeysAsk } from '@sealpost/protocol'
import type { Platform } from '../../platform/module.ts'
import type { Pass, Passes } from './model.ts'
import { verifyPass } from './operations/verify-pass.ts'

/** A withdrawn key ends its passes after this time, and they would end by themselves after ten minutes. */
const RELOAD_EVERY_MS = 60_000
const REMEMBERED = 20_000

export function openPasses(platform: Platform): Passes {
  const { settings, clock, asker, telemetry } = platform
  const seen = createBoundedCache<string, Pass>({ most: REMEMBERED })
  const openRing = (region: Party): KeyRing => {
    const loadKeys = async () => (await asker.ask(listPassKeysAsk, { to: region, body: {} })).keys
    return createKeyRing({ clock, loadKeys }, () => seen.clear())
  }
  const rings = new Map(
    settings.REGIONS.map(({ code }) => parseParty(code)).map((region) => [region, openRing(region)] as const),
  )
  const loop = startLoop({
    name: 'reading the keys of passes',
    log: telemetry.log,
    everyMs: RELOAD_EVERY_MS,
    async work() {
      // A region that is away keeps its keys until it is back.
      await Promise.allSettled([...rings.values()].map((ring) => ring.reload()))
    },
  })
  const expected = { issuer: settings.FRONT_DOOR_URL, audience: settings.PUBLIC_URL, clock, rings }
  return {
    verify: (text) => verifyPass(expected, seen, text),
    close: () => loop.close(),
  }
}
