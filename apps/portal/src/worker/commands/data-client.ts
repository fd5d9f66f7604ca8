import { isSealpostError } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import { allOf } from '../all-of.ts'
import type { PortalContext } from '../context.ts'
import { openRecoveryKey } from '../recovery-key.ts'

/** The client by which systems of the company read what customers give to a service. */
export interface DataClientView {
  readonly clientId: string
  readonly redirectUri: string | null
  /** The copy of the secret that only the owner opens. */
  readonly copyId: string | null
}

export interface ApiAccess {
  /** Where programs get their tokens. */
  readonly frontDoorUrl: string
  readonly client: DataClientView | null
}

export async function readApiAccess(context: PortalContext, serviceId: string): Promise<ApiAccess> {
  const { company } = requireOpen(context).client
  const { frontDoorUrl } = context
  try {
    const { client_id: clientId, redirect_uri: redirectUri } = await company.dataClients.read(serviceId)
    const copies = await allOf(company.recoveryCopies.list())
    const copy = copies.find(({ kind, ref_id: of }) => kind === 'client_secret' && of === clientId)
    return { frontDoorUrl, client: { clientId, redirectUri, copyId: copy?.id ?? null } }
  } catch (error) {
    if (isSealpostError(error) && error.key === 'services.client_not_found') return { frontDoorUrl, client: null }
    throw error
  }
}

/** The secret is in this answer only; null where the platform has no more than its sealed copy. */
export async function createDataClient(
  context: PortalContext,
  serviceId: string,
): Promise<{ readonly secret: string | null }> {
  const { client_secret: secret } = await requireOpen(context).client.company.dataClients.create(serviceId)
  context.changed('services')
  return { secret }
}

export async function changeRedirectUri(
  context: PortalContext,
  { serviceId, redirectUri }: { readonly serviceId: string; readonly redirectUri: string | null },
): Promise<void> {
  await requireOpen(context).client.company.dataClients.change(serviceId, { redirect_uri: redirectUri })
  context.changed('services')
}

/** The old secret and every token of the client end with this. */
export async function replaceClientSecret(
  context: PortalContext,
  serviceId: string,
): Promise<{ readonly secret: string | null }> {
  const { client_secret: secret } = await requireOpen(context).client.company.dataClients.regenerateSecret(serviceId)
  context.changed('services')
  return { secret }
}

export async function deleteDataClient(context: PortalContext, serviceId: string): Promise<void> {
  await requireOpen(context).client.company.dataClients.delete(serviceId)
  context.changed('services')
}

/** Opened here, with the recovery key of the company. */
export async function recoverClientSecret(
  context: PortalContext,
  wish: { readonly copyId: string; readonly code: string; readonly password: string },
): Promise<{ readonly secret: string }> {
  const recoveryKey = await openRecoveryKey(context, wish.password)
  const { login, client } = requireOpen(context)
  if (login === null) throw refuseHere('password_needed')
  const proof = { copy_id: wish.copyId, auth_verifier: login.authVerifier.reveal(), code: wish.code }
  const { sealed } = await client.company.recoveryCopies.open(proof)
  const secret = await recoveryKey.open(sealed).catch(() => {
    throw refuseHere('recovery_copy_other')
  })
  return { secret }
}
