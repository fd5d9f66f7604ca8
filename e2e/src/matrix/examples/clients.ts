import type { Examples, Making, Parts } from '../example.ts'
import { callAs, requireAs, type WorldOwner } from '../owners.ts'
import { addApp, appBody, REDIRECT_URI } from '../sign-in.ts'

const accountClientBody = { name: 'Made for a cell', capabilities: ['oauth_apps'] }

export const clientExamples: Examples = {
  'account_clients.create': { make: () => ({ body: accountClientBody }) },
  'account_clients.change_capabilities': {
    make: async ({ owner }) => ({ params: await freshAccountClient(owner), body: { capabilities: [] } }),
  },
  'account_clients.regenerate_secret': { make: async ({ owner }) => ({ params: await freshAccountClient(owner) }) },
  'account_clients.delete': { make: async ({ owner }) => ({ params: await freshAccountClient(owner) }) },

  'services.create_client': {
    make: async ({ owner }) => {
      await callAs(owner, 'DELETE', spareClient(owner))
      return { params: spare(owner), body: {} }
    },
  },
  'services.read_client': { make: withSpareClient() },
  'services.change_client': { make: withSpareClient({ redirect_uri: REDIRECT_URI }) },
  'services.delete_client': { make: withSpareClient() },
  'services.regenerate_client_secret': { make: withSpareClient() },

  'oauth_apps.create': { make: ({ owner }) => ({ body: appBody(owner) }) },
  'oauth_apps.read': { make: async ({ owner }) => ({ params: await freshApp(owner) }) },
  'oauth_apps.change': {
    make: async ({ owner }) => ({ params: await freshApp(owner), body: { name: 'Renamed' } }),
  },
  'oauth_apps.regenerate_secret': { make: async ({ owner }) => ({ params: await freshApp(owner) }) },
  'oauth_apps.delete': { make: async ({ owner }) => ({ params: await freshApp(owner) }) },
}

async function freshAccountClient(owner: WorldOwner): Promise<{ readonly id: string }> {
  const made = await requireAs(owner, 'POST', '/api/account/clients', accountClientBody)
  return { id: String(made['client_id']) }
}

async function freshApp(owner: WorldOwner): Promise<{ readonly id: string }> {
  return { id: (await addApp(owner)).clientId }
}

/** The client of the spare service is created and deleted: no token of the matrix depends on it. */
function withSpareClient(body?: Parts['body']): (making: Making) => Promise<Parts> {
  return async ({ owner }) => {
    await callAs(owner, 'POST', spareClient(owner), {})
    return { params: spare(owner), ...(body === undefined ? {} : { body }) }
  }
}

function spare(owner: WorldOwner): { readonly id: string } {
  return { id: owner.spareServiceId ?? '' }
}

function spareClient(owner: WorldOwner): string {
  return `/api/services/${owner.spareServiceId}/client`
}
