import type { Role } from '../worker/commands/acting.ts'

/** What is offered to a role. The platform decides; what is missing here would be refused there. */
export interface May {
  /** What concerns the company as a whole: delegates, clients, sign-in apps, plugins, audit, new services. */
  readonly manageAccount: boolean
  /** Changes of a service that one may open. */
  readonly configure: boolean
  /** Values, files, messages and answers of customers. */
  readonly openValues: boolean
}

const OF_ROLES: Readonly<Record<Role, May>> = {
  owner: { manageAccount: true, configure: true, openValues: true },
  admin: { manageAccount: false, configure: true, openValues: true },
  operator: { manageAccount: false, configure: false, openValues: false },
}

export function mayOf(role: Role): May {
  return OF_ROLES[role]
}
