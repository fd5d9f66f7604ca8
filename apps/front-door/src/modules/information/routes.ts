import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { answer } from '@sealpost/http'
import {
  listRegions,
  readHealth,
  API_VERSION,
  apiDocumentNames,
  openApiDocument,
  readAccountReference,
  readCompanyDataReference,
  readCustomerReference,
  readErrorsPage,
  readFrontDoorReference,
  readReferencePage,
  readRoot,
  type ServedDocument,
} from '@sealpost/protocol'
import packageJson from '../../../package.json' with { type: 'json' }
import { bindAssets } from '../../platform/assets.ts'
import type { RouteBinder } from '../../platform/bind-route.ts'
import type { Platform } from '../../platform/module.ts'
import { listRegionsOutOfOrder } from '../directory/index.ts'
import { assets } from './page/assets.ts'
import { ERRORS_HEADERS, errorsPage } from './page/errors-page.ts'
import { referencePage } from './page/reference-page.ts'

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

const REFERENCES = {
  'company-data': readCompanyDataReference,
  account: readAccountReference,
  customer: readCustomerReference,
  'front-door': readFrontDoorReference,
} as const satisfies Record<ServedDocument, unknown>

/** The OpenAPI documents and the page that renders them. */
export async function bindReference(
  { server, bind }: RouteBinder,
  { PUBLIC_URL: frontDoorUrl, REGIONS, HEADER_VENDOR: headerVendor }: Platform['settings'],
): Promise<void> {
  const addresses = { frontDoorUrl, apiUrls: REGIONS.map(({ apiUrl }) => apiUrl), headerVendor }
  for (const document of apiDocumentNames) {
    // Built for the first request, so that the start does not wait for documents that are rarely read.
    let built: ReturnType<typeof openApiDocument> | null = null
    const handle = () => (built ??= openApiDocument(document, { version: API_VERSION, ...addresses }))
    bind({ operation: REFERENCES[document], handle })
  }
  await server.fastify.register(async (scope) => {
    await scope.register(swagger, { mode: 'static', specification: { document: EMPTY_DOCUMENT } })
    await scope.register(swaggerUi, referencePage(addresses))
  })
}

/** The root leads to the reference; the page about errors is where the `Link` of every refusal leads. */
export function bindPages({ server, bind }: RouteBinder): void {
  bindAssets(server, assets)
  bind({ operation: readRoot, handle: () => answer(undefined, { headers: { location: readReferencePage.path } }) })
  let built: string | null = null
  bind({
    operation: readErrorsPage,
    handle: () => answer((built ??= errorsPage()), { headers: ERRORS_HEADERS }),
  })
}

/** The plugin requires a document of its own; the page loads ours by their addresses. */
const EMPTY_DOCUMENT = { openapi: '3.1.0', info: { title: 'Sealpost', version: API_VERSION }, paths: {} }
