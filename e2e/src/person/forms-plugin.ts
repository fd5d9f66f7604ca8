import { createPrivateKey, fieldType, openPlugin } from '@sealpost/plugin-kit'
import { AccountClient } from '@sealpost/sdk'
import type { World } from '@sealpost/testkit'
import type { BrowserContext } from 'playwright-core'
import { FORWARDER_URL, type ForwarderSite, openForwarderSite } from '../plugins/forwarder-site.ts'
import type { Forms } from './forms.ts'

const TOKEN = 'a-token-of-the-company'
const STREETS: Readonly<Record<string, readonly string[]>> = {
  se: ['Storgatan', 'Nygatan'],
  de: ['Hauptstraße'],
}

/** Countries, then streets of the country; heavy parcels go to Sweden only. */
const place = fieldType({
  key: 'place',
  label: 'Place',
  inputs: { weight: { type: 'number', label: 'Weight', required: true } },
  blocks: {
    country: {
      kind: 'search_select',
      label: 'Country',
      options: ({ inputs }) => [
        { id: 'se', label: 'Sweden' },
        ...(Number(inputs['weight']) <= 20 ? [{ id: 'de', label: 'Germany' }] : []),
      ],
    },
    street: {
      kind: 'search_select',
      label: 'Street',
      dependsOn: ['country'],
      options: ({ picks }) => (STREETS[picks['country'] ?? ''] ?? []).map((name) => ({ id: name, label: name })),
    },
    floor: { kind: 'number', label: 'Floor' },
  },
  outputs: { fee: { type: 'number', label: 'Fee' } },
  compute: ({ inputs: { weight }, values }) => ({ fee: weight * 2 + values['floor'] }),
})

/** The plugin behind a real forwarder; the company has registered it. */
export async function openPlace(
  world: World,
  { service }: Forms,
): Promise<ForwarderSite & { readonly pluginId: string }> {
  const plugin = await openPlugin({ name: 'Places', key: await createPrivateKey(), token: TOKEN, fieldTypes: [place] })
  const site = await openForwarderSite(world, plugin)
  const account = new AccountClient({ accessToken: () => Promise.resolve(service.company), fetch: site.fetch })
  const { plugin: made } = await account.plugins.create({ base_url: site.pluginUrl, token: TOKEN })
  const { last_error: error } = await account.plugins.refresh(made.id)
  if (error !== null) throw new Error(`the plugin was not described: ${error}`)
  return { ...site, pluginId: made.id }
}

/** Leads a browser from the public address of the forwarder to this machine. */
export async function routeForwarder(context: BrowserContext, site: ForwarderSite): Promise<void> {
  await context.route(`${FORWARDER_URL}/**`, async (route) => {
    const request = route.request()
    const url = request.url().replace(FORWARDER_URL, site.url)
    const response = await route.fetch({ url })
    site.carried.push(request.postData() ?? '', await response.text())
    await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } })
  })
}
