import type { Bus } from '@sealpost/bus'
import type { Random } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import { openGrants } from './grants.ts'
import type { AccountNeeds } from './modules/account/index.ts'
import { type EndingNeeds, endGrantsInside } from './modules/grants/index.ts'
import { answerLogins, checkSecondFactor, type LoginNeeds, type OpenSessionNeeds } from './modules/login/index.ts'
import type { MailNeeds } from './modules/mail/index.ts'
import type { RegionSettings } from './settings.ts'

export interface LoginsCore {
  readonly settings: RegionSettings
  readonly account: AccountNeeds
  readonly bus: Bus
  readonly random: Random
  readonly telemetry: Telemetry
  readonly mail: MailNeeds
  readonly grants: EndingNeeds
}

/** Lets the front door log people in here, and keep its grants. */
export function openLogins({ settings, account, bus, random, telemetry, mail, grants }: LoginsCore): LoginNeeds {
  const login: LoginNeeds = {
    ...account,
    bus,
    random,
    telemetry,
    pepper: settings.SECRET_PEPPER,
    mail,
    endGrants: (tx, userId) => endGrantsInside(grants, tx, userId),
    refreshTtlDays: settings.REFRESH_TTL_DAYS,
    refreshMaxDays: settings.REFRESH_MAX_DAYS,
  }
  const logins = {
    ...login,
    checkSecondFactor: (userId, otp) => checkSecondFactor(login, userId, otp),
  } satisfies OpenSessionNeeds
  answerLogins({ ...logins, regions: settings.REGIONS.map(({ code }) => code) })
  const webAuthn = { rpId: settings.WEBAUTHN_RP_ID, origins: settings.APP_ORIGINS }
  const { region, database, clock } = account
  openGrants({ settings, region, database, bus, clock }, logins, { ...login, account, webAuthn })
  return login
}
