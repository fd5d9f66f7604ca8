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
  regenerateAccountClientSecret as regenerateAccountClientSecretOperation,
  regenerateDataClientSecret as regenerateDataClientSecretOperation,
  regenerateOAuthAppSecret,
} from '@sealpost/protocol'
import type { BindRoute } from '../../bind.ts'
import type { Caller } from '../../caller.ts'
import { type OpenNeeds, openService } from '../services/index.ts'
import {
  changeAccountClient,
  createAccountClient,
  deleteAccountClient,
  listAccountClients,
  locateAccountClient,
  regenerateAccountClientSecret,
} from './account-clients.ts'
import type { Actor } from './audit.ts'
import type { Client } from './client.ts'
import {
  changeDataClient,
  createDataClient,
  deleteDataClient,
  locateDataClient,
  regenerateDataClientSecret,
  showDataClient,
} from './data-clients.ts'
import type { ClientsNeeds } from './needs.ts'
import {
  changeApp,
  createApp,
  deleteApp,
  listOwnApps,
  locateApp,
  regenerateAppSecret,
  showAppWithKey,
} from './oauth-apps.ts'

export interface ClientRouteNeeds extends ClientsNeeds, OpenNeeds {}

export function bindClientRoutes(bind: BindRoute, needs: ClientRouteNeeds): void {
  bindAccountClients(bind, needs)
  bindDataClients(bind, needs)
  bindApps(bind, needs)
}

function bindAccountClients(bind: BindRoute, needs: ClientsNeeds): void {
  bind({
    operation: createAccountClientOperation,
    handle: ({ caller, body, storeAnswer }) => createAccountClient(needs, actorOf(caller), body, storeAnswer),
  })
  bind({
    operation: listAccountClientsOperation,
    handle: ({ caller, query }) => listAccountClients(needs, caller.accountId, query),
  })
  bind({
    operation: changeAccountClientOperation,
    locate: ({ caller, params }) => locateAccountClient(needs, caller.accountId, params.id),
    handle: ({ caller, located, body }) => changeAccountClient(needs, actorOf(caller), located, body),
  })
  bind({
    operation: regenerateAccountClientSecretOperation,
    locate: ({ caller, params }) => locateAccountClient(needs, caller.accountId, params.id),
    handle: ({ caller, located, storeAnswer }) =>
      regenerateAccountClientSecret(needs, actorOf(caller), located, storeAnswer),
  })
  bind({
    operation: deleteAccountClientOperation,
    locate: ({ caller, params }) => locateAccountClient(needs, caller.accountId, params.id),
    async handle({ caller, located }) {
      await deleteAccountClient(needs, actorOf(caller), located)
      return undefined
    },
  })
}

function bindDataClients(bind: BindRoute, needs: ClientRouteNeeds): void {
  bind({
    operation: createDataClientOperation,
    async locate({ caller, params }) {
      const { companyId, id } = await openService(needs, caller, params.id)
      return { companyId, id }
    },
    handle: ({ caller, located, body, storeAnswer }) =>
      createDataClient(needs, actorOf(caller), located, body, storeAnswer),
  })
  bind({
    operation: readDataClient,
    locate: ({ caller, params }) => openDataClient(needs, caller, params.id),
    handle: ({ located }) => showDataClient(located),
  })
  bind({
    operation: changeDataClientOperation,
    locate: ({ caller, params }) => openDataClient(needs, caller, params.id),
    handle: ({ caller, located, body }) => changeDataClient(needs, actorOf(caller), located, body),
  })
  bind({
    operation: regenerateDataClientSecretOperation,
    locate: ({ caller, params }) => openDataClient(needs, caller, params.id),
    handle: ({ caller, located, storeAnswer }) =>
      regenerateDataClientSecret(needs, actorOf(caller), located, storeAnswer),
  })
  bind({
    operation: deleteDataClientOperation,
    locate: ({ caller, params }) => openDataClient(needs, caller, params.id),
    async handle({ caller, located }) {
      await deleteDataClient(needs, actorOf(caller), located)
      return undefined
    },
  })
}

/** Whoever may not open the service learns nothing of its client. */
async function openDataClient(needs: ClientRouteNeeds, caller: Caller, id: string): Promise<Client> {
  await openService(needs, caller, id)
  return locateDataClient(needs, caller, id)
}

function bindApps(bind: BindRoute, needs: ClientsNeeds): void {
  bind({
    operation: createOAuthApp,
    handle: ({ caller, body, storeAnswer }) => createApp(needs, actorOf(caller), body, storeAnswer),
  })
  bind({
    operation: listOAuthApps,
    handle: ({ caller, query }) => listOwnApps(needs, caller.accountId, query),
  })
  bind({
    operation: readOAuthApp,
    locate: ({ caller, params }) => locateApp(needs, caller.accountId, params.id),
    handle: ({ located }) => showAppWithKey(located),
  })
  bind({
    operation: changeOAuthApp,
    locate: ({ caller, params }) => locateApp(needs, caller.accountId, params.id),
    handle: ({ caller, located, body }) => changeApp(needs, actorOf(caller), located, body),
  })
  bind({
    operation: regenerateOAuthAppSecret,
    locate: ({ caller, params }) => locateApp(needs, caller.accountId, params.id),
    handle: ({ caller, located, storeAnswer }) => regenerateAppSecret(needs, actorOf(caller), located, storeAnswer),
  })
  bind({
    operation: deleteOAuthApp,
    locate: ({ caller, params }) => locateApp(needs, caller.accountId, params.id),
    async handle({ caller, located }) {
      await deleteApp(needs, actorOf(caller), located)
      return undefined
    },
  })
}

function actorOf({ accountId, userId, client }: Caller): Actor {
  return { companyId: accountId, actorId: client?.clientId ?? userId }
}
