import { type Bus, busMigrations, openBus, type Parties, type Party } from '@sealpost/bus'
import { listPassKeysAsk, openPluginAsk, type RefreshOutcome, refuse, storeRefreshAsk } from '@sealpost/protocol'
import { openTables } from '@sealpost/testkit'

export interface PeerPlugin {
  readonly companyId: string
  readonly baseUrl: string | null
  readonly builtinKey: string | null
  readonly token: string | null
  publicKey: string | null
  /** What the forwarder has sent to be stored. */
  readonly refreshes: RefreshOutcome[]
}

/** The region's end of the contract, on a real bus: it knows plugins and keys, and stores what it is told. */
export interface RegionPeer {
  readonly plugins: Map<string, PeerPlugin>
  keys: readonly Record<string, string>[]
  /** Asks that have arrived, by command. */
  readonly asked: string[]
  readonly bus: Bus
}

export async function openRegionPeer(self: Party, parties: Parties): Promise<RegionPeer> {
  const tables = await openTables('bus', busMigrations)
  const bus = openBus({ ...tables, self, parties, roles: { relay: false, inbox: false, responder: true } })
  const peer: RegionPeer = { plugins: new Map(), keys: [], asked: [], bus }
  const find = (command: string, body: { company_id: string; plugin_id: string }): PeerPlugin => {
    peer.asked.push(command)
    const plugin = peer.plugins.get(body.plugin_id)
    if (plugin?.companyId !== body.company_id) throw refuse('plugin.not_found')
    return plugin
  }
  bus.onRead(listPassKeysAsk, () => Promise.resolve({ keys: [...peer.keys] }))
  bus.onRead(openPluginAsk, async ({ body }) => {
    const { baseUrl, builtinKey, token, publicKey } = find(openPluginAsk.command, body)
    return { base_url: baseUrl, builtin_key: builtinKey, token, public_key: publicKey }
  })
  bus.onAsk(storeRefreshAsk, async (_tx, { body }) => {
    const plugin = find(storeRefreshAsk.command, body)
    plugin.refreshes.push(body.outcome)
    if (body.outcome.ok) plugin.publicKey = body.outcome.description.public_key
    const error = body.outcome.ok ? null : body.outcome.error
    return {
      plugin: { id: body.plugin_id, name: body.outcome.ok ? body.outcome.description.name : '', last_error: error },
    }
  })
  await bus.start()
  return peer
}
