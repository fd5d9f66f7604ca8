import { AccountClient } from '@sealpost/sdk'
import type { ClientUses, KeptAccess } from '@sealpost/session/worker'
import type { PortalClient } from './context.ts'

type Uses = Pick<ClientUses, 'accessToken' | 'pins'> & Pick<KeptAccess, 'accessFor'>

export function portalClient({ accessToken, accessFor, pins }: Uses): PortalClient {
  const own: AccountClient = new AccountClient({ accessToken, pins: pins(() => own.read()) })
  let acting: { readonly companyId: string; readonly client: AccountClient } | null = null
  return {
    own,
    get company() {
      return acting?.client ?? own
    },
    get actingFor() {
      return acting?.companyId ?? null
    },
    actFor(companyId) {
      if (companyId === null) acting = null
      else {
        const token = (): ReturnType<typeof accessFor> => accessFor(companyId)
        acting = { companyId, client: new AccountClient({ accessToken: token, pins: pins(() => own.read()) }) }
      }
    },
    security: own.security,
    me: () => own.read(),
    readKeys: () => own.readKey(),
  }
}
