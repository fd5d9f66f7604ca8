import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import {
  API_VERSION,
  type ApiDocument,
  apiDocumentNames,
  apiDocuments,
  openApiDocument,
  openApiPath,
  readAccountReference,
  readCompanyDataReference,
  readCustomerReference,
  readFrontDoorReference,
  readReferencePage,
} from '@sealpost/protocol'
import type { RouteBinder } from '../../../platform/bind-route.ts'
import type { Platform } from '../../../platform/module.ts'

const REFERENCES = {
  'company-data': readCompanyDataReference,
  account: readAccountReference,
  customer: readCustomerReference,
  'front-door': readFrontDoorReference,
} as const satisfies Record<ApiDocument, unknown>

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
  const urls = apiDocumentNames.map((document) => ({ name: apiDocuments[document].title, url: openApiPath(document) }))
  await server.fastify.register(async (scope) => {
    await scope.register(swagger, { mode: 'static', specification: { document: EMPTY_DOCUMENT } })
    await scope.register(swaggerUi, { routePrefix: readReferencePage.path, staticCSP: true, uiConfig: { urls } })
  })
}

/** The plugin requires a document of its own; the page loads ours by their addresses. */
const EMPTY_DOCUMENT = { openapi: '3.1.0', info: { title: 'Sealpost', version: API_VERSION }, paths: {} }
