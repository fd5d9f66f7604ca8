import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { bindRoute, type Gates, type HttpServer } from '@sealpost/http'
import {
  API_VERSION,
  type ApiDocument,
  apiDocuments,
  openApiDocument,
  openApiPath,
  readAccountReference,
  readCompanyDataReference,
  readCustomerReference,
  readFrontDoorReference,
  readReferencePage,
} from '@sealpost/protocol'

const REFERENCES = {
  'company-data': readCompanyDataReference,
  account: readAccountReference,
  customer: readCustomerReference,
  'front-door': readFrontDoorReference,
} as const satisfies Record<ApiDocument, unknown>

export interface ReferenceAddresses {
  readonly frontDoorUrl: string
  readonly apiUrls: readonly string[]
  readonly headerVendor: string
}

/** The OpenAPI documents, made once, and the page that shows them. */
export async function bindReference<Caller>(
  server: HttpServer,
  gates: Gates<Caller>,
  addresses: ReferenceAddresses,
): Promise<void> {
  for (const document of documentNames()) {
    // Made for the first who asks: who starts a front door seldom waits for its documents.
    let made: ReturnType<typeof openApiDocument> | null = null
    const handle = () => (made ??= openApiDocument(document, { version: API_VERSION, ...addresses }))
    bindRoute(server, gates, { operation: REFERENCES[document], handle })
  }
  const urls = documentNames().map((document) => ({ name: apiDocuments[document].title, url: openApiPath(document) }))
  await server.fastify.register(async (scope) => {
    await scope.register(swagger, { mode: 'static', specification: { document: emptyDocument() } })
    await scope.register(swaggerUi, {
      routePrefix: readReferencePage.path,
      staticCSP: true,
      uiConfig: { urls },
    })
  })
}

function documentNames(): readonly ApiDocument[] {
  return ['company-data', 'account', 'customer', 'front-door']
}

/** The page loads the documents by their addresses; the plugin still insists on one of its own. */
function emptyDocument() {
  return { openapi: '3.1.0', info: { title: 'Sealpost', version: API_VERSION }, paths: {} }
}
