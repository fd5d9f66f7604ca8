import type { ServiceRecord } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { allOf } from '../all-of.ts'
import type { PortalContext } from '../context.ts'

export interface ServiceView {
  readonly id: string
  readonly name: string
  /** Under which customers find it. */
  readonly code: string
  readonly createdAt: string
}

export async function listServices(context: PortalContext): Promise<readonly ServiceView[]> {
  const { client } = requireOpen(context)
  const [services, { share_code: code }] = await Promise.all([
    allOf(client.company.services.list()),
    client.company.read(),
  ])
  return services.map((service) => viewOf(service, code))
}

export async function readService(context: PortalContext, id: string): Promise<ServiceView> {
  const { client } = requireOpen(context)
  const [service, { share_code: code }] = await Promise.all([client.company.services.read(id), client.company.read()])
  return viewOf(service, code)
}

function viewOf({ id, name, share_code: code, created_at: createdAt }: ServiceRecord, company: string): ServiceView {
  return { id, name, code: `${company}/${code}`, createdAt }
}
