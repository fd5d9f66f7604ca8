import { listRegions, readHealth } from '@sealpost/protocol'
import packageJson from '../../../../package.json' with { type: 'json' }
import type { RouteBinder } from '../../../platform/bind-route.ts'
import type { Platform } from '../../../platform/module.ts'
import { listRegionsOutOfOrder } from '../../directory/index.ts'

export function bindInstallation(http: RouteBinder, { database, settings }: Platform): void {
  http.bind({
    operation: listRegions,
    async handle() {
      const outOfOrder = await database.read(listRegionsOutOfOrder)
      const items = settings.REGIONS.map(({ code, name, apiUrl }) => {
        const status = outOfOrder.includes(code) ? ('out_of_order' as const) : ('ok' as const)
        return { code, name, api_url: apiUrl, status }
      })
      return { total: items.length, items }
    },
  })
  http.bind({
    operation: readHealth,
    handle: () => ({ status: 'ok' as const, region: null, version: packageJson.version }),
  })
}
