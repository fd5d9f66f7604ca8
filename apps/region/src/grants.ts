import type { Bus } from '@sealpost/bus'
import type { Clock, RegionCode } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { answerGrants, deviceApprovals, type EndingNeeds, revokeElsewhere } from './modules/grants/index.ts'
import {
  lockCredentialName,
  nameOfCredential,
  type OpenSessionNeeds,
  proveLogin,
  type SecurityNeeds,
} from './modules/login/index.ts'
import { findService } from './modules/services/index.ts'
import type { RegionSettings } from './settings.ts'

export interface GrantsCore {
  readonly settings: RegionSettings
  readonly region: RegionCode
  readonly database: Database
  readonly bus: Bus
  readonly clock: Clock
}

/** What ends grants, for whoever has a reason to. */
export function endingNeeds({ database, clock, region, bus }: Omit<GrantsCore, 'settings'>): EndingNeeds {
  return { database, clock, region, revokeElsewhere: revokeElsewhere(bus) }
}

/** Lets the front door keep its grants here; what the module needs of others is bound to it. */
export function openGrants(core: GrantsCore, logins: OpenSessionNeeds, security: SecurityNeeds): void {
  const { database, settings } = core
  answerGrants({
    ...endingNeeds(core),
    bus: core.bus,
    dataKey: settings.DATA_KEY,
    approvals: deviceApprovals(security),
    async proveLogin(login) {
      const { account, credential } = await proveLogin(logins, { ...login, deviceTokens: [] })
      return { account, credential: nameOfCredential(credential) }
    },
    lockCredentialName,
    async findService(companyId, serviceId) {
      const service = await database.read((read) => findService(read, companyId, serviceId))
      return service === null ? null : { id: service.id, name: service.name }
    },
  })
}
