import type { CompanyRecord } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import { allOf } from '../all-of.ts'
import type { PortalContext } from '../context.ts'

export type Role = 'owner' | CompanyRecord['role']

/** The company that is worked for, and what the signed-in account may do there. */
export interface Acting {
  readonly companyId: string
  readonly name: string
  readonly shareCode: string
  readonly region: string
  readonly level: 'free' | 'basic' | 'pro' | 'enterprise'
  readonly role: Role
  /** Files and photos; null where the region does not say. Without a quota there is no limit. */
  readonly storage: { readonly bytes: number; readonly quota: number | null } | null
}

/** A company that the account may act for. */
export interface CompanyView {
  readonly id: string
  readonly name: string
  readonly region: string
  readonly role: Role
}

export async function readActing(context: PortalContext): Promise<Acting> {
  const { accountId, client } = requireOpen(context)
  const { company, actingFor } = client
  const read = await company.read()
  // A server that answers with another company would have what is typed sealed or stored for that one.
  if (read.id !== (actingFor ?? accountId)) throw refuseHere('other_company')
  const { id: companyId, display_name: name, share_code: shareCode, region, level, storage: stored } = read
  const storage = stored === undefined ? null : { bytes: stored.stored_bytes, quota: stored.quota_bytes }
  return { companyId, name, shareCode, region, level, role: await roleFor(context, actingFor), storage }
}

/** The own account comes first. */
export async function listCompanies(context: PortalContext): Promise<readonly CompanyView[]> {
  const { accountId, client } = requireOpen(context)
  const [own, companies] = await Promise.all([client.own.read(), allOf(client.own.security.listCompanies())])
  const others = companies.map(({ company_id: id, display_name: name, region, role }) => ({ id, name, region, role }))
  return [{ id: accountId, name: own.display_name, region: own.region, role: 'owner' }, ...others]
}

/** Null for the own account. The key of a service of the former company goes. */
export async function actFor(context: PortalContext, companyId: string | null): Promise<void> {
  const { client } = requireOpen(context)
  if (companyId !== null) await roleFor(context, companyId)
  context.serviceKey = null
  client.actFor(companyId)
  context.changed('acting', 'key')
}

async function roleFor(context: PortalContext, companyId: string | null): Promise<Role> {
  if (companyId === null) return 'owner'
  for await (const company of requireOpen(context).client.own.security.listCompanies())
    if (company.company_id === companyId) return company.role
  throw refuseHere('no_delegate')
}
