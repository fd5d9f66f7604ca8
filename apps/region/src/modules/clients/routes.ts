import {
  changeAccountClient as changeAccountClientOperation,
  changeDataClient as changeDataClientOperation,
  changeOAuthApp,
  createAccountClient as createAccountClientOperation,
  createDataClient as createDataClientOperation,
  createOAuthApp,
  deleteAccountClient as deleteAccountClientOperation,
  deleteDataClient as deleteDataClientOperation,
  deleteOAuthApp,
  listAccountClients as listAccountClientsOperation,
  listOAuthApps,
  readDataClient,
  readOAuthApp,
  refuse,
  regenerateAccountClientSecret as regenerateAccountClientSecretOperation,
  regenerateDataClientSecret as regenerateDataClientSecretOperation,
  regenerateOAuthAppSecret,
} from '@sealpost/protocol'
import type { BindRoute } from '../../platform/bind-route.ts'
import type { Caller } from '../../platform/caller.ts'
import { requireService } from '../services/index.ts'
import type { ClientsContext } from './context.ts'
import type { Actor, Client, OwnService } from './model.ts'
import {
  changeAccountClient,
  createAccountClient,
  deleteAccountClient,
  listAccountClients,
  locateAccountClient,
  regenerateAccountClientSecret,
} from './operations/account-clients.ts'
import {
  changeDataClient,
  createDataClient,
  deleteDataClient,
  locateDataClient,
  regenerateDataClientSecret,
} from './operations/data-clients.ts'
import {
  changeApp,
  createApp,
  deleteApp,
  listOwnApps,
  locateApp,
  regenerateAppSecret,
} from './operations/oauth-apps.ts'
import {
  accountClientToWire,
  appToWire,
  appWithKeyToWire,
  dataClientToWire,
  newAccountClientToWire,
  newAppToWire,
  newDataClientToWire,
  secretToWire,
} from './wire.ts'

export function bindClientRoutes(bind: BindRoute, clients: ClientsContext): void {
  bindAccountClients(bind, clients)
  bindDataClients(bind, clients)
  bindApps(bind, clients)
}

function bindAccountClients(bind: BindRoute, clients: ClientsContext): void {
  bind({
    operation: createAccountClientOperation,
    handle: async ({ caller, body }) =>
      newAccountClientToWire(await createAccountClient(clients, actorOf(caller), body)),
  })
  bind({
    operation: listAccountClientsOperation,
    handle: ({ caller, query }) => listAccountClients(clients, caller.accountId, query),
  })
  bind({
    operation: changeAccountClientOperation,
    locate: ({ caller, params }) => locateAccountClient(clients, caller.accountId, params.id),
    handle: async ({ caller, located, body }) =>
      accountClientToWire(await changeAccountClient(clients, actorOf(caller), located, body)),
  })
  bind({
    operation: regenerateAccountClientSecretOperation,
    locate: ({ caller, params }) => locateAccountClient(clients, caller.accountId, params.id),
    handle: async ({ caller, located }) =>
      secretToWire(await regenerateAccountClientSecret(clients, actorOf(caller), located)),
  })
  bind({
    operation: deleteAccountClientOperation,
    locate: ({ caller, params }) => locateAccountClient(clients, caller.accountId, params.id),
    async handle({ caller, located }) {
      await deleteAccountClient(clients, actorOf(caller), located)
      return undefined
    },
  })
}

function bindDataClients(bind: BindRoute, clients: ClientsContext): void {
  bind({
    operation: createDataClientOperation,
    locate: ({ caller, params }): Promise<OwnService> => requireService(clients.services, caller, params.id),
    handle: async ({ caller, located, body }) =>
      newDataClientToWire(await createDataClient(clients, actorOf(caller), located, body)),
  })
  bind({
    operation: readDataClient,
    locate: ({ caller, params }) => openDataClient(clients, caller, params.id),
    handle: ({ located }) => dataClientToWire(located),
  })
  bind({
    operation: changeDataClientOperation,
    locate: ({ caller, params }) => openDataClient(clients, caller, params.id),
    handle: async ({ caller, located, body }) =>
      dataClientToWire(await changeDataClient(clients, actorOf(caller), located, body)),
  })
  bind({
    operation: regenerateDataClientSecretOperation,
    locate: ({ caller, params }) => openDataClient(clients, caller, params.id),
    handle: async ({ caller, located }) =>
      secretToWire(await regenerateDataClientSecret(clients, actorOf(caller), located)),
  })
  bind({
    operation: deleteDataClientOperation,
    locate: ({ caller, params }) => openDataClient(clients, caller, params.id),
    async handle({ caller, located }) {
      await deleteDataClient(clients, actorOf(caller), located)
      return undefined
    },
  })
}

/** A caller that may not open the service gets its refusal, whether or not it has a client. */
async function openDataClient(clients: ClientsContext, caller: Caller, id: string): Promise<Client> {
  return locateDataClient(clients, await requireService(clients.services, caller, id))
}

function bindApps(bind: BindRoute, clients: ClientsContext): void {
  bind({
    operation: createOAuthApp,
    async handle({ caller, body }) {
      requirePortalForDetached(caller, body)
      const app = await createApp(clients, actorOf(caller), body)
      return newAppToWire(app, app.secret)
    },
  })
  bind({
    operation: listOAuthApps,
    handle: ({ caller, query }) => listOwnApps(clients, caller.accountId, query),
  })
  bind({
    operation: readOAuthApp,
    locate: ({ caller, params }) => locateApp(clients, caller.accountId, params.id),
    handle: ({ located }) => appWithKeyToWire(located),
  })
  bind({
    operation: changeOAuthApp,
    locate: ({ caller, params }) => locateApp(clients, caller.accountId, params.id),
    async handle({ caller, located, body }) {
      requirePortalForDetached(caller, body)
      return appToWire(await changeApp(clients, actorOf(caller), located, body))
    },
  })
  bind({
    operation: regenerateOAuthAppSecret,
    locate: ({ caller, params }) => locateApp(clients, caller.accountId, params.id),
    handle: async ({ caller, located }) => secretToWire(await regenerateAppSecret(clients, actorOf(caller), located)),
  })
  bind({
    operation: deleteOAuthApp,
    locate: ({ caller, params }) => locateApp(clients, caller.accountId, params.id),
    async handle({ caller, located }) {
      await deleteApp(clients, actorOf(caller), located)
      return undefined
    },
  })
}

/** Only a user of the company lets an app make detached requests: a stolen account client must not. */
function requirePortalForDetached({ client }: Caller, { detached }: { readonly detached?: boolean }): void {
  if (client !== null && detached !== undefined) throw refuse('auth.client_endpoint_forbidden', {})
}

function actorOf({ accountId, userId, client }: Caller): Actor {
  return { companyId: accountId, actorId: client?.clientId ?? userId }
}
