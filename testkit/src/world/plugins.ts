import { type Asker, busSettings, openAsker, parseParty, partiesOf } from '@sealpost/bus'
import { readSettings } from '@sealpost/kernel'
import { type PluginDescription, regionsSetting, storeRefreshAsk } from '@sealpost/protocol'
import { fixedIds } from '../fixed.ts'
import { bodyOf } from '../people/call.ts'
import { membersOf } from '../sharing/members.ts'
import type { Company } from './account.ts'
import { nextAccountSecrets } from './key-ring.ts'
import type { Place } from './place.ts'

/** The end of the bus that a forwarder has, under its own login. It closes with the file. */
export function openForwarderBus(place: Place): Asker {
  const { REGIONS, ...bus } = readSettings(
    { REGIONS: regionsSetting({ about: 'of the installation' }), ...busSettings },
    { ...place.environment.eu, NATS_KEYS: place.isolated.forwarderKeys.reveal() },
  )
  const { clock, telemetry } = place
  const askTimeoutMs = bus.ASK_TIMEOUT_MS
  const asker = openAsker({ parties: partiesOf(REGIONS, bus), telemetry, ids: fixedIds(clock, 77), askTimeoutMs })
  place.onEnd(() => asker.close())
  return asker
}

export interface MadePlugin {
  readonly pluginId: string
  readonly description: PluginDescription
}

let plugins = 0

/** A plugin of the company at an address of its own. */
export async function addPlugin(company: Pick<Company, 'portal'>, members: object = {}): Promise<string> {
  plugins += 1
  const body = { base_url: `https://plugin-${plugins}.sealpost.example`, ...members }
  const { plugin } = await bodyOf(company.portal('POST', '/api/account/plugins', { body }), 201)
  return String(membersOf(plugin)['id'])
}

/** A plugin whose description the forwarder has fetched: a rate of one country, which needs an amount. */
export async function describedPlugin(
  forwarder: Asker,
  company: Pick<Company, 'portal' | 'companyId' | 'region'>,
  changed: Partial<PluginDescription> = {},
): Promise<MadePlugin> {
  const pluginId = await addPlugin(company)
  const { keys } = await nextAccountSecrets()
  const description: PluginDescription = {
    name: 'Rates',
    public_key: keys.publicKey,
    field_types: [
      {
        key: 'rate',
        label: 'Rate',
        blocks: [{ key: 'country', kind: 'search_select', label: 'Country' }],
        inputs: [{ key: 'amount', type: 'number', label: 'Amount', required: true }],
        outputs: [{ key: 'percent', type: 'number', label: 'Percent' }],
      },
      {
        key: 'country',
        label: 'Country',
        blocks: [{ key: 'country', kind: 'search_select', label: 'Country' }],
        inputs: [{ key: 'hint', type: 'text', label: 'Hint', required: false }],
        outputs: [{ key: 'code', type: 'text', label: 'Code' }],
      },
    ],
    ...changed,
  }
  const body = { company_id: company.companyId, plugin_id: pluginId, outcome: { ok: true as const, description } }
  await forwarder.ask(storeRefreshAsk, { to: parseParty(company.region), id: `refresh:${pluginId}`, body })
  return { pluginId, description }
}
