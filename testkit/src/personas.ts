import type { ClientId, RegionCode, ServiceId, UserId } from '@sealpost/kernel'

/** A company with one service, as development, tests and the docs know it. Its credentials are public: never use them elsewhere. */
export interface CompanyPersona {
  readonly region: RegionCode
  readonly companyId: UserId
  readonly companyName: string
  readonly serviceId: ServiceId
  readonly serviceName: string
  readonly clientId: ClientId
  readonly clientSecret: string
}

// oxlint-disable typescript/no-unsafe-type-assertion -- fixed ids are branded by hand, here only
export const northwind: CompanyPersona = {
  region: 'eu' as RegionCode,
  companyId: '019a0000-0000-7000-8000-0000000000e1' as UserId,
  companyName: 'Northwind Clinic',
  serviceId: '019a0000-0000-7000-8000-0000000000e2' as ServiceId,
  serviceName: 'Patient intake',
  clientId: 'svc_NorthwindClinicDemo00001' as ClientId,
  clientSecret: 'northwind-demo-secret-northwind-demo-secret',
}

export const harborline: CompanyPersona = {
  region: 'us' as RegionCode,
  companyId: '019a0000-0000-7000-8000-0000000000a1' as UserId,
  companyName: 'Harborline Bank',
  serviceId: '019a0000-0000-7000-8000-0000000000a2' as ServiceId,
  serviceName: 'Account opening',
  clientId: 'svc_HarborlineBankDemo000001' as ClientId,
  clientSecret: 'harborline-demo-secret-harborline-demo-secr',
}
// oxlint-enable typescript/no-unsafe-type-assertion

export const companies: readonly CompanyPersona[] = [northwind, harborline]
