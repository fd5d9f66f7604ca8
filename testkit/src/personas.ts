import type { ClientId, RegionCode, ServiceId, UserId } from '@sealpost/kernel'
import { harborlineLogin, maraLogin, northwindLogin, type PersonaLogin } from './persona-logins.ts'
import { harborlineService, northwindService, type PersonaService } from './persona-services.ts'

/** A company with one service, as development, tests and the docs know it. Its credentials are public: never use them elsewhere. */
export interface CompanyPersona {
  readonly region: RegionCode
  readonly companyId: UserId
  readonly companyName: string
  readonly email: string
  readonly shareCode: string
  readonly login: PersonaLogin
  readonly serviceId: ServiceId
  readonly serviceName: string
  /** Its code, and the key whose passphrase the company keeps. */
  readonly service: PersonaService
  readonly clientId: ClientId
  readonly clientSecret: string
}

/** A person, as development, tests and the docs know her. */
export interface PersonPersona {
  readonly region: RegionCode
  readonly userId: UserId
  readonly displayName: string
  readonly email: string
  readonly shareCode: string
  readonly login: PersonaLogin
}

// oxlint-disable typescript/no-unsafe-type-assertion -- fixed ids are branded by hand, here only
export const northwind: CompanyPersona = {
  region: 'eu' as RegionCode,
  companyId: '019a0000-0000-7000-8000-0000000000e1' as UserId,
  companyName: 'Northwind Clinic',
  email: 'portal@northwind.example',
  shareCode: 'NRTHWD',
  login: northwindLogin,
  serviceId: '019a0000-0000-7000-8000-0000000000e2' as ServiceId,
  serviceName: 'Patient intake',
  service: northwindService,
  clientId: 'svc_NorthwindClinicDemo00001' as ClientId,
  clientSecret: 'northwind-demo-secret-northwind-demo-secret',
}

export const harborline: CompanyPersona = {
  region: 'us' as RegionCode,
  companyId: '019a0000-0000-7000-8000-0000000000a1' as UserId,
  companyName: 'Harborline Bank',
  email: 'portal@harborline.example',
  shareCode: 'HARBRL',
  login: harborlineLogin,
  serviceId: '019a0000-0000-7000-8000-0000000000a2' as ServiceId,
  serviceName: 'Account opening',
  service: harborlineService,
  clientId: 'svc_HarborlineBankDemo000001' as ClientId,
  clientSecret: 'harborline-demo-secret-harborline-demo-secr',
}

export const mara: PersonPersona = {
  region: 'us' as RegionCode,
  userId: '019a0000-0000-7000-8000-0000000000b1' as UserId,
  displayName: 'Mara Lindqvist',
  email: 'mara@persons.example',
  shareCode: 'MARAXX',
  login: maraLogin,
}
// oxlint-enable typescript/no-unsafe-type-assertion

export const companies: readonly CompanyPersona[] = [northwind, harborline]
export const persons: readonly PersonPersona[] = [mara]
