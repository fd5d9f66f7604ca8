import type { Module, Platform } from '../../platform/module.ts'
import type { ServicesContext } from '../services/index.ts'
import { clientsDirectory } from './bus.ts'
import type { ClientsContext } from './context.ts'
import { reconcilePendingChanges } from './pending-changes/index.ts'
import { bindClientRoutes } from './routes.ts'

export function openClients(
  platform: Platform,
  { services }: { readonly services: ServicesContext },
): ClientsContext & Module {
  const clients: ClientsContext = { ...platform, directory: clientsDirectory(platform), services }
  return {
    ...clients,
    name: 'clients',
    routes: (bind) => bindClientRoutes(bind, clients),
    chores: [{ what: 'pending changes of clients', run: () => reconcilePendingChanges(clients) }],
  }
}
