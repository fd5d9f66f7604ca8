import { AccountClient } from '@sealpost/sdk'
import type { ClientUses } from '@sealpost/session/worker'
import type { PortalClient } from './context.ts'

export function portalClient({ accessToken, pins }: Pick<ClientUses, 'accessToken' | 'pins'>): PortalClient {
  const company: AccountClient = new AccountClient({ accessToken, pins: pins(() => company.read()) })
  return {
    company,
    security: company.security,
    me: () => company.read(),
    readKeys: () => company.readKey(),
  }
}
