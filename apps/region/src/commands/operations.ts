import type { ClientId, Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'
import type { Modules } from '../compose.ts'
import { revokeClientTokens } from '../modules/access/index.ts'
import { createAccount, eraseAccount, type NewAccount, setLevel } from '../modules/account/index.ts'
import { type IssuedClient, putDataClient } from '../modules/clients/index.ts'
import { setPassword } from '../modules/login/index.ts'
import { type NewService, seedService } from '../modules/services/index.ts'

/** Operations of several modules, bound to their contexts: for seeds and operators' commands. */
export type RegionOperations = ReturnType<typeof bindOperations>

export function bindOperations({ access, account, clients, login, services }: Modules) {
  return {
    setLevel: (company: UserId, level: Level) => setLevel(account, company, level),
    eraseAccount: (userId: UserId) => eraseAccount(account, userId),
    createAccount: (fresh: NewAccount, shareCode?: string) => createAccount(account, fresh, shareCode),
    setPassword: (userId: UserId, verifier: Secret<string>) => setPassword(login, userId, verifier),
    createService: (service: NewService) => seedService(services, service),
    registerDataClient: (companyId: UserId, id: ServiceId, chosen: IssuedClient) =>
      putDataClient(clients, { companyId, id }, chosen),
    revokeClientTokens: (company: UserId, client: ClientId) => revokeClientTokens(access, company, client),
  }
}
